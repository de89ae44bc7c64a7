// What a result depends on besides the program.
import { createHash } from "node:crypto";
import type { AnnotatedPtx } from "@mm-ptx/inject";
import type { ResolvedPlan } from "../launch/resolved.js";
import type { KernelPipelineOptions } from "../pipeline-options.js";
import type { Reading } from "../reading/reading.js";

/**
 * 32 hex digits of the kernel, its launch and data, the reading, the compilers, the device and the timing. Contents of the caller's own buffers are
 * not known and not included, and neither is what functions of the caller's refer to.
 */
export function fingerprintOf(
  { device, compiler, finalCompiler, finalists, timing }: KernelPipelineOptions,
  annotated: AnnotatedPtx,
  entry: string,
  plan: ResolvedPlan | undefined,
  reading: Reading,
): string {
  const compilers = [compiler, finalCompiler].map((each) => ({
    arch: each?.options?.arch,
    effort: each?.options?.effort,
    version: each?.version,
  }));
  // Figures differ between GPUs of one architecture.
  const machine = { kind: device?.kind, name: device?.name, arch: device?.arch };
  const timed = device?.kind === "cuda" ? timing : undefined;
  return digestOf({
    ...{ kernel: annotated.fingerprint, entry, plan, reading, machine, compilers, finalists },
    timing: timed,
  });
}

/** 32 hex digits of a value, which differ for different values: every part is preceded by its kind and its length. */
export function digestOf(value: unknown): string {
  const hash = createHash("sha256");
  const addText = (kind: string, text: string): void => {
    hash.update(`${kind} ${text.length} ${text}\n`);
  };
  const add = (part: unknown): void => {
    if (typeof part !== "object" || part === null)
      addText(typeof part, Object.is(part, -0) ? "-0" : String(part));
    else if (ArrayBuffer.isView(part)) {
      addText(Object.prototype.toString.call(part), String(part.byteLength));
      hash.update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    } else {
      // Devices' objects have no contents that could be compared.
      const isPlain = Array.isArray(part) || Object.getPrototypeOf(part) === Object.prototype;
      const entries = isPlain ? Object.entries(part) : [];
      addText(Array.isArray(part) ? "array" : "object", String(entries.length));
      for (const [name, each] of entries) {
        addText("name", name);
        add(each);
      }
    }
  };
  add(value);
  return hash.digest("hex").slice(0, 32);
}
