// The parameters of a kernel, as PTX and cubins state them and launches check them.

/**
 * A parameter of a kernel (PTX ISA, Kernel Function Parameters). If it was read from a cubin, only `offset` and `bytes`
 * are known.
 */
export interface KernelParameter {
  /** The name in the PTX. */
  readonly name?: string;
  /** The PTX type of one element without its dot, for example `u64`; structs are arrays of `b8`. */
  readonly type?: string;
  /** The number of elements of an array; absent for a single value. */
  readonly length?: number;
  /** The offset in bytes from the beginning of the parameter block. */
  readonly offset: number;
  /** The size of the whole parameter, in bytes; references such as `texref` are handles of 8 bytes. */
  readonly bytes: number;
  /** The alignment in bytes. */
  readonly align?: number;
  /** The memory that the parameter points to, according to `.ptr`. */
  readonly pointer?: { readonly space?: string; readonly align?: number };
}

/** A kernel with its name and its parameters. */
export interface KernelSignature {
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
}
