// Data that JSON can express, which descriptions and states consist of.

/** A value that JSON can express. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

/** The arrays that a state may contain besides plain values. */
export type StateArray = Uint8Array | Int32Array | Uint32Array | Float64Array;

/** What has to be stored so that a part of a search can continue later: plain values, and arrays by name. */
export interface PartState {
  readonly values: { readonly [name: string]: Plain };
  readonly arrays: { readonly [name: string]: StateArray };
}
