// Kernels with many programs: each thread reads one register of every kind from a buffer, each program is at
// a separate site, in one of several surroundings, and writes its outputs to separate slots.

import type { Random } from "../../../packages/stack/dist/random/index.js";
import type { StackTable } from "../../../packages/types/dist/index.js";
import { edgeBits } from "./edge-values.js";

/** A register outside the programs. */
export interface KernelRegister {
  readonly name: string;
  readonly stackIndex: number;
}

/** A program's stub, and the names of the registers that it writes. */
export interface KernelProgram {
  readonly text: string;
  readonly writes: readonly KernelRegister[];
}

/** The surroundings of a stub: lines before and after it. `%n` is the number of the site. */
interface Surroundings {
  readonly before: readonly string[];
  readonly behind: readonly string[];
}

const SURROUNDINGS = {
  straight: { before: [], behind: [] },
  /** Only some lanes execute the stub. */
  branch: {
    before: ["and.b32 %word, %thread, 5;", "setp.eq.u32 %taken, %word, 0;", "@%taken bra $past%n;"],
    behind: ["$past%n:"],
  },
  /** A loop whose count depends on the lane. */
  loop: {
    before: ["and.b32 %round, %thread, 3;", "$again%n:"],
    behind: ["sub.u32 %round, %round, 1;", "setp.ge.s32 %taken, %round, 0;", "@%taken bra $again%n;"],
  },
} as const satisfies Readonly<Record<string, Surroundings>>;
export type SurroundingsName = keyof typeof SURROUNDINGS;
export const SURROUNDINGS_NAMES = Object.keys(SURROUNDINGS) as SurroundingsName[];

const SLOT_BYTES = 8;

/** Kernels over the registers of a table. */
export class ProgramKernel {
  readonly inputs: readonly KernelRegister[];
  readonly outputs: readonly KernelRegister[];
  readonly #table: StackTable;

  /** @param perStack number of registers to read of each stack, and number of registers to write */
  constructor(table: StackTable, stacks: readonly number[], perStack: number) {
    this.#table = table;
    const registers = (letter: string): KernelRegister[] =>
      stacks.flatMap((stackIndex) =>
        Array.from({ length: perStack }, (_, n) => ({ name: `${letter}${stackIndex}_${n}`, stackIndex })),
      );
    this.inputs = registers("in");
    this.outputs = registers("out");
  }

  /** A module whose kernel `programs` runs programs one after the other. */
  module(programs: readonly KernelProgram[], surroundings: SurroundingsName, target = "sm_120a"): string {
    const { before, behind } = SURROUNDINGS[surroundings];
    const lines = [
      ...[".version 9.0", `.target ${target}`, ".address_size 64"],
      ".visible .entry programs(.param .u64 inputs, .param .u64 outputs)",
      ...["{", ".reg .pred %taken;", ".reg .b32 %word, %thread, %threads, %round;"],
      ".reg .b64 %inputs, %outputs, %row, %step;",
      ...[...this.inputs, ...this.outputs].map((each) => `.reg .${this.#type(each)} %${each.name};`),
      ...["ld.param.u64 %inputs, [inputs];", "ld.param.u64 %outputs, [outputs];"],
      ...["mov.u32 %threads, %ntid.x;", "mov.u32 %thread, %ctaid.x;", "mov.u32 %word, %tid.x;"],
      "mad.lo.u32 %thread, %thread, %threads, %word;",
      ...["mov.u32 %word, %nctaid.x;", "mul.lo.u32 %threads, %threads, %word;"],
      ...[`mul.wide.u32 %step, %threads, ${SLOT_BYTES};`, `mul.wide.u32 %row, %thread, ${SLOT_BYTES};`],
      ...["add.u64 %inputs, %inputs, %row;", "add.u64 %outputs, %outputs, %row;"],
    ];
    for (const register of this.inputs) {
      lines.push(...this.#load(register), "add.u64 %inputs, %inputs, %step;");
    }
    for (const [site, { text, writes }] of programs.entries()) {
      const numbered = (line: string): string => line.replace("%n", String(site));
      for (const register of writes) lines.push(this.#clear(register));
      lines.push(...before.map(numbered), text, ...behind.map(numbered));
      for (const register of writes) {
        lines.push(...this.#store(register), "add.u64 %outputs, %outputs, %step;");
      }
    }
    return [...lines, "ret;", "}", ""].join("\n");
  }

  /** Values for all inputs, one after the other, one for each thread. */
  inputValues(threads: number, random: Random): BigUint64Array<ArrayBuffer> {
    const names = this.inputs.map(({ stackIndex }) => this.#table.stackTypes[stackIndex]!.name);
    return BigUint64Array.from(
      names.flatMap((name) => Array.from({ length: threads }, () => edgeBits(name, random))),
    );
  }

  #type({ stackIndex }: KernelRegister): string {
    return this.#table.stackTypes[stackIndex]!.literalPrefix;
  }

  /** `f32` to `b32`: loads and stores accept that type for any contents of the register. */
  #bits(register: KernelRegister): string {
    return this.#type(register).replace(/^[a-z]+/, "b");
  }

  #load(register: KernelRegister): readonly string[] {
    if (this.#type(register) !== "pred") {
      return [`ld.global.${this.#bits(register)} %${register.name}, [%inputs];`];
    }
    return ["ld.global.u32 %word, [%inputs];", `setp.ne.u32 %${register.name}, %word, 0;`];
  }

  #clear(register: KernelRegister): string {
    if (this.#type(register) === "pred") return `setp.ne.u32 %${register.name}, 0, 0;`;
    return `mov.${this.#bits(register)} %${register.name}, 0;`;
  }

  #store(register: KernelRegister): readonly string[] {
    if (this.#type(register) !== "pred") {
      return [`st.global.${this.#bits(register)} [%outputs], %${register.name};`];
    }
    return [`selp.u32 %word, 1, 0, %${register.name};`, "st.global.u32 [%outputs], %word;"];
  }
}
