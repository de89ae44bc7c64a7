// What a job may be, and what is made of it: what to compile, for which targets, and how urgent it is.

import { describeValue, nearest, type PtxTemplate } from "@mm-ptx/types/core";
import { PtxCompileError } from "../error.js";
import { checkInteger, checkSignal, checkTimeout, invalidOption, resolveArch } from "./options.js";
import { checkTemplate } from "./template.js";

/** Options of one job, in place of the compiler's own. */
export interface JobOptions {
  /** The architecture, `native` too, or several: then the result has a module for each. */
  readonly arch?: string | readonly string[];
  /** Jobs of a higher priority start before those of a lower one; a whole number, default 0. */
  readonly priority?: number;
  /** Milliseconds for each compile of this job, counted from its start. */
  readonly timeoutMs?: number;
  /** Ends this job with `ABORTED`. */
  readonly signal?: AbortSignal;
}

/** PTX as text or bytes. */
export interface TextJob extends JobOptions {
  readonly ptx: string | Uint8Array;
}

/**
 * A template with a stub for each of its names. The compiler's own memory keeps a template's text once, however many jobs
 * use it; therefore the first job freezes the template with all that is in it.
 */
export interface TemplateJob extends JobOptions {
  readonly template: PtxTemplate;
  readonly stubs: Readonly<Record<string, string>> | ReadonlyMap<string, string>;
}

/**
 * What a compiler takes: PTX text, its bytes, or either with options; or a template with stubs. Other properties of an
 * object are its owner's, and left alone.
 */
export type PtxJob = string | Uint8Array | TextJob | TemplateJob;

/** A template whose stubs stand in the order of its names. */
export interface FilledTemplate {
  readonly template: PtxTemplate;
  readonly stubs: readonly string[];
}

/** What a backend compiles. */
export type Source = string | Uint8Array | FilledTemplate;

/** A job that was checked. */
export interface ResolvedJob {
  readonly source: Source;
  /** Absent: that of the compiler. */
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
 * @throws PtxCompileError `REFUSED_INPUT` when there is nothing to compile, `INVALID_OPTION`
 */
export function resolveJob(job: unknown): ResolvedJob {
  if (isText(job))
    return { source: kept(job), arches: undefined, priority: 0, timeoutMs: undefined, signal: undefined };
  if (typeof job !== "object" || job === null) throw noPtx(describeValue(job));
  const options = job as JobOptions;
  const source = "template" in job ? templateOf(job as TemplateJob) : textOf(job);
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

function textOf(job: object): string | Uint8Array {
  refuseNearMisses(job, ["ptx", ...OPTIONS]);
  if (!("ptx" in job)) throw noPtx(describeValue(job));
  if (isText(job.ptx)) return kept(job.ptx);
  throw noPtx(`{ ptx: ${describeValue(job.ptx)} }`);
}

/** The caller may write into its bytes at once, and errors and parameter lists are made of them later. */
function kept(ptx: string | Uint8Array): string | Uint8Array {
  if (typeof ptx === "string") return ptx;
  try {
    return new Uint8Array(ptx);
  } catch {
    throw noPtx("a Uint8Array whose memory another thread has");
  }
}

/** A job may carry what its owner likes, but nothing that looks like an option and is none. */
function refuseNearMisses(job: object, known: readonly string[]): void {
  for (const name of Object.keys(job)) {
    const meant = known.includes(name) ? undefined : nearest(name, known);
    if (meant !== undefined)
      throw new PtxCompileError(
        "INVALID_OPTION",
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

function templateOf(job: TemplateJob): FilledTemplate {
  refuseNearMisses(job, ["template", "stubs", ...OPTIONS]);
  const { stubs } = job;
  const template = checkTemplate(job.template);
  if (typeof stubs !== "object" || stubs === null)
    throw noPtx(`a template with stubs: ${describeValue(stubs)}`);
  const map = stubs instanceof Map ? stubs : new Map(Object.entries(stubs));
  const filled = template.names.map((name) => {
    const stub: unknown = map.get(name);
    if (typeof stub === "string") return stub;
    throw noPtx(`a template whose stub of \`${name}\` is ${describeValue(stub)}`);
  });
  if (map.size > filled.length) {
    const unknown = [...map.keys()].find((name) => !template.names.includes(name));
    throw noPtx(`a template with a stub for \`${unknown}\`, which it does not have`);
  }
  return { template, stubs: filled };
}

/** The text that is compiled: of a template, rendered anew. */
export function renderSource(source: Source): string | Uint8Array {
  if (isText(source)) return source;
  const { template, stubs } = source;
  const { segments, holes } = template;
  return segments.map((segment, i) => (i < holes.length ? segment + stubs[holes[i]!]! : segment)).join("");
}

/** The text that is compiled, of bytes too. */
export function sourceText(source: Source): string {
  const ptx = renderSource(source);
  return typeof ptx === "string" ? ptx : new TextDecoder("latin1").decode(ptx);
}

function noPtx(found: string): PtxCompileError {
  return new PtxCompileError(
    "REFUSED_INPUT",
    `expected PTX as a string, a Uint8Array, { ptx } or { template, stubs }, found ${found}`,
  );
}
