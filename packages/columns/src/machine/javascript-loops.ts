// Loops that apply an operation to columns, row by row.
import { NAN_32 } from "@mm-ptx/types/internal/floats";
import { nan64 } from "../arithmetic/nan.js";
import type { Evaluate, Kind, ScalarOperation, Value } from "../arithmetic/operation.js";
import { isWide, type JavaScriptLanes } from "./lanes.js";

/** Computes the column at `target` from those at `a` to `d`, which are places in bytes. */
export type ColumnLoop = (
  lanes: JavaScriptLanes,
  target: number,
  a: number,
  b: number,
  c: number,
  d: number,
  rows: number,
) => void;

/** A loop that copies bits. */
export function moveLoop(wide: boolean): ColumnLoop {
  if (wide) {
    return ({ longs }, target, a, _b, _c, _d, rows) => {
      longs.copyWithin(target >>> 3, a >>> 3, (a >>> 3) + rows);
    };
  }
  return ({ words }, target, a, _b, _c, _d, rows) => {
    words.copyWithin(target >>> 2, a >>> 2, (a >>> 2) + rows);
  };
}

/** A loop for any operation. */
export function operationLoop(operation: ScalarOperation): ColumnLoop {
  const { args, result, bits } = operation;
  const inWords = result === "i32" && bits === 32 && args.every((kind) => kind === "i32");
  return inWords ? wordLoop(operation.evaluate) : anyLoop(operation);
}

/** Words in, a word out. */
function wordLoop(evaluate: Evaluate): ColumnLoop {
  return ({ words }, target, a, b, c, d, rows) => {
    const end = (target >>> 2) + rows;
    for (let at = target >>> 2, i = a >>> 2, j = b >>> 2, k = c >>> 2, l = d >>> 2; at < end; at++) {
      words[at] = evaluate(words[i++]!, words[j++]!, words[k++]!, words[l++]!) as number;
    }
  };
}

type View = { readonly [index: number]: Value };

/** Values in the form in which operations take them. */
function viewOf(lanes: JavaScriptLanes, kind: Kind): View {
  switch (kind) {
    case "i32":
      return lanes.words;
    case "i64":
      return lanes.longs;
    case "f32":
      return lanes.floats;
    case "f64":
      return lanes.doubles;
  }
}

/** An operand that the operation does not have. */
const ABSENT: View = [0];

function anyLoop(operation: ScalarOperation): ColumnLoop {
  const { args, result, evaluate } = operation;
  const shifts = args.map((kind) => (isWide(kind) ? 3 : 2));
  const targetShift = isWide(result) ? 3 : 2;
  return (lanes, target, a, b, c, d, rows) => {
    const places = [a, b, c, d].slice(0, args.length).map((place, index) => place >>> shifts[index]!);
    const write = resultWriter(lanes, operation, places);
    const views = args.map((kind) => viewOf(lanes, kind));
    const [A = ABSENT, B = ABSENT, C = ABSENT, D = ABSENT] = views;
    const [aAt = 0, bAt = 0, cAt = 0, dAt = 0] = places;
    const [aStep, bStep, cStep, dStep] = [0, 1, 2, 3].map((index) => (index < args.length ? 1 : 0)) as [
      number,
      number,
      number,
      number,
    ];
    const at = target >>> targetShift;
    // A wide result may overwrite a narrow operand, whose lanes are closer to the start.
    const [first, step] = targetShift === 3 ? [rows - 1, -1] : [0, 1];
    for (let row = first; row >= 0 && row < rows; row += step) {
      const value = evaluate(
        A[aAt + aStep * row]!,
        B[bAt + bStep * row]!,
        C[cAt + cStep * row]!,
        D[dAt + dStep * row]!,
      );
      write(at, row, value);
    }
  };
}

/** Writes the results of an operation whose operands are at the given places, which count lanes. */
function resultWriter(
  { words, floats, longs, doubles }: JavaScriptLanes,
  { args, result, bits, signed }: ScalarOperation,
  places: readonly number[],
): (target: number, row: number, value: Value) => void {
  switch (result) {
    case "i32": {
      const shift = 32 - bits;
      return (target, row, value) => {
        const moved = (value as number) << shift;
        words[target + row] = signed ? moved >> shift : moved >>> shift;
      };
    }
    case "i64":
      return (target, row, value) => {
        longs[target + row] = value as bigint;
      };
    case "f32":
      return (target, row, value) => {
        if (Number.isNaN(value)) words[target + row] = NAN_32;
        else floats[target + row] = value as number;
      };
    case "f64": {
      const operands = places.filter((_, index) => args[index] === "f64");
      return (target, row, value) => {
        if (Number.isNaN(value)) longs[target + row] = nan64(operands.map((place) => longs[place + row]!));
        else doubles[target + row] = value as number;
      };
    }
  }
}
