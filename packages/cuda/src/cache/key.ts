// What decides about a cubin, as one number: the PTX, the options that change machine code, and the compiler's version. Which
// backend runs that compiler makes no difference.

import { hash } from "node:crypto";
import type { PtxTemplate } from "@mm-ptx/types/core";
import type { BackendJob } from "../ptx/backend.js";
import type { Source } from "../ptx/job.js";

/** Raised when the same options come to mean something else. */
const SCHEMA = "mm-ptx cubin 1";

/** 64 hex digits. Equal texts have equal keys, as text or as bytes; a template with stubs has a key of its own. */
export function cacheKey({ source, target }: BackendJob, compilerVersion: string): string {
  const { arch, effort, maxRegisters, lineInfo, debug, fmad } = target;
  const options = [arch, effort, maxRegisters ?? 0, lineInfo, debug, fmad].join(" ");
  return hash("sha256", `${SCHEMA}\n${compilerVersion}\n${options}\n${identityOf(source)}`);
}

const templateDigests = new WeakMap<PtxTemplate, string>();

/** What differs between any two sources: a digest, and of a template's stubs the text. */
function identityOf(source: Source): string {
  if (typeof source === "string" || source instanceof Uint8Array) return hash("sha256", source);
  const { template, stubs } = source;
  let digest = templateDigests.get(template);
  if (digest === undefined) {
    const { segments, holes } = template;
    digest = hash("sha256", JSON.stringify([segments, holes]));
    templateDigests.set(template, digest);
  }
  const lengths = stubs.map((stub) => stub.length).join(" ");
  return `template ${digest}\n${lengths}\n${stubs.join("")}`;
}
