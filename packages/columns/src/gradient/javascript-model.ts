// Evaluates a code with other constants, together with sums of products of its derivatives, in JavaScript: what
// assembly/gradient-model.ts and assembly/gradient-sums.ts compute, with the same bits.
import type { CodeType } from "@mm-ptx/types/internal";
import { isFinite64, at as numberAt, put as setNumber } from "../fit/problem.js";
import { pairsOf } from "../fit/squares.js";
import { JavaScriptLoss } from "../machine/javascript-losses.js";
import type { Place, PlannedCode } from "../machine/javascript-planner.js";
import type { JavaScriptLanes } from "../machine/lanes.js";
import type { Task } from "../machine/machine.js";
import { centeredTarget, columnsOf, rootWeightsOf } from "./common.js";
import type { Item } from "./items.js";
import { addTerms, type BlockValue } from "./javascript-reverse.js";
import { ErrorKind } from "./layout.js";

/** The machine that runs planned codes on blocks of rows. */
export interface BlockHost {
  readonly blockRows: number;
  readonly lanes: JavaScriptLanes;
  /** Makes room for a code, and writes its constants. */
  load(task: Task, planned: PlannedCode): void;
  runBlock(task: Task, planned: PlannedCode, from: number, count: number): void;
  address(planned: PlannedCode, place: Place): number;
}

/** A code that is evaluated with different constants. */
export interface Model {
  /** The number of evaluations, and the loss of the first one. */
  readonly evaluations: number;
  readonly firstLoss: number;
  /** Starts over. Only pairs of columns whose first one is at least `firstRow` are summed. */
  begin(firstRow: number): void;
  /** See `evaluate` in ../fit/problem.ts. */
  evaluate(from: number, sums: number, limit: number): number;
}

const LANES = 4;

/**
 * @param needed for each value, whether derivatives with respect to it are needed
 * @param parameters the items of the constants that change
 */
export function makeModel(
  host: BlockHost,
  task: Task,
  planned: PlannedCode,
  items: readonly Item[],
  needed: readonly boolean[],
  parameters: readonly number[],
  errors: ErrorKind,
  type: number,
): Model {
  const { rows } = task;
  const data = task.loss!;
  const loss = new JavaScriptLoss(data, rows, host.blockRows);
  const output = planned.outputs[data.output]!;
  const roots = rootWeightsOf(data);
  const centered = errors === ErrorKind.scaled ? centeredTarget(data) : undefined;
  const target = data.target as Float64Array;
  const columns = columnsOf(errors, parameters.length);
  const count = parameters.length;
  let firstRow = 0;
  let evaluations = 0;
  let firstLoss = Number.NaN;
  const lanes = new Float64Array(LANES * pairsOf(columns));
  const indexOf = (row: number, column: number): number => LANES * (pairsOf(row) + column);
  const joined = (index: number): number =>
    lanes[index]! + lanes[index + 1]! + (lanes[index + 2]! + lanes[index + 3]!);

  const blockValue = (index: number, rowCount: number): BlockValue => {
    const address = host.address(planned, planned.places[index]!) / 4;
    const { floats, words } = host.lanes;
    return {
      floats: floats.subarray(address, address + rowCount),
      words: words.subarray(address, address + rowCount),
    };
  };

  /** The errors of a block, whose squares are added. */
  const errorsOf = (outputs: Float32Array, from: number): Float32Array => {
    const sum = indexOf(count, count);
    return outputs.map((value, row) => {
      let error = value - target[from + row]!;
      if (errors === ErrorKind.absolute) error = Math.sign(error);
      if (roots !== undefined) error *= roots[from + row]!;
      const lane = sum + ((from + row) % LANES);
      lanes[lane] = lanes[lane]! + error * error;
      return error;
    });
  };

  /** The derivatives of the output with respect to all values that need it. */
  const derivativesOf = (from: number, rowCount: number): (Float32Array | undefined)[] => {
    const found: (Float32Array | undefined)[] = items.map(() => undefined);
    if (needed[output.value]) {
      found[output.value] =
        roots === undefined ? new Float32Array(rowCount).fill(1) : roots.subarray(from, from + rowCount);
    }
    for (let index = output.value; index >= 0; index--) {
      const g = found[index];
      const { rule, operands, constant } = items[index]!;
      if (g === undefined || constant !== undefined) continue;
      const values = operands.map((operand) => blockValue(operand, rowCount));
      addTerms(rule, g, blockValue(index, rowCount).floats, values, (operand, term) => {
        const value = operands[operand]!;
        if (!items[value]!.isActive) return;
        const sum = found[value];
        found[value] = Float32Array.from({ length: rowCount }, (_, row) =>
          sum === undefined ? term(row) : sum[row]! + term(row),
        );
      });
    }
    return found;
  };

  const addProducts = (all: readonly Float32Array[], from: number): void => {
    const isDone = errors !== ErrorKind.scaled;
    for (let row = firstRow; row < columns; row++) {
      const last = isDone && row + 1 === columns ? row : row + 1;
      const a = all[row]!;
      for (let column = 0; column < last; column++) {
        const b = all[column]!;
        const sum = indexOf(row, column);
        for (let at = 0; at < a.length; at++) {
          const lane = sum + ((from + at) % LANES);
          lanes[lane] = lanes[lane]! + a[at]! * b[at]!;
        }
      }
    }
  };

  return {
    get evaluations() {
      return evaluations;
    },
    get firstLoss() {
      return firstLoss;
    },
    begin(first) {
      firstRow = first;
      evaluations = 0;
    },
    evaluate(numbers, sums, limit) {
      evaluations++;
      host.load(task, planned);
      parameters.forEach((item, k) => {
        blockValue(item, host.blockRows).floats.fill(numberAt(numbers + k));
      });
      lanes.fill(0);
      loss.begin(type as CodeType, undefined);
      for (let from = 0; from < rows; from += host.blockRows) {
        const rowCount = Math.min(host.blockRows, rows - from);
        host.runBlock(task, planned, from, rowCount);
        const outputs = blockValue(output.value, rowCount).floats;
        let compared = outputs;
        if (sums >= 0 && errors !== ErrorKind.scaled) {
          compared = errorsOf(outputs, from);
          if (joined(indexOf(count, count)) > limit) return Number.POSITIVE_INFINITY;
        } else if (sums >= 0 && roots !== undefined) {
          compared = outputs.map((value, row) => value * roots[from + row]!);
        }
        loss.add(host.lanes, host.address(planned, output.place), from, rowCount);
        if (sums < 0) continue;
        const derivatives = derivativesOf(from, rowCount);
        const all = [...parameters.map((item) => derivatives[item]!), compared];
        if (centered !== undefined) {
          all.push(centered.subarray(from, from + rowCount));
          all.push(roots?.subarray(from, from + rowCount) ?? new Float32Array(rowCount).fill(1));
        }
        addProducts(all, from);
      }
      const result = {
        status: new Uint8Array(1),
        loss: new Float64Array(1),
        scale: new Float64Array(1),
        offset: new Float64Array(1),
        cases: undefined,
        outputs: undefined,
      };
      loss.end(0, result);
      for (let row = firstRow, to = sums; sums >= 0 && row < columns; row++) {
        for (let column = 0; column <= row; column++) setNumber(to++, joined(indexOf(row, column)));
      }
      const [found = Number.NaN] = result.loss;
      if (evaluations === 1) firstLoss = found;
      return isFinite64(found) ? found : Number.NaN;
    },
  };
}
