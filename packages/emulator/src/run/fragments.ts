// Which lane has which elements of a matrix of `wmma` (PTX ISA, Matrix Fragments for WMMA), which the manual leaves to the
// architecture. As on sm_80 and later: those of `mma`, tile by tile of eight columns; fragments that have more registers than
// the matrix needs repeat them.
import { type PtxType, TYPES } from "../program/types.js";

const LANES = 32;
/** Lanes go in groups of four, each with one row of eight. */
const GROUP = 4;
const ROWS = 8;

/** What a `wmma.load` or `wmma.store` moves. */
export interface FragmentAccess {
  readonly kind: "load" | "store";
  /** Bits of an element. */
  readonly bits: number;
  /** Elements of a register, the first in its low bits. */
  readonly elements: number;
  /** How many registers of a fragment are not copies. */
  readonly registers: number;
  /** Elements from the beginning of one row, or column where these follow one another, to the next, when nothing else is said. */
  readonly stride: number;
  /** Where an element of a register of a lane stands, in elements from the beginning of the matrix. */
  index(lane: number, register: number, element: number, stride: number): number;
}

/** What an instruction on elements of a type moves; undefined for `wmma.mma`, which moves nothing. */
export function fragmentAccess(opcode: string, type: PtxType): FragmentAccess | undefined {
  const words = opcode.split(".");
  if (words[1] === "mma") return undefined;
  const [, m = 0, n = 0, k = 0] = /\.m(\d+)n(\d+)k(\d+)/.exec(opcode)!.map(Number);
  const kind = words[1] === "load" ? "load" : "store";
  const matrix = words[2]!;
  const { bits } = TYPES[type];
  const elements = Math.max(1, 32 / bits);
  const [rows, columns] = matrix === "a" ? [m, k] : matrix === "b" ? [k, n] : [m, n];
  const byRows = words.includes("row");
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

/** From a register and the element in it to row and column. */
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
