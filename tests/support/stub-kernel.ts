// A kernel for stubs of any stack table: registers of every stack to read and to write, and any number of
// stubs in one module. This way a compile's fixed cost counts once, and what the PTX compiler refuses is
// traced to its stub.

import { capabilities, PtxCompiler } from "../../packages/cuda/dist/index.js";
import { register, type StackRegister } from "../../packages/stack/dist/index.js";
import type { StackTable, StackType } from "../../packages/types/dist/index.js";

/** The target of a module. */
export interface Isa {
  readonly target: string;
  readonly version: string;
}

export interface Stub {
  /** A name of the program for messages. */
  readonly what: string;
  readonly text: string;
  /**
   * Indices of the registers that the stub writes: the kernel stores them, so that nothing before is
   * eliminated.
   */
  readonly writes: readonly number[];
}

/** Numbers of registers of each stack that stubs may read, and that they may write. */
export const REGISTERS_A_STACK = 12;
/**
 * In a soak, compiles with full optimization. NVIDIA's optimizer crashes on a few long kernels whose stubs it
 * accepts one by one, so it runs in separate processes then: after a crash, the kernel is halved.
 */
const THOROUGH =
  process.env.MM_PTX_SOAK === "1" &&
  capabilities().backends.some(({ name, available }) => name === "ptxas" && available);
const HOW = THOROUGH
  ? ({ backend: "ptxas", effort: "final" } as const)
  : ({ backend: "auto", effort: "draft" } as const);
/** A limit, because long kernels are slow to compile. */
const STUBS_A_KERNEL = 100;

export class StubKernel {
  /** For every stack, first the registers to read, then those to write. */
  readonly registers: readonly StackRegister[];
  readonly #stacks: readonly StackType[];

  constructor(table: StackTable) {
    this.#stacks = table.stackTypes;
    this.registers = table.stackTypes.flatMap((_, stack) =>
      ["in", "out"].flatMap((use) =>
        Array.from({ length: REGISTERS_A_STACK }, (_, n) => register(`${use}${stack}_${n}`, stack)),
      ),
    );
  }

  /** Index of the n-th register of a stack to read; they repeat after the last one. */
  readable(stack: number, n: number): number {
    return stack * 2 * REGISTERS_A_STACK + (n % REGISTERS_A_STACK);
  }

  /** Index of the n-th register of a stack to write. */
  writable(stack: number, n: number): number {
    return (stack * 2 + 1) * REGISTERS_A_STACK + (n % REGISTERS_A_STACK);
  }

  /** The stubs that the PTX compiler refuses, each with its message. */
  async refused(stubs: readonly Stub[], isa: Isa): Promise<Map<Stub, string>> {
    const compiler = new PtxCompiler({ ...HOW, arch: isa.target, workers: 1 });
    try {
      return await this.#refused(compiler, stubs, isa);
    } finally {
      compiler.dispose();
    }
  }

  /**
   * Compiles without the stubs that messages name until it succeeds; halves the kernel if messages name none.
   */
  async #refused(compiler: PtxCompiler, stubs: readonly Stub[], isa: Isa): Promise<Map<Stub, string>> {
    const refused = new Map<Stub, string>();
    for (let left = stubs; left.length > 0; left = left.filter((stub) => !refused.has(stub))) {
      const { text, lastLines } = this.module(left, isa);
      const [result] = await compiler.compileAll([{ ptx: text }]);
      if (result!.ok) break;
      const { diagnostics, message, code } = result!.error;
      if (code === "UNSUPPORTED_VERSION") throw result!.error;
      const before = refused.size;
      for (const { severity, line = 0, message } of diagnostics) {
        const at = lastLines.findIndex((last) => line <= last);
        const named = line > 0 && at !== -1 && (severity === "error" || severity === "fatal");
        if (named && !refused.has(left[at]!)) refused.set(left[at]!, message);
      }
      if (refused.size > before) continue;
      if (left.length === 1) return refused.set(left[0]!, message);
      for (const half of [left.slice(0, left.length / 2), left.slice(left.length / 2)]) {
        for (const [stub, message] of await this.#refused(compiler, half, isa)) refused.set(stub, message);
      }
      break;
    }
    return refused;
  }

  /** The stubs in a module, and the line that each ends on. */
  module(stubs: readonly Stub[], { target, version }: Isa): { text: string; lastLines: number[] } {
    const lines = [`.version ${version}`, `.target ${target}`, ".address_size 64"];
    const lastLines: number[] = [];
    const head = this.#declarations();
    for (const [at, stub] of stubs.entries()) {
      if (at % STUBS_A_KERNEL === 0) lines.push(`${at === 0 ? "" : "ret; } "}.visible .entry k${at}${head}`);
      lines.push(...stub.text.split("\n"), ...new Set(stub.writes.map((index) => this.#store(index))));
      lastLines.push(lines.length);
    }
    return { text: [...lines, "ret; }", ""].join("\n"), lastLines };
  }

  /** Parameter, declarations and values of all registers, in one line. */
  #declarations(): string {
    const stacks = this.#stacks.map(({ literalPrefix: type }, stack) => {
      const names = ["in", "out"].map((use) => `.reg .${type} %${use}${stack}_<${REGISTERS_A_STACK}>;`);
      const values = Array.from({ length: REGISTERS_A_STACK }, (_, n) =>
        type === "pred"
          ? `ld.volatile.global.b32 %word, [%memory]; setp.ne.b32 %in${stack}_${n}, %word, 0;`
          : `ld.volatile.global.${bits(type)} %in${stack}_${n}, [%memory];`,
      );
      return [...names, ...values].join(" ");
    });
    const own = ".reg .b64 %memory; .reg .b32 %word; ld.param.u64 %memory, [memory];";
    return `(.param .u64 memory) { ${own} ${stacks.join(" ")}`;
  }

  #store(index: number): string {
    const { name, stackIndex } = this.registers[index]!;
    const type = this.#stacks[stackIndex]!.literalPrefix;
    return type === "pred"
      ? `selp.b32 %word, 1, 0, %${name}; st.volatile.global.b32 [%memory], %word;`
      : `st.volatile.global.${bits(type)} [%memory], %${name};`;
  }
}

/** `f32` to `b32`: loads and stores accept that type for any contents of the register. */
function bits(type: string): string {
  return type.replace(/^[a-z]+/, "b");
}
