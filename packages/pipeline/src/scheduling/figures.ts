// What the compiler says about the machine code of each program of a pack.
import { inspectCubin, type JobResult } from "@mm-ptx/cuda";
import type { PackText } from "../packing/writer.js";
import type { ProgramOutcome } from "../results/result.js";

type Figures = Pick<ProgramOutcome, "registers" | "spills" | "codeBytes" | "effort">;

/** The figures of each member. */
export function figuresOf(
  { cubin, info }: JobResult & { readonly ok: true },
  { entries }: PackText,
  effort: ProgramOutcome["effort"],
): (member: number) => Figures {
  const kernels = new Map(info.kernels.map((kernel) => [kernel.name, kernel]));
  const codes = new Map(inspectCubin(cubin).kernels.map(({ name, code }) => [name, code.length]));
  const made = entries.map((entry): Figures => {
    const kernel = kernels.get(entry);
    const codeBytes = codes.get(entry);
    return {
      ...(kernel === undefined
        ? {}
        : { registers: kernel.registers, spills: kernel.spillStores + kernel.spillLoads }),
      ...(codeBytes === undefined ? {} : { codeBytes }),
      ...(effort === undefined ? {} : { effort }),
    };
  });
  return (member) => made[member] ?? made[0]!;
}
