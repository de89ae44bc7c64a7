// What is sent of a job: its text, the stubs for a template, or programs for a kernel. Workers ask for the
// template or the kernel once.

import { hash } from "node:crypto";
import {
  type BackendJob,
  givenOptions,
  isMade,
  renderSource,
  type Source,
  writtenSource,
} from "@mm-ptx/cuda/backend";
import type { PtxTemplate } from "@mm-ptx/types/core";
import type { Blob, Parcel, ParcelJob } from "../frames/parcel.js";
import { keyOf, MOST_PROGRAMS } from "../programs/form.js";
import { ProgramRecipe } from "../programs/kernel.js";
import type { Entry } from "./queue.js";

/** Setups and parcels that are kept although no open parcel needs them. */
const KEPT = 64;

/** What the jobs of a parcel need once. */
interface Setup {
  readonly hash: string;
  readonly bytes: Uint8Array;
  /** Characters of PTX besides those of the jobs. */
  readonly length: number;
}

const setups = new WeakMap<PtxTemplate, Setup>();

/** The template as a setup, made once for each object; it is frozen when it comes here. */
function templateSetup(template: PtxTemplate): Setup {
  let setup = setups.get(template);
  if (setup === undefined) {
    const { names, segments, holes, lines } = template;
    const bytes = Buffer.from(JSON.stringify({ names, segments, holes, lines }));
    const length = segments.reduce((sum, segment) => sum + segment.length, 0);
    setup = { hash: hash("sha256", bytes), bytes, length };
    setups.set(template, setup);
  }
  return setup;
}

function recipeOf(source: Source): ProgramRecipe | undefined {
  return isMade(source) && source.recipe instanceof ProgramRecipe ? source.recipe : undefined;
}

function setupOf(source: Source): Setup | undefined {
  const recipe = recipeOf(source);
  if (recipe !== undefined) return { ...recipe.setup, length: 0 };
  if (typeof source === "object" && "template" in source) return templateSetup(source.template);
  return undefined;
}

const optionTexts = new WeakMap<BackendJob["target"], string>();

/** The options of a job as a text, made once for each object. */
function optionsText(target: BackendJob["target"]): string {
  let text = optionTexts.get(target);
  if (text === undefined) {
    text = JSON.stringify(givenOptions(target));
    optionTexts.set(target, text);
  }
  return text;
}

/** Whether a source can be sent: it is PTX, or workers can generate PTX from it. */
export function travels(source: Source): boolean {
  if (!isMade(source)) return true;
  const recipe = recipeOf(source);
  return recipe !== undefined && recipe.programs.counts.length <= MOST_PROGRAMS;
}

/** What the jobs of one parcel have in common, and approximately how many bytes this one has. */
export function measured(
  { target, timeoutMs }: BackendJob,
  source: Source,
): Pick<Entry, "group" | "bytes" | "length"> {
  const recipe = recipeOf(source);
  const setup = setupOf(source);
  const form = recipe === undefined ? "" : keyOf(recipe.form);
  const group = `${timeoutMs} ${setup?.hash ?? ""} ${form} ${optionsText(target)}`;
  const bytes = recipe === undefined ? lengthOf(writtenSource(source)) : recipe.programs.words.byteLength;
  return { group, bytes, length: (setup?.length ?? 0) + bytes };
}

function lengthOf(written: ReturnType<typeof writtenSource>): number {
  if (typeof written === "string" || written instanceof Uint8Array) return written.length;
  if ("text" in written) return written.text.length;
  return written.stubs.reduce((sum, stub) => sum + stub.length, 0);
}

/** The blobs that workers may ask for. */
export class Blobs {
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #uses = new Map<string, number>();

  get(hash: string): Uint8Array | undefined {
    return this.#blobs.get(hash);
  }

  /** Keeps a blob at least until it has been released as often as kept. */
  keep(hash: string, bytes: Uint8Array): Blob {
    this.#blobs.delete(hash);
    this.#blobs.set(hash, bytes);
    this.#uses.set(hash, (this.#uses.get(hash) ?? 0) + 1);
    return { hash, bytes: bytes.length };
  }

  release(hashes: readonly string[]): void {
    for (const hash of hashes) {
      const left = (this.#uses.get(hash) ?? 1) - 1;
      if (left === 0) this.#uses.delete(hash);
      else this.#uses.set(hash, left);
    }
    let unused = this.#blobs.size - this.#uses.size;
    for (const hash of this.#blobs.keys()) {
      if (unused <= KEPT) break;
      if (this.#uses.has(hash)) continue;
      this.#blobs.delete(hash);
      unused--;
    }
  }
}

/** The parcel of jobs of one group; what workers will ask for is kept in `blobs` under `hashes`. */
export function parcelOf(
  entries: readonly Entry[],
  blobs: Blobs,
): { readonly parcel: Parcel; readonly hashes: string[] } {
  const [{ job, source, deaths }] = entries as [Entry];
  const setup = setupOf(source);
  return {
    parcel: {
      options: givenOptions(job.target),
      timeoutMs: job.timeoutMs,
      setup: setup && blobs.keep(setup.hash, setup.bytes),
      form: recipeOf(source)?.form,
      jobs: entries.map((entry) => parcelJob(entry.source)),
      deaths,
    },
    hashes: setup === undefined ? [] : [setup.hash],
  };
}

function parcelJob(source: Source): ParcelJob {
  const recipe = recipeOf(source);
  if (recipe !== undefined) return recipe.programs;
  if (typeof source === "object" && "template" in source) return source.stubs;
  const ptx = renderSource(source);
  return typeof ptx === "string" ? Buffer.from(ptx) : ptx;
}
