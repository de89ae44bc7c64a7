// Values as readable text: what was computed, as nested calls. Long texts are cut so that their length is limited
// however large the computation is; values are told apart by number, not by text.
import type { StackTable } from "@mm-ptx/types/core";
import { CONSTANT_FORMS } from "../emit/constants.js";
import type { InputRegisters } from "../inputs.js";
import type { MachineTable } from "../machine/table.js";
import { Node, specialElement, specialOf, What } from "../nodes.js";
import type { Workspace } from "../workspace.js";

/** A value on a stack. */
export interface TraceValue {
  /**
   * A number for each distinct value, in the order in which values first appear. A copy has the number of its original,
   * and all pushes of the same input have the same number.
   */
  readonly id: number;
  /**
   * For example `add.ftz.f32(%x, 0f3F800000)`. For one of several results, `.0` and so on says which; `…` marks where a
   * long text was cut.
   */
  readonly text: string;
}

const CUT = "…";

/** The values of one run. */
export class ValueTexts {
  /** The limit for all texts together. */
  characters = 0;
  readonly #known = new Map<number, TraceValue>();

  readonly #table: StackTable;
  readonly #work: Workspace;
  readonly #machine: MachineTable;
  readonly #inputs: InputRegisters;
  readonly #longest: number;

  constructor(
    table: StackTable,
    work: Workspace,
    machine: MachineTable,
    inputs: InputRegisters,
    longest: number,
  ) {
    this.#table = table;
    this.#work = work;
    this.#machine = machine;
    this.#inputs = inputs;
    this.#longest = longest;
  }

  /** The value of a node. Its arguments have been converted before it, or they are few. */
  of(node: number): TraceValue {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const text = this.#write(node);
    const cut = text.length > this.#longest ? text.slice(0, this.#longest - CUT.length) + CUT : text;
    const value = Object.freeze({ id: this.#known.size, text: cut });
    this.#known.set(node, value);
    this.characters += cut.length;
    return value;
  }

  #write(node: number): string {
    const { nodes } = this.#work;
    const what = nodes[node + Node.what]!;
    if (what >= 0) return this.#call(node, what);
    if (what <= What.projection) return this.#result(node, What.projection - what);
    if (what <= What.constant) return this.#constant(What.constant - what, nodes[node + Node.bits]!);
    if (what <= What.input) return `%${this.#inputs.names[What.input - what]}`;
    const { ptx, argType } = this.#table.specialRegisters[specialOf(what)]!;
    const vector = this.#table.argTypes[argType]!.vectorElements > 0;
    return vector ? `%${ptx}.${"xyzw"[specialElement(what) % Node.specialElements]}` : `%${ptx}`;
  }

  #call(node: number, instruction: number): string {
    const args: string[] = [];
    const first = node + Node.args;
    const end = first + this.#machine.argCount[instruction]!;
    // Text that will be cut anyway is not written.
    for (let at = first, length = 0; at < end && length <= this.#longest; at++) {
      const { text } = this.of(this.#work.nodes[at]!);
      args.push(text);
      length += text.length;
    }
    return `${this.#table.instructions[instruction]!.ptx}(${args.join(", ")})`;
  }

  #result(node: number, call: number): string {
    const instruction = this.#work.nodes[call + Node.what]!;
    const first = call + Node.args + this.#machine.argCount[instruction]!;
    return `${this.#call(call, instruction)}.${(node - first) / Node.words}`;
  }

  #constant(stack: number, bits: number): string {
    const digits = (bits >>> 0).toString(16).toUpperCase().padStart(8, "0");
    const form = CONSTANT_FORMS[this.#machine.constants[stack]!]!;
    return form.replace(/\0+/, digits).replace(", ", "");
  }
}
