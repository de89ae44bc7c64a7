// What travels of a job: its text, or the stubs of a template, which workers ask for once.

import { hash } from "node:crypto";
import type { BackendJob } from "@mm-ptx/cuda/backend";
import { givenOptions, renderSource } from "@mm-ptx/cuda/backend";
import type { PtxTemplate } from "@mm-ptx/types/core";
import type { Blob, Parcel, ParcelJob } from "../frames/parcel.js";
import type { Entry } from "./queue.js";

/** Text beyond this size is not in the parcel; the worker asks for it. */
const LONG = 256 * 2 ** 10;
/** Templates that are kept although no parcel with them is out. */
const KEPT = 64;

const setups = new WeakMap<PtxTemplate, { readonly blob: Blob; readonly bytes: Buffer }>();

/** The template as a blob, made once for each object; it is frozen when it comes here. */
function setupOf(template: PtxTemplate): { readonly blob: Blob; readonly bytes: Buffer } {
  let setup = setups.get(template);
  if (setup === undefined) {
    const { names, segments, holes, lines } = template;
    const bytes = Buffer.from(JSON.stringify({ names, segments, holes, lines }));
    setup = { blob: { hash: hash("sha256", bytes), bytes: bytes.length }, bytes };
    setups.set(template, setup);
  }
  return setup;
}

const templateOf = ({ source }: BackendJob): PtxTemplate | undefined =>
  typeof source === "object" && "template" in source ? source.template : undefined;

/** What jobs of one parcel have in common, and about how many bytes this one has. */
export function measured(job: BackendJob): Pick<Entry, "group" | "bytes"> {
  const { source, target, timeoutMs } = job;
  const template = templateOf(job);
  const setup = template === undefined ? "" : setupOf(template).blob.hash;
  const group = `${timeoutMs} ${setup} ${JSON.stringify(givenOptions(target))}`;
  if (typeof source === "string" || source instanceof Uint8Array) return { group, bytes: source.length };
  if ("text" in source) return { group, bytes: source.text.length };
  return { group, bytes: source.stubs.reduce((sum, stub) => sum + stub.length, 0) };
}

/** The blobs that workers may ask for. */
export class Blobs {
  readonly #blobs = new Map<string, Buffer>();
  readonly #uses = new Map<string, number>();

  get(hash: string): Buffer | undefined {
    return this.#blobs.get(hash);
  }

  /** Keeps a blob at least until it is released as often. */
  keep({ hash }: Blob, bytes: Buffer): void {
    this.#blobs.delete(hash);
    this.#blobs.set(hash, bytes);
    this.#uses.set(hash, (this.#uses.get(hash) ?? 0) + 1);
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
): { readonly parcel: Parcel; readonly hashes: readonly string[] } {
  const hashes: string[] = [];
  const keep = (blob: Blob, bytes: Buffer): Blob => {
    blobs.keep(blob, bytes);
    hashes.push(blob.hash);
    return blob;
  };
  const [{ job, deaths }] = entries as [Entry];
  const template = templateOf(job);
  const setup = template === undefined ? undefined : setupOf(template);
  const jobs = entries.map(({ job: { source } }): ParcelJob => {
    if (typeof source === "object" && "template" in source) return source.stubs;
    const ptx = renderSource(source);
    const bytes =
      typeof ptx === "string" ? Buffer.from(ptx) : Buffer.from(ptx.buffer, ptx.byteOffset, ptx.length);
    if (bytes.length <= LONG) return bytes;
    return keep({ hash: hash("sha256", bytes), bytes: bytes.length }, bytes);
  });
  return {
    parcel: {
      options: givenOptions(job.target),
      timeoutMs: job.timeoutMs,
      setup: setup && keep(setup.blob, setup.bytes),
      jobs,
      deaths,
    },
    hashes,
  };
}
