// The values of operands and initial values, as data; operands.ts reads them from tokens.
import type { Span } from "@mm-ptx/types/core";

/** A name: a register, a variable, a label, a function. */
export interface PtxName {
  readonly kind: "name";
  /** Without a component: `%tid` of `%tid.x`. */
  readonly name: string;
  /** The part after the dot: `x` of `%tid.x`. */
  readonly component: string | undefined;
  readonly span: Span;
}

/** An integer constant, or an expression of them. */
export interface PtxInteger {
  readonly kind: "integer";
  /** A value of 64 bits, signed or unsigned as PTX types it (PTX ISA, Integer Constant Expression Evaluation). */
  readonly value: bigint;
  readonly span: Span;
}

/** A floating-point constant. */
export interface PtxFloat {
  readonly kind: "float";
  /** The bits in the IEEE 754 format of `width` bits. */
  readonly bits: bigint;
  /** 32 for `0f3F800000`; 64 for `0d…` and for decimal fractions. */
  readonly width: 32 | 64;
  readonly span: Span;
}

/** A name plus a constant number of bytes: `table+8`, or in an initial value `generic(table)+8`. */
export interface PtxSum {
  readonly kind: "sum";
  readonly base: PtxName;
  readonly offset: bigint;
  /** Whether it is written with `generic()`. */
  readonly generic: boolean;
  /** For `0xFF00(name)`: the mask of the address bits. */
  readonly mask: bigint | undefined;
  readonly span: Span;
}

/** Items in braces (vector), in square brackets (address), or in the parentheses of a call (list). */
export interface PtxGroup {
  readonly kind: "vector" | "address" | "list";
  readonly items: readonly PtxValue[];
  readonly span: Span;
}

/** The value of an operand or an initial value. */
export type PtxValue =
  | PtxName
  | PtxInteger
  | PtxFloat
  | PtxSum
  | PtxGroup
  /** `_`. */
  | { readonly kind: "sink"; readonly span: Span }
  /** `!%p1`. */
  | { readonly kind: "negated"; readonly value: PtxName; readonly span: Span }
  /** `%p1|%p2`. */
  | { readonly kind: "pair"; readonly first: PtxValue; readonly second: PtxValue; readonly span: Span }
  /** A string, without its quotes. */
  | { readonly kind: "string"; readonly text: string; readonly span: Span }
  /** Anything else, with the reason why it cannot be read. */
  | { readonly kind: "unknown"; readonly message: string; readonly span: Span };

/** An instruction with the values of its operands. */
export interface PtxOperation {
  /** The span without the semicolon. */
  readonly span: Span;
  readonly guard: { readonly name: PtxName; readonly negated: boolean } | undefined;
  /** The opcode with its modifiers, without blanks: `mad.lo.s32`. */
  readonly opcode: string;
  readonly opcodeSpan: Span;
  readonly operands: readonly PtxValue[];
}
