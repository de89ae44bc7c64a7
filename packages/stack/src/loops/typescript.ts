// The loops in TypeScript, for engines and pages that do not allow WebAssembly, and for programs too large for its
// memory.
import type { TextTable } from "../emit/text-table.js";
import type { MachineInputs, MachineTable } from "../machine/table.js";
import type { Workspace } from "../workspace.js";
import type { Loops, Progress } from "./loops.js";
import { printCommon } from "./print.js";
import { runCommon } from "./run.js";
import { walkCommon } from "./walk.js";

export class TypeScriptLoops implements Loops {
  readonly #work: Workspace;
  readonly #machine: MachineTable;
  readonly #text: TextTable;
  readonly #inputs: MachineInputs;

  constructor(work: Workspace, machine: MachineTable, text: TextTable, inputs: MachineInputs) {
    this.#work = work;
    this.#machine = machine;
    this.#text = text;
    this.#inputs = inputs;
  }

  begin(): void {}

  run(words: Uint32Array, start: number, end: number): number {
    return runCommon(this.#work, this.#machine, words, start, end, this.#inputs);
  }

  walk(): void {
    walkCommon(this.#work, this.#machine);
  }

  print(view: DataView, endLine: number, progress: Progress): void {
    const { mnemonics } = this.#text;
    printCommon(this.#work, view, this.#machine.shape, mnemonics.words, mnemonics.lengths, endLine, progress);
  }
}
