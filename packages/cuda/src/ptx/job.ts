// The forms of a job, and what they resolve to: the source, the targets, and the priority.

import type { FilledKernel, LocatedPtx, PtxSource, PtxTemplate } from "@mm-ptx/types/core";
import {
  checkTemplate,
  describeError,
  describeValue,
  isFilledKernel,
  isLocatedPtx,
  nearest,
  orderStubs,
  type PtxLimit,
  ptxSizeProblem,
  quoted,
  type Refuse,
  renderedLength,
  STRING_LIMIT,
  withoutFinalNul,
} from "@mm-ptx/types/internal";
import { PtxCompileError } from "../error.js";
import { checkInteger, checkSignal, checkTimeout, invalidOption, resolveArch } from "./options.js";
import { type Recipe, recipeOf } from "./recipe.js";
import { type FilledTemplate, type MadeSource, type Source, type WrittenSource, withText } from "./source.js";

/** Options of one job, which override the compiler's. */
export interface JobOptions {
  /** One architecture, which may be `native`, or several; the result then has a module for each. */
  readonly arch?: string | readonly string[];
  /** Jobs with a higher priority start first; an integer, 0 by default. */
  readonly priority?: number;
  /** The time limit for each compile of this job in milliseconds, counted from its start. */
  readonly timeoutMs?: number;
  /** Aborts this job with `ABORTED`. */
  readonly signal?: AbortSignal;
}

/** PTX in any form, with options. */
export interface TextJob extends JobOptions {
  readonly ptx: PtxSource;
}

/**
 * A filled kernel with options; the stubs may also be a `Map`. The compiler stores the text of equal templates only
 * once, however many jobs use it; the first job deeply freezes the template.
 */
export interface FilledJob extends JobOptions {
  readonly template: PtxTemplate;
  readonly stubs: FilledKernel["stubs"] | ReadonlyMap<string, string>;
}

/**
 * The inputs of a compiler: PTX text, its bytes, a filled kernel or a pack, or an object with one of them and options.
 * Other properties of the object are ignored.
 */
export type PtxJob = PtxSource | TextJob | FilledJob;

/** A checked job. */
export interface ResolvedJob {
  readonly source: Source;
  /** Absent: the compiler's architecture. */
  readonly arches: readonly string[] | undefined;
  readonly priority: number;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

const MAX_PRIORITY = 1_000_000;
const OPTIONS: readonly (keyof JobOptions)[] = ["arch", "priority", "timeoutMs", "signal"];

/**
 * Checks a job.
 *
 * @throws PtxCompileError `INVALID_ARGUMENT`; `OUT_OF_MEMORY` for PTX beyond the limit
 */
export function resolveJob(job: unknown, limit: PtxLimit = STRING_LIMIT): ResolvedJob {
  if (isText(job))
    return {
      source: kept(job, limit),
      arches: undefined,
      priority: 0,
      timeoutMs: undefined,
      signal: undefined,
    };
  if (typeof job !== "object" || job === null) throw noPtx(describeValue(job));
  const options = job as JobOptions;
  const source = jobSource(job, limit);
  if (options.priority !== undefined) checkInteger("priority", options.priority, -MAX_PRIORITY, MAX_PRIORITY);
  if (options.timeoutMs !== undefined) checkTimeout(options.timeoutMs);
  checkSignal(options.signal);
  return {
    source,
    arches: archesOf(options.arch),
    priority: options.priority ?? 0,
    timeoutMs: options.timeoutMs,
    signal: options.signal,
  };
}

const isText = (value: unknown): value is string | Uint8Array =>
  typeof value === "string" || value instanceof Uint8Array;

function jobSource(job: object, limit: PtxLimit): Source {
  const recipe = recipeOf(job);
  if (recipe !== undefined) return made(recipe, job, limit);
  if (isLocatedPtx(job)) return located(job, limit);
  if ("template" in job) {
    refuseNearMisses(job, ["template", "stubs", ...OPTIONS]);
    return templateOf(job, limit);
  }
  refuseNearMisses(job, ["ptx", ...OPTIONS]);
  if (!("ptx" in job)) throw noPtx(describeValue(job));
  const { ptx } = job;
  if (isText(ptx)) return kept(ptx, limit);
  const itsRecipe = recipeOf(ptx);
  if (itsRecipe !== undefined) return made(itsRecipe, ptx as object, limit);
  if (isLocatedPtx(ptx)) return located(ptx, limit);
  if (isFilledKernel(ptx)) return templateOf(ptx, limit);
  throw noPtx(`{ ptx: ${describeValue(ptx)} }`);
}

/** The source that a recipe makes when it is first needed. */
function made(recipe: Recipe, ptx: object, limit: PtxLimit): MadeSource {
  let source: WrittenSource | undefined;
  const write = (): WrittenSource => {
    let value: ReturnType<Recipe["make"]>;
    try {
      value = recipe.make();
    } catch (cause) {
      throw new PtxCompileError("INVALID_ARGUMENT", describeError(cause), { cause });
    }
    return isLocatedPtx(value) ? located(value, limit) : templateOf(value, limit);
  };
  return {
    recipe,
    filled: isFilledKernel(ptx) ? ptx : undefined,
    written: () => {
      source ??= write();
      return source;
    },
  };
}

function located(ptx: LocatedPtx, limit: PtxLimit): WrittenSource {
  checkSize(ptx.text.length, limit);
  return withText(ptx, withoutFinalNul(ptx.text));
}

/** @throws PtxCompileError `OUT_OF_MEMORY` */
function checkSize(bytes: number, limit: PtxLimit): void {
  const problem = ptxSizeProblem(bytes, limit);
  if (problem !== undefined) throw new PtxCompileError("OUT_OF_MEMORY", problem);
}

/** Copies bytes, because the caller may modify them while errors and parameter lists are created later. */
function kept(ptx: string | Uint8Array, limit: PtxLimit): string | Uint8Array {
  checkSize(ptx.length, limit);
  if (typeof ptx === "string") return withoutFinalNul(ptx);
  try {
    return new Uint8Array(withoutFinalNul(ptx));
  } catch {
    throw noPtx("a Uint8Array whose memory was transferred");
  }
}

/** A job may have other properties, but names that nearly match an option are rejected. */
function refuseNearMisses(job: object, known: readonly string[]): void {
  for (const name of Object.keys(job)) {
    const meant = known.includes(name) ? undefined : nearest(name, known);
    if (meant !== undefined)
      throw new PtxCompileError(
        "INVALID_ARGUMENT",
        `unknown option \`${name}\` of a job, did you mean \`${meant}\`?`,
      );
  }
}

function archesOf(arch: unknown): readonly string[] | undefined {
  if (arch === undefined) return undefined;
  if (!Array.isArray(arch)) return [resolveArch(arch)];
  if (arch.length === 0) throw invalidOption("arch", "at least one architecture", arch);
  const arches = Array.from(arch, resolveArch);
  if (new Set(arches).size < arches.length)
    throw invalidOption("arch", "each architecture once", arches.join(", "));
  return arches;
}

function templateOf(filled: object, limit: PtxLimit): FilledTemplate {
  const { template, stubs } = filled as Partial<FilledJob>;
  const checked = checkTemplate(template, refuse);
  const ordered = orderStubs(checked, stubs, refuse);
  checkSize(renderedLength(checked, ordered), limit);
  if (stubs === undefined || stubs instanceof Map || !Object.isFrozen(stubs))
    return { template: checked, stubs: ordered };
  const kept = stubs as FilledKernel["stubs"];
  return { template: checked, stubs: ordered, filled: Object.freeze({ template: checked, stubs: kept }) };
}

const refuse: Refuse = (place, expected, found) =>
  new PtxCompileError(
    "INVALID_ARGUMENT",
    `${quoted(place)}: expected ${expected}, as \`fill\` of @mm-ptx/inject makes it, found ${found}`,
  );

function noPtx(found: string): PtxCompileError {
  return new PtxCompileError(
    "INVALID_ARGUMENT",
    `expected PTX as a string, a Uint8Array, a filled kernel or a pack, or { ptx } with one of them, found ${found}`,
  );
}
