// The words of AST PTX instructions as the space reads them in its loops; a test compares them with the encoders of @mm-ptx/ast.

/** An instruction is `type | operands << arityShift` and a payload; a program has its operands before each operator. */
export const enum AstWord {
  perInstruction = 2,
  typeMask = 0xffff,
  arityShift = 16,
  /** Payload: the number of the input. */
  input = 1,
  /** Payload: the bits. */
  constant = 2,
  /** Payload: the number of the instruction in the table. */
  instruction = 3,
  /** Payload: the number of the routine. */
  routine = 4,
  /** Payload: the number of the argument. */
  argument = 6,
}
