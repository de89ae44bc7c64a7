// What a result depends on besides the program.
import { createHash } from "node:crypto";
import type { AnnotatedPtx } from "@mm-ptx/inject";
import type { TypedArray } from "@mm-ptx/types/device";
import type { ResolvedPlan } from "../launch/resolved.js";
import type { KernelPipelineOptions } from "../pipeline-options.js";
import type { Reading } from "../reading/reading.js";

/**
 * 32 hex digits of the kernel, its launch and data, the reading, the compilers and the kind of device. Contents of the caller's own
 * buffers are not known and not included.
 */
export function fingerprintOf(
  { device, compiler, finalCompiler, finalists }: KernelPipelineOptions,
  annotated: AnnotatedPtx,
  entry: string,
  plan: ResolvedPlan | undefined,
  reading: Reading,
): string {
  const hash = createHash("sha256");
  const add = (value: unknown): void => {
    if (isArray(value)) {
      hash.update(`${value.constructor.name} ${value.length}\n`);
      hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    } else if (
      typeof value === "object" &&
      value !== null &&
      Object.getPrototypeOf(value) === Object.prototype
    ) {
      for (const [name, each] of Object.entries(value)) {
        hash.update(`${name}:`);
        add(each);
      }
    } else if (Array.isArray(value)) for (const each of value) add(each);
    else hash.update(`${typeof value} ${typeof value === "object" ? "" : String(value)}\n`);
  };
  add({ kernel: annotated.fingerprint, entry, plan, reading });
  add({ device: device?.kind, arch: device?.kind === "cuda" ? device.arch : undefined });
  for (const each of [compiler, finalCompiler])
    add({ arch: each?.options?.arch, effort: each?.options?.effort, version: each?.version });
  add(typeof finalists === "function" ? String(finalists) : finalists);
  return hash.digest("hex").slice(0, 32);
}

const isArray = (value: unknown): value is TypedArray =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);
