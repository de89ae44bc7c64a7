// Operands of checked instructions, with names resolved to indices and immediates to bits.

/** A register, or a negated predicate. */
export interface RegisterOperand {
  readonly kind: "register";
  /** Index into `ProgramFunction.registers`. */
  readonly register: number;
  /** Whether it is a predicate written with `!`. */
  readonly negated: boolean;
}

/** A constant. */
export interface ImmediateOperand {
  readonly kind: "immediate";
  /** The bits of the value in the operand's type, as a non-negative number. */
  readonly bits: bigint;
}

/** A special register, such as `%tid.x`. */
export interface SpecialOperand {
  readonly kind: "special";
  /** The name without the percent sign and the component: `tid`. */
  readonly name: string;
  /** 0 for `.x` and for registers without components, up to 3 for `.w`. */
  readonly component: 0 | 1 | 2 | 3;
}

/**
 * The address of a variable plus an offset, as in `mov.u64 %rd1, table+4`, in the window of the variable's state space.
 */
export interface VariableOperand {
  readonly kind: "variable";
  readonly variable: VariableReference;
  /** Offset in bytes. */
  readonly offset: number;
}

/** The address of a function, for indirect calls. */
export interface FunctionOperand {
  readonly kind: "function";
  /** Index into `Program.functions`. */
  readonly function: number;
}

/** An address in square brackets: a base and a constant offset. */
export interface AddressOperand {
  readonly kind: "address";
  readonly base: RegisterOperand | VariableReference | ImmediateOperand;
  /** Offset in bytes; may be negative. */
  readonly offset: number;
}

/** A vector in braces: `{%f1, %f2}`. */
export interface VectorOperand {
  readonly kind: "vector";
  readonly items: readonly Operand[];
}

/** A label, resolved to the instruction that follows it. */
export interface LabelOperand {
  readonly kind: "label";
  readonly name: string;
  /** Index into `ProgramFunction.instructions`, or their number for a label at the end. */
  readonly target: number;
}

/** `_`: a result that is discarded. */
export interface SinkOperand {
  readonly kind: "sink";
}

/** A reference to a variable of the module or of the function. */
export interface VariableReference {
  readonly kind: "module-variable" | "function-variable";
  /** Index into `Program.variables` or `ProgramFunction.variables`. */
  readonly variable: number;
}

/**
 * An operand of a checked instruction. `%p1|%p2` becomes two operands; the second is a sink when the text has only one.
 */
export type Operand =
  | RegisterOperand
  | ImmediateOperand
  | SpecialOperand
  | VariableOperand
  | FunctionOperand
  | AddressOperand
  | VectorOperand
  | LabelOperand
  | SinkOperand;

/** The items of a vector, or the operand itself. */
export const itemsOf = (operand: Operand): readonly Operand[] =>
  operand.kind === "vector" ? operand.items : [operand];

/** The registers in an operand, including those of its address. */
export function registersOf(operand: Operand): readonly number[] {
  switch (operand.kind) {
    case "register":
      return [operand.register];
    case "address":
      return operand.base.kind === "register" ? [operand.base.register] : [];
    case "vector":
      return operand.items.flatMap(registersOf);
    default:
      return [];
  }
}
