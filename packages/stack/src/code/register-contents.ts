// The contents of the requested registers after the copies that end a stub.
import { inputNode } from "../emit/operand-texts.js";
import type { FilledRequests } from "../emit/requests.js";
import type { InputRegisters } from "../inputs.js";
import { Node, What } from "../nodes.js";
import { grown, ROOM } from "../room.js";
import type { Workspace } from "../workspace.js";

/** In place of a value: no copy has written the register. */
const UNWRITTEN = Node.none;

/** Follows the copies of a compile. Registers are compared by name. Kept between compiles. */
export class RegisterContents {
  /** The value that the register of each request contains: its own input if nothing has written it. */
  values = new Int32Array(ROOM.entries);
  /** Whether a copy has overwritten the value of another one. */
  overwrites = false;
  /** For each register, the first one with the same name. */
  #same = new Int32Array(0);
  /** The value in each register; of registers with the same name, only the first counts. */
  #contents = new Int32Array(0);
  #version = -1;

  /**
   * Runs the copies: in parallel, all of them read the registers as they were before; otherwise each one reads what the
   * copies before it have written.
   */
  run(work: Workspace, filled: FilledRequests, inputs: InputRegisters, parallel: boolean): void {
    if (this.#version !== inputs.version) this.#load(inputs);
    const same = this.#same;
    const contents = this.#contents;
    const inputsEnd = inputNode(inputs.count);
    let overwrites = false;
    for (let register = 0; register < contents.length; register++) contents[register] = UNWRITTEN;
    for (let copy = 0; copy < filled.count; copy++) {
      const value = filled.values[copy]!;
      const target = same[filled.registers[copy]!]!;
      const source = value < inputsEnd ? same[What.input - work.nodes[value + Node.what]!]! : -1;
      // A copy of a register to itself changes nothing.
      if (source === target) continue;
      const written = parallel || source < 0 ? UNWRITTEN : contents[source]!;
      overwrites ||= contents[target] !== UNWRITTEN;
      contents[target] = written === UNWRITTEN ? value : written;
    }
    this.overwrites = overwrites;
    const { wanted, wantedCount } = filled;
    if (wantedCount > this.values.length) this.values = grown(this.values, wantedCount);
    for (let request = 0; request < wantedCount; request++) {
      const register = wanted[request]!;
      const value = contents[same[register]!]!;
      this.values[request] = value === UNWRITTEN ? inputNode(register) : value;
    }
  }

  #load({ names, version }: InputRegisters): void {
    const firsts = new Map<string, number>();
    names.forEach((name, register) => {
      if (!firsts.has(name)) firsts.set(name, register);
    });
    this.#same = Int32Array.from(names, (name) => firsts.get(name)!);
    this.#contents = new Int32Array(names.length);
    this.#version = version;
  }
}
