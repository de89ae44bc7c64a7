// Operands of checked instructions: names are resolved to indices, immediates to bits.

/** A register, or the opposite of a predicate. */
export interface RegisterOperand {
  readonly kind: "register";
  /** Index into `ProgramFunction.registers`. */
  readonly register: number;
  /** Of a predicate written with `!`. */
  readonly negated: boolean;
}

/** A constant. */
export interface ImmediateOperand {
  readonly kind: "immediate";
  /** The bits of the value in the operand's type, not negative. */
  readonly bits: bigint;
}

/** A special register, such as `%tid.x`. */
export interface SpecialOperand {
  readonly kind: "special";
  /** Without the percent sign and the component: `tid`. */
  readonly name: string;
  /** 0 for `.x` and for registers without components, up to 3 for `.w`. */
  readonly component: 0 | 1 | 2 | 3;
}

/** The address of a variable, plus an offset: `mov.u64 %rd1, table+4`. In the window of the variable's state space. */
export interface VariableOperand {
  readonly kind: "variable";
  readonly variable: VariableReference;
  /** In bytes. */
  readonly offset: number;
}

/** The address of a function, for indirect calls. */
export interface FunctionOperand {
  readonly kind: "function";
  /** Index into `Program.functions`. */
  readonly function: number;
}

/** What stands in square brackets: a base and a constant number of bytes behind it. */
export interface AddressOperand {
  readonly kind: "address";
  readonly base: RegisterOperand | VariableReference | ImmediateOperand;
  /** In bytes; may be negative. */
  readonly offset: number;
}

/** What stands in braces: `{%f1, %f2}`. */
export interface VectorOperand {
  readonly kind: "vector";
  readonly items: readonly Operand[];
}

/** A label: the instruction behind it. */
export interface LabelOperand {
  readonly kind: "label";
  readonly name: string;
  /** Index into `ProgramFunction.instructions`; their number for a label at the end. */
  readonly target: number;
}

/** `_`: a result that nobody wants. */
export interface SinkOperand {
  readonly kind: "sink";
}

/** Which variable is meant: one of the module, or one of the function. */
export interface VariableReference {
  readonly kind: "module-variable" | "function-variable";
  /** Index into `Program.variables` or `ProgramFunction.variables`. */
  readonly variable: number;
}

/** An operand of a checked instruction. `%p1|%p2` is two operands, the second a sink where the text has one only. */
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

/** The registers in an operand, those of its address among them. */
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
