// What all annotations with operands of the same directions and types, in the same order, have in common. There are few
// different shapes however many sites a source has, so each is computed once.
import type { InjectType } from "@mm-ptx/types/core";
import type { Direction } from "../marked/marker.js";
import { frameOf } from "./asm.js";
import { asmOrder, canonicalOrder } from "./operand.js";

/** The separator between two lines of PTX in a C string. */
const LINE_END = "\\n\\t";

interface ShapedOperand {
  readonly direction: Direction;
  readonly type: InjectType;
}

/** An asm statement with these operands, without names and expressions. Positions refer to source order. */
export interface Statement {
  /** The string's text before and after the marker. */
  readonly before: string;
  readonly after: string;
  /** For each operand in canonical order, the text before its name. */
  readonly marks: readonly string[];
  /** The positions of the operands in the order of the statement; inputs start at `firstRead`. */
  readonly listed: readonly number[];
  readonly firstRead: number;
  /** How many leading operands cannot be on their own lines. */
  readonly early: number;
}

/** Directions and types of operands in source order. All shapes are reached from the empty one. */
export class Shape {
  /** The shape without the last operand. Storing a list in each shape would take quadratic space. */
  readonly #shorter: Shape | undefined;
  readonly #last: ShapedOperand | undefined;
  readonly #longer: Partial<Record<Direction, Map<InjectType, Shape>>> = {};
  #canonical: readonly number[] | undefined;
  #statement: Statement | undefined;

  constructor(shorter?: Shape, last?: ShapedOperand) {
    this.#shorter = shorter;
    this.#last = last;
  }

  /** This shape with one more operand. */
  with(direction: Direction, type: InjectType): Shape {
    this.#longer[direction] ??= new Map();
    const shapes = this.#longer[direction];
    let longer = shapes.get(type);
    if (longer === undefined) {
      longer = new Shape(this, { direction, type });
      shapes.set(type, longer);
    }
    return longer;
  }

  /** The positions of the operands in canonical order. */
  get canonical(): readonly number[] {
    if (this.#canonical === undefined) {
      const operands = this.#operands();
      this.#canonical = places(operands, canonicalOrder(operands));
    }
    return this.#canonical;
  }

  get statement(): Statement {
    this.#statement ??= this.#describe();
    return this.#statement;
  }

  #describe(): Statement {
    const operands = this.#operands();
    const { before, marks, after } = frameOf(operands);
    // All inputs follow all outputs. If the line of an input precedes the line of an output, the statement therefore
    // begins after it.
    const lastWritten = operands.findLastIndex(({ direction }) => direction !== "in");
    return {
      before: `${before.join(LINE_END)}${LINE_END}`,
      after: `${LINE_END}// PTX_INJECT_END${LINE_END}${after.join(LINE_END)}"`,
      marks: marks.map((mark) => LINE_END + mark),
      listed: places(operands, asmOrder(operands)),
      firstRead: operands.filter(({ direction }) => direction !== "in").length,
      early: operands.findLastIndex(({ direction }, i) => direction === "in" && i < lastWritten) + 1,
    };
  }

  #operands(): readonly ShapedOperand[] {
    const operands: ShapedOperand[] = [];
    let shape: Shape = this;
    while (shape.#shorter !== undefined && shape.#last !== undefined) {
      operands.push(shape.#last);
      shape = shape.#shorter;
    }
    return operands.reverse();
  }
}

function places(operands: readonly ShapedOperand[], ordered: readonly ShapedOperand[]): readonly number[] {
  const known = new Map(operands.map((operand, place) => [operand, place]));
  return ordered.map((operand) => known.get(operand)!);
}
