// What results of two compilers are compared by.

import type { JobResult } from "@mm-ptx/cuda";

const untimed = (log: string): string => log.replace(/[\d.]+ ms/g, "0 ms");

/** What does not depend on who compiled, and when. */
export function plain(result: JobResult): object {
  if (!result.ok) {
    const { code, message, diagnostics, log, hint } = result.error;
    return { index: result.index, code, message, diagnostics, log: untimed(log), hint };
  }
  const { index, arch, cubin, kernels, info, source, modules } = result;
  const { milliseconds: _, farm: __, log, ...others } = info;
  return {
    index,
    arch,
    cubin: Buffer.from(cubin).toString("hex"),
    kernels,
    info: { ...others, log: untimed(log) },
    source,
    modules: modules.length,
  };
}
