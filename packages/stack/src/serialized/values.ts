// The contents of serialized state, as plain values: the fields of the C structs under their names.
import type { SerializedSize } from "./reader.js";

/** The limits of a compiler. */
export interface SerializedLimits {
  readonly max_ast_size: SerializedSize;
  readonly max_ast_to_visit_stack_depth: SerializedSize;
  readonly stack_size: SerializedSize;
  readonly max_frame_depth: SerializedSize;
  readonly store_size: SerializedSize;
}

/** A PTX instruction. mm-ptx 1.0 only stores its text. */
export interface SerializedInstruction {
  readonly ptx: string;
  /** Indices of argument types; the number of argument types means none. */
  readonly arg_types?: readonly number[];
  readonly ret_types?: readonly number[];
  readonly num_unique_stacks?: number;
  readonly is_aligned?: boolean;
  /** The stacks of the arguments, with the number of values that are needed from each. */
  readonly unique_stacks?: readonly (readonly [stack: number, values: number])[];
}

/** A special register. mm-ptx 1.0 only stores its text. */
export interface SerializedSpecialRegister {
  readonly ptx: string;
  readonly arg_type?: number;
}

/** The table of a compiler. */
export interface SerializedTable {
  readonly instructions: readonly SerializedInstruction[];
  readonly special_registers: readonly SerializedSpecialRegister[];
  /** The register type of each stack. */
  readonly literal_prefixes: readonly string[];
  readonly arg_types: readonly { readonly stack: SerializedSize; readonly num_vec_elems: SerializedSize }[];
}

/** The GPU, and how long programs run. */
export interface SerializedExtra {
  readonly device_capability_major: number;
  readonly device_capability_minor: number;
  readonly execution_limit: SerializedSize;
}

/** A register that inputs read and requests write. */
export interface SerializedRegister {
  readonly name: string;
  readonly stack: SerializedSize;
}

/** Everything that a compile needs, except programs. */
export interface SerializedState {
  readonly annotated_ptx: string;
  readonly compiler_info: SerializedLimits;
  readonly stack_info: SerializedTable;
  readonly extra: SerializedExtra;
  readonly registers: readonly SerializedRegister[];
  /** A list for each injection: indices of registers. */
  readonly requests: readonly (readonly SerializedSize[])[];
}

/** The value of each kind of blob. */
export interface SerializedValues {
  readonly compiler_info: SerializedLimits;
  readonly compiler_state: SerializedState;
  readonly extra: SerializedExtra;
  /** Programs as words of 8 bytes, in hex digits in the order of memory, the return included. */
  readonly instructions: readonly (readonly string[])[];
  readonly ptx: string;
  readonly registers: readonly SerializedRegister[];
  readonly requests: readonly (readonly SerializedSize[])[];
  readonly stack_info: SerializedTable;
}

/** The kind of a blob: the name of the C function that writes it, without `stack_ptx_` or `ptx_inject_` and `_serialize`. */
export type SerializedKind = keyof SerializedValues;

/** `1.0` is the layout of mm-ptx 1.0.0, `1.1` that of 1.1.1. */
export type SerializedVersion = "1.0" | "1.1";
