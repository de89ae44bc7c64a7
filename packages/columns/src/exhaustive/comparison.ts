// The columns of a block of inputs, and their comparison: in WebAssembly, or in JavaScript where that is not allowed.
import { compilesWebAssembly } from "@mm-ptx/types/internal";
import { instantiate } from "../machine/instance.js";
import { MODULE } from "../wasm/exhaustive.js";
import { absoluteError, ulpError } from "./errors.js";

/** Inputs of a block. */
export const BLOCK = 16384;

/** The largest error that does not count as a mismatch. */
export interface Limit {
  readonly inUlp: boolean;
  readonly most: number;
}

/** A block of consecutive inputs, and the columns that are compared. */
export interface Comparison {
  readonly floats: Float32Array;
  /** The same inputs as f64, if the reference takes them. */
  readonly doubles: Float64Array;
  readonly outputs: Float32Array;
  /** The values that the reference expects; only one of the two is used. */
  readonly expectedFloats: Float32Array;
  readonly expectedDoubles: Float64Array;
  /** Writes consecutive inputs, the first with the given bits. */
  fill(first: number, rows: number, withDoubles: boolean): void;
  /**
   * Compares rows.
   * @param largest the largest error up to now
   * @returns the number of mismatches, and the row of the largest error if that is larger, or -1
   */
  compare(rows: number, isDouble: boolean, limit: Limit, largest: number): Compared;
}

export interface Compared {
  readonly mismatches: number;
  readonly worstRow: number;
}

interface Exports {
  readonly firstFree: WebAssembly.Global<"i32">;
  fill(floats: number, doubles: number, first: number, rows: number): void;
  compare(
    outputs: number,
    expected: number,
    isDouble: boolean,
    rows: number,
    inUlp: boolean,
    limit: number,
    largest: number,
  ): number;
  worstRow(): number;
}

type Columns = Omit<Comparison, "fill" | "compare">;

const PAGE_BYTES = 65536;
/** 4 bytes for each f32, 8 for each f64, and a page for the module. */
const PAGES = (BLOCK * 28) / PAGE_BYTES + 1;

function columnsIn(buffer: ArrayBuffer, start: number): Columns {
  return {
    floats: new Float32Array(buffer, start, BLOCK),
    outputs: new Float32Array(buffer, start + 4 * BLOCK, BLOCK),
    expectedFloats: new Float32Array(buffer, start + 8 * BLOCK, BLOCK),
    expectedDoubles: new Float64Array(buffer, start + 12 * BLOCK, BLOCK),
    doubles: new Float64Array(buffer, start + 20 * BLOCK, BLOCK),
  };
}

/** Makes a comparison in WebAssembly if that is wanted and allowed, in JavaScript otherwise. */
export function makeComparison(webAssembly: boolean): Comparison {
  const memory =
    webAssembly && compilesWebAssembly() ? new WebAssembly.Memory({ initial: PAGES }) : undefined;
  const exports = memory === undefined ? undefined : instantiate(MODULE, { env: { memory } });
  if (memory === undefined || exports === undefined) return javaScriptComparison();
  return webAssemblyComparison(memory.buffer, exports as unknown as Exports);
}

function webAssemblyComparison(buffer: ArrayBuffer, exports: Exports): Comparison {
  const columns = columnsIn(buffer, Math.ceil(exports.firstFree.value / 16) * 16);
  const { floats, doubles, outputs, expectedFloats, expectedDoubles } = columns;
  return {
    ...columns,
    fill(first, rows, withDoubles) {
      exports.fill(floats.byteOffset, withDoubles ? doubles.byteOffset : 0, first, rows);
    },
    compare(rows, isDouble, { inUlp, most }, largest) {
      const expected = isDouble ? expectedDoubles.byteOffset : expectedFloats.byteOffset;
      const mismatches = exports.compare(outputs.byteOffset, expected, isDouble, rows, inUlp, most, largest);
      return { mismatches: mismatches >>> 0, worstRow: exports.worstRow() };
    },
  };
}

function javaScriptComparison(): Comparison {
  const columns = columnsIn(new ArrayBuffer(BLOCK * 28), 0);
  const { floats, doubles, outputs, expectedFloats, expectedDoubles } = columns;
  const bits = new Uint32Array(floats.buffer, floats.byteOffset, BLOCK);
  return {
    ...columns,
    fill(first, rows, withDoubles) {
      for (let row = 0; row < rows; row++) {
        bits[row] = first + row;
        if (withDoubles) doubles[row] = floats[row]!;
      }
    },
    compare(rows, isDouble, { inUlp, most }, largest) {
      const errorOf = inUlp ? ulpError : absoluteError;
      const expected = isDouble ? expectedDoubles : expectedFloats;
      let mismatches = 0;
      let worst = largest;
      let worstRow = -1;
      for (let row = 0; row < rows; row++) {
        const error = errorOf(outputs[row]!, expected[row]!);
        if (error > most) mismatches++;
        if (error > worst) {
          worst = error;
          worstRow = row;
        }
      }
      return { mismatches, worstRow };
    },
  };
}
