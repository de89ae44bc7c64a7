// The size of the machine code of each injection, without a disassembler.
import { checkFilledKernel, type FilledKernel } from "@mm-ptx/types/core";
import { bytesWithoutPadding } from "./padding.js";
import { codeRanges } from "./ranges.js";
import { type MachineCodeSource, readSource } from "./source.js";

/**
 * The bytes of machine code of each injection at all of its sites, such as the alternatives of `expandSites`: a cheap measure of cost,
 * which needs no disassembler. An instruction has 16 bytes. The code of an injection without instructions, or one that was optimized
 * away, has 0.
 *
 * @param source compiled with `lineInfo: true`
 * @param filled the filled kernel that was compiled
 * @throws PipelineError INVALID_ARGUMENT: a source is wrong, or has no lines
 * @throws CubinError INVALID_CUBIN
 * @throws FilledKernelError INVALID_ARGUMENT
 */
export function codeBytesOfSites(
  source: MachineCodeSource,
  filled: FilledKernel,
): ReadonlyMap<string, number> {
  const { inspection } = readSource(source, checkFilledKernel(filled));
  const bytes = new Map(filled.template.names.map((name) => [name, 0]));
  const seen = new Set<string>();
  for (const { section, ptxLines } of [...inspection.kernels, ...inspection.functions]) {
    if (seen.has(section)) continue;
    seen.add(section);
    const code = inspection.sections.find(({ name }) => name === section)!.bytes;
    for (const { start, end, stub } of codeRanges(ptxLines, filled, bytesWithoutPadding(code)))
      if (stub !== undefined) bytes.set(stub.injection, bytes.get(stub.injection)! + end - start);
  }
  return bytes;
}
