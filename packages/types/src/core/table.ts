// Instruction tables as the compilers read them: plain frozen data that can be cloned and written as JSON. References
// in a description file are resolved to indices; names are kept for display.

/** The immediate that an encoder writes for a stack's constants. */
export type ConstantType = "f32" | "s32" | "u32";

/** The minimum target and PTX ISA version that an instruction requires. */
export interface Requirement {
  readonly target?: string;
  readonly ptx?: string;
}

/** A stack of values of one PTX register type. */
export interface StackType {
  readonly name: string;
  /** The type of the `.reg` declarations and of the final `mov`, for example `f32`. */
  readonly literalPrefix: string;
  /** The type of immediates that instructions on this stack take; absent when they take none. */
  readonly constantType?: ConstantType;
  readonly encoderType?: string;
}

/** The shape of an instruction operand: a scalar or a vector of values of one stack. */
export interface ArgType {
  readonly name: string;
  /** The index of its stack in `StackTable.stackTypes`. */
  readonly stackIndex: number;
  /** 0 for a scalar; otherwise the number of elements in the braces. */
  readonly vectorElements: number;
}

/** A PTX instruction that programs call by its index. */
export interface StackInstruction {
  /** The mnemonic with its modifiers, as printed. */
  readonly ptx: string;
  /** The name, which is unique in the table. */
  readonly name: string;
  /** The types of the arguments, as indices into `StackTable.argTypes`. */
  readonly args: readonly number[];
  /** The types of the results, as indices into `StackTable.argTypes`. */
  readonly results: readonly number[];
  readonly aligned: boolean;
  readonly display?: string;
  readonly requires?: Requirement;
}

/** A special register that programs read by its index. */
export interface SpecialRegister {
  /** The name in PTX, without the leading `%`. */
  readonly ptx: string;
  /** The name, which is unique in the table. */
  readonly name: string;
  /** The index of its type in `StackTable.argTypes`. */
  readonly argType: number;
  readonly display?: string;
  readonly requires?: Requirement;
}

/** The identity of a table. */
export interface TableIdentity {
  /** A SHA-256 of the table's meaning, as 64 lower case hex digits; equal for all files with the same meaning. */
  readonly fingerprint: string;
  /**
   * The fingerprints of tables whose indices all mean the same in this table, so that programs made for them stay
   * valid.
   */
  readonly bases: readonly string[];
}

/** The content of a Stack PTX description file, checked and resolved. */
export interface StackTable extends TableIdentity {
  readonly kind: "stack";
  readonly stackTypes: readonly StackType[];
  readonly argTypes: readonly ArgType[];
  readonly instructions: readonly StackInstruction[];
  readonly specialRegisters: readonly SpecialRegister[];
}

/** A type that operands of an injection site can have. */
export interface InjectType {
  /** The type token in annotations and markers, for example `F32`. */
  readonly name: string;
  /** The type of the register declaration, for example `b16`. */
  readonly registerType: string;
  /** The type of the `mov` into and out of the register. */
  readonly movPostfix: string;
  /** The inline assembly constraint, for example `f`. */
  readonly registerChar: string;
  /** C text before the operand that reinterprets its bits; may be empty. */
  readonly registerCast: string;
}

/** The content of a PTX Inject description file, checked. */
export interface InjectTypes extends TableIdentity {
  readonly kind: "inject";
  readonly types: readonly InjectType[];
}

/** A PTX instruction of AST PTX: f32 values in, one f32 value out. */
export interface AstInstruction {
  /** The mnemonic with its modifiers, as printed. */
  readonly ptx: string;
  /** The name, which is unique in the table. */
  readonly name: string;
  /** The number of its arguments. */
  readonly args: number;
  readonly display?: string;
  readonly requires?: Requirement;
}

/** The content of an AST PTX description file, checked. */
export interface AstTable extends TableIdentity {
  readonly kind: "ast";
  readonly instructions: readonly AstInstruction[];
}
