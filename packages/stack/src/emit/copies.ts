// The copies that end a stub: one `mov` from each requested value to its register. If they were simply written one
// after the other, a value would be lost whenever a copy reads a register that an earlier copy has overwritten; such
// registers are saved first.

import { Node, What } from "../nodes.js";
import { grown, ROOM } from "../room.js";
import type { Workspace } from "../workspace.js";
import { inputNode } from "./operand-texts.js";
import type { FilledRequests } from "./requests.js";

/** The registers to save before the copies. Kept between compiles. */
export class SavedRegisters {
  /** The node of each saved register, its stack, and the number of the fresh register that holds its value. */
  readonly inputs: number[] = [];
  readonly stacks: number[] = [];
  readonly numbers: number[] = [];
  /** For each copy, the index of the save that it reads instead of its source, or -1. */
  sources = new Int32Array(ROOM.entries);

  readonly #overwritten = new Set<string>();
  readonly #saves = new Map<string, number>();

  /** Finds what to save before the copies of a compile; with sequential copies, nothing is saved. */
  find(parallel: boolean, work: Workspace, filled: FilledRequests, names: readonly string[]): void {
    this.#reset(filled.count);
    if (parallel && filled.count > 1) this.#save(work, filled, names);
  }

  /** Forgets the last compile, so that no copy of the next one reads a save. */
  #reset(copies: number): void {
    if (copies > this.sources.length) this.sources = grown(this.sources, copies);
    for (let copy = 0; copy < copies; copy++) this.sources[copy] = -1;
    // Setting a length is slow and rarely necessary.
    if (this.inputs.length > 0) this.inputs.length = this.stacks.length = this.numbers.length = 0;
  }

  /**
   * Finds the copies whose source an earlier copy overwrites, and assigns each such source a fresh register.
   *
   * A copy is hazardous when its source is the destination of an earlier copy that changed it, and its own destination
   * is another register; registers are compared by name. A copy of a register to itself is never hazardous and changes
   * nothing.
   */
  #save(work: Workspace, filled: FilledRequests, names: readonly string[]): void {
    const overwritten = this.#overwritten;
    const saves = this.#saves;
    // The nodes of the caller's registers come first; most requested values are computed.
    const inputsEnd = inputNode(names.length);
    let reads = false;
    for (let copy = 0; copy < filled.count; copy++) reads ||= filled.values[copy]! < inputsEnd;
    if (!reads) return;
    overwritten.clear();
    saves.clear();
    for (let copy = 0; copy < filled.count; copy++) {
      const value = filled.values[copy]!;
      const target = names[filled.registers[copy]!]!;
      if (value < inputsEnd) {
        const source = names[What.input - work.nodes[value + Node.what]!]!;
        if (source === target) continue;
        if (overwritten.has(source)) {
          // The same name may be listed on several stacks: a save has the type of the stack for which it is read.
          const stack = filled.stacks[copy]!;
          const key = `${stack} ${source}`;
          let save = saves.get(key);
          if (save === undefined) {
            save = this.inputs.length;
            saves.set(key, save);
            this.inputs.push(value);
            this.stacks.push(stack);
            this.numbers.push(work.registerCounts[stack]!++);
          }
          this.sources[copy] = save;
        }
      }
      overwritten.add(target);
    }
  }
}
