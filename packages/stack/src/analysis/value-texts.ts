// Values as text for people: what was computed, as nested calls. Long ones are cut, so that a text has bounded length
// however large the computation is; what is told apart is told apart by number.
import type { StackTable } from "@mm-ptx/types/core";
import { CONSTANT_FORMS } from "../emit/constants.js";
import type { InputRegisters } from "../inputs.js";
import type { MachineTable } from "../machine/table.js";
import { Node, specialElement, specialOf, What } from "../nodes.js";
import type { Workspace } from "../workspace.js";

/** A value on a stack. */
export interface TraceValue {
  /** Counts values in the order in which they first appear. A copy has the number of its original, and so has every push of one input. */
  readonly id: number;
  /** `add.ftz.f32(%x, 0f3F800000)`; of several results `.0` and so on says which; `…` where a long text is cut. */
  readonly text: string;
}

const CUT = "…";

/** The values of one run. */
export class ValueTexts {
  /** Of all texts together. */
  characters = 0;
  private readonly known = new Map<number, TraceValue>();

  constructor(
    private readonly table: StackTable,
    private readonly work: Workspace,
    private readonly machine: MachineTable,
    private readonly inputs: InputRegisters,
    private readonly longest: number,
  ) {}

  /** The value of a node. Its arguments are asked for before it is, or are few. */
  of(node: number): TraceValue {
    const known = this.known.get(node);
    if (known !== undefined) return known;
    const text = this.write(node);
    const cut = text.length > this.longest ? text.slice(0, this.longest - CUT.length) + CUT : text;
    const value = Object.freeze({ id: this.known.size, text: cut });
    this.known.set(node, value);
    this.characters += cut.length;
    return value;
  }

  private write(node: number): string {
    const { nodes } = this.work;
    const what = nodes[node + Node.what]!;
    if (what >= 0) return this.call(node, what);
    if (what <= What.projection) return this.result(node, What.projection - what);
    if (what <= What.constant) return this.constant(What.constant - what, nodes[node + Node.bits]!);
    if (what <= What.input) return `%${this.inputs.names[What.input - what]}`;
    const { ptx, argType } = this.table.specialRegisters[specialOf(what)]!;
    const vector = this.table.argTypes[argType]!.vectorElements > 0;
    return vector ? `%${ptx}.${"xyzw"[specialElement(what) % Node.specialElements]}` : `%${ptx}`;
  }

  private call(node: number, instruction: number): string {
    const args: string[] = [];
    const first = node + Node.args;
    const end = first + this.machine.argCount[instruction]!;
    // What is cut anyhow need not be written.
    for (let at = first, length = 0; at < end && length <= this.longest; at++) {
      const { text } = this.of(this.work.nodes[at]!);
      args.push(text);
      length += text.length;
    }
    return `${this.table.instructions[instruction]!.ptx}(${args.join(", ")})`;
  }

  private result(node: number, call: number): string {
    const instruction = this.work.nodes[call + Node.what]!;
    const first = call + Node.args + this.machine.argCount[instruction]!;
    return `${this.call(call, instruction)}.${(node - first) / Node.words}`;
  }

  private constant(stack: number, bits: number): string {
    const digits = (bits >>> 0).toString(16).toUpperCase().padStart(8, "0");
    const form = CONSTANT_FORMS[this.machine.constants[stack]!]!;
    return form.replace(/\0+/, digits).replace(", ", "");
  }
}
