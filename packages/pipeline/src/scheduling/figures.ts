// What the compiler says about the machine code of each program of a pack.
import { CubinError, type JobResult, readCubin } from "@mm-ptx/cuda";
import { isFilledKernel } from "@mm-ptx/types/internal";
import { codeBytesOfSites } from "../cost/code-bytes.js";
import type { PackText } from "../packing/writer.js";
import type { ProgramOutcome } from "../results/result.js";

type Figures = Pick<ProgramOutcome, "status" | "registers" | "spills" | "codeBytes" | "siteBytes" | "effort">;

/** The figures of each member. @param hasLines whether it was compiled with `lineInfo` */
export function figuresOf(
  { cubin, info }: JobResult & { readonly ok: true },
  { entries, source, injectionsOf }: PackText,
  effort: ProgramOutcome["effort"],
  hasLines: boolean,
): (member: number) => Figures {
  const kernels = new Map(info.kernels.map((kernel) => [kernel.name, kernel]));
  const codes = codeBytesOf(cubin);
  const made = entries.map((entry): Figures => {
    const kernel = kernels.get(entry);
    const codeBytes = codes.get(entry);
    return {
      status: "ok",
      ...(kernel === undefined
        ? {}
        : { registers: kernel.registers, spills: kernel.spillStores + kernel.spillLoads }),
      ...(codeBytes === undefined ? {} : { codeBytes }),
      ...(effort === undefined ? {} : { effort }),
    };
  });
  const figures = (member: number): Figures => made[member] ?? made[0]!;
  if (!hasLines || codes.size === 0 || !isFilledKernel(source)) return figures;
  const bytes = codeBytesOfSites(cubin, source);
  return (member) => {
    const siteBytes = injectionsOf(member).reduce((sum, name) => sum + bytes.get(name)!, 0);
    return { ...figures(member), siteBytes };
  };
}

const CODE = ".text.";

/** The size of each kernel's code; none for a cubin that is damaged, which is refused when it is loaded. */
function codeBytesOf(cubin: Uint8Array): ReadonlyMap<string, number> {
  try {
    const code = readCubin(cubin).sections.filter(({ name }) => name.startsWith(CODE));
    return new Map(code.map(({ name, size }) => [name.slice(CODE.length), size]));
  } catch (error) {
    if (error instanceof CubinError) return new Map();
    throw error;
  }
}
