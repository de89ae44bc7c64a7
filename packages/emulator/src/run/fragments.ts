// How the elements of a `wmma` matrix are distributed over lanes (PTX ISA, Matrix Fragments for WMMA). The manual
// leaves this to the architecture; this follows sm_80 and later, where the layout is that of `mma`, tile by tile of
// eight columns, and fragments with more registers than the matrix needs contain copies.
import type { Operation } from "../program/operation.js";
import { TYPES } from "../program/types.js";

const LANES = 32;
/** Lanes form groups of four, each of which holds one row of eight. */
const GROUP = 4;
const ROWS = 8;

/** The memory access of a `wmma.load` or `wmma.store`. */
export interface FragmentAccess {
  readonly kind: "load" | "store";
  /** Bits per element. */
  readonly bits: number;
  /** Elements per register; the first is in the low bits. */
  readonly elements: number;
  /** The number of registers of a fragment that are not copies. */
  readonly registers: number;
  /**
   * The default distance, in elements, from the start of one row (or column, if columns are contiguous) to the next.
   */
  readonly stride: number;
  /** The offset of an element from the start of the matrix, in elements. */
  index(lane: number, register: number, element: number, stride: number): number;
}

/** The access of an instruction; undefined for `wmma.mma`, which does not access memory. */
export function fragmentAccess({
  words,
  types,
  shape,
}: Pick<Operation, "words" | "types" | "shape">): FragmentAccess | undefined {
  if (words.has("mma") || shape === undefined) return undefined;
  const { m, n, k } = shape;
  const kind = words.has("load") ? "load" : "store";
  const matrix = ["a", "b"].find((word) => words.has(word));
  const { bits } = TYPES[types[0]!];
  const elements = Math.max(1, 32 / bits);
  const [rows, columns] = matrix === "a" ? [m, k] : matrix === "b" ? [k, n] : [m, n];
  const byRows = words.has("row");
  const locate = matrix === "a" ? inLeft : matrix === "b" ? inRight : inSum;
  return {
    kind,
    bits,
    elements,
    registers: Math.ceil((rows * columns) / (LANES * elements)),
    stride: byRows ? columns : rows,
    index: (lane, register, element, stride) => {
      const [row, column] = locate({ m, k, elements }, lane, register, element);
      return byRows ? row * stride + column : column * stride + row;
    },
  };
}

/** Maps a register and an element in it to a row and a column. */
type LocateElement = (
  shape: { readonly m: number; readonly k: number; readonly elements: number },
  lane: number,
  register: number,
  element: number,
) => readonly [row: number, column: number];

const inLeft: LocateElement = ({ m, elements }, lane, register, element) => {
  const halves = m / ROWS;
  const first = Math.floor(register / halves) * GROUP * elements;
  return [(lane >> 2) + ROWS * (register % halves), first + (lane % GROUP) * elements + element];
};

const inRight: LocateElement = ({ k, elements }, lane, register, element) => {
  const perTile = k / (GROUP * elements);
  const first = (register % perTile) * GROUP * elements;
  return [first + (lane % GROUP) * elements + element, (lane >> 2) + ROWS * Math.floor(register / perTile)];
};

const inSum: LocateElement = ({ m, elements }, lane, register, element) => {
  const number = register * elements + element;
  const perTile = (2 * m) / ROWS;
  const within = number % perTile;
  return [
    (lane >> 2) + ROWS * (within >> 1),
    ROWS * Math.floor(number / perTile) + (lane % GROUP) * 2 + (within % 2),
  ];
};
