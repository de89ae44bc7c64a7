// Machine code of stubs in a kernel: what the assembler of @mm-ptx/cuda makes of them, as its disassembler prints it.
import type { SiteOperand } from "@mm-ptx/types/core";
import { SearchError } from "../../error.js";

/** The code of a kernel with one stub. */
export interface StubMachineCode {
  /** How many instructions it has more than the kernel with the empty stub, and how many of them use the unit for special functions. */
  readonly instructions: number;
  readonly special: number;
  /** All instructions up to the end of the kernel. */
  readonly listing: readonly string[];
}

/** Compiles and disassembles stubs for one architecture. */
export interface MachineCode {
  /** What was used, for example `ptxas 13.0, nvdisasm 13.2`. */
  readonly tools: string;
  /**
   * The code of each stub in the only site of a kernel.
   * @throws SearchError EVALUATOR_FAILED
   */
  count(kernel: string, stubs: readonly string[], empty: string): Promise<StubMachineCode[]>;
  /** The operands of the only site of a kernel. */
  operands(kernel: string): readonly SiteOperand[];
}

/** Why machine code can't be counted, for users. */
export interface NoMachineCode {
  readonly missing: string;
}

const ARCHITECTURE = "sm_90";
const SPECIAL = /\bMUFU\b/;

/** Finds the compiler and the disassembler, which are optional. Never throws because one of them is missing. */
export async function findMachineCode(): Promise<MachineCode | NoMachineCode> {
  const found = await Promise.all([import("@mm-ptx/cuda"), import("@mm-ptx/inject")]).catch(() => undefined);
  if (found === undefined)
    return { missing: "@mm-ptx/pipeline is not installed: npm install @mm-ptx/pipeline" };
  const [cuda, inject] = found;
  if (!cuda.capabilities().backends.some(({ available }) => available)) {
    return { missing: "there is no PTX compiler: `mm-ptx-cuda doctor` says what to install" };
  }
  const disassemble = async (text: string | { toString(): string }) => {
    await using compiler = new cuda.PtxCompiler({ arch: ARCHITECTURE, workers: 1 });
    const { cubin } = await compiler.compile(text.toString());
    return await cuda.disassembleSass(cubin);
  };
  try {
    const { tool } = await disassemble(
      `.version 7.8\n.target ${ARCHITECTURE}\n.address_size 64\n.entry k() { ret; }`,
    );
    return {
      tools: `${ARCHITECTURE}, ${tool.name} ${tool.version}`,
      operands: (kernel) => inject.parsePtx(kernel).injections[0]!.operands,
      count: async (kernel, stubs, empty) => {
        const annotated = inject.parsePtx(kernel);
        const { name } = annotated.injections[0]!;
        const pack = inject.pack(
          annotated,
          [empty, ...stubs].map((stub) => ({ [name]: stub })),
        );
        const { functions } = await disassemble(pack);
        const listings = new Map<number, string[]>();
        for (const each of functions) {
          const variant = pack.unpack(each.name)?.variant;
          if (variant !== undefined)
            listings.set(variant, withoutPadding(each.instructions.map(({ text }) => text)));
        }
        const first = listings.get(0)!;
        const special = first.filter((text) => SPECIAL.test(text)).length;
        return stubs.map((_, index) => {
          const listing = listings.get(index + 1)!;
          return {
            instructions: listing.length - first.length,
            special: listing.filter((text) => SPECIAL.test(text)).length - special,
            listing,
          };
        });
      },
    };
  } catch (error) {
    if (error instanceof cuda.CubinError && error.code === "UNAVAILABLE") {
      return {
        missing: "there is no nvdisasm: install a CUDA toolkit or `pip install nvidia-cuda-nvdisasm`",
      };
    }
    throw new SearchError("EVALUATOR_FAILED", `machine code can't be counted: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The instructions up to the last `EXIT`; the rest is a loop that nothing reaches, and padding. */
function withoutPadding(texts: readonly string[]): string[] {
  const last = texts.findLastIndex((text) => /\bEXIT$/.test(text));
  return texts.slice(0, last + 1);
}
