// Plans a code in JavaScript, as assembly/planner.ts does in WebAssembly: the same words are rejected for the same reasons. Operations
// flush subnormals and write the NaNs of PTX themselves.
import { codeType, operandsOf } from "@mm-ptx/types/code";
import { CodeName, CodeWord, OperationField } from "@mm-ptx/types/internal";
import { flushLoop } from "./float-loops.js";
import type { ColumnLoop } from "./javascript-loops.js";
import type { LaneClass } from "./lanes.js";
import { Outcome } from "./layout.js";
import type { InputColumn } from "./machine.js";
import type { Refusal } from "./problems.js";

/** An operation on columns. */
export interface PlannedKernel {
  readonly args: readonly LaneClass[];
  readonly result: LaneClass;
  readonly run: ColumnLoop;
  /** Whether subnormal operands and results count as zeros. Such a kernel leaves it to the planner to flush operands. */
  readonly flushes: boolean;
}

/** Where a value is: in a slot of the block, or in an input. */
export interface Place {
  readonly kind: "slot" | "input";
  readonly index: number;
  readonly lane: LaneClass;
}

/** An operation on columns whose target is a slot. */
export interface PlannedStep {
  readonly kernel: PlannedKernel;
  readonly target: number;
  readonly operands: readonly Place[];
}

export interface PlannedCode {
  readonly slots: number;
  /** The slots that hold constants, with their bits; narrow constants have a single word. */
  readonly constants: readonly {
    readonly slot: number;
    readonly low: number;
    readonly high: number | undefined;
  }[];
  readonly steps: readonly PlannedStep[];
  /** The places of all values, as long as they are needed. */
  readonly places: readonly Place[];
  readonly outputs: readonly {
    readonly place: Place;
    readonly type: number;
    readonly value: number;
  }[];
}

const TYPED = OperationField.nameMask | (OperationField.typeMask << OperationField.typeShift);
const PREDICATE = codeType("pred");
const MOST_TYPE = 25;
const WIDE = new Set(["b64", "u64", "s64", "f64", "f32x2"].map(codeType));

const laneOf = (type: number): LaneClass => (type === PREDICATE ? "pred" : WIDE.has(type) ? "64" : "32");

const FLUSH: PlannedKernel = { args: ["32"], result: "32", run: flushLoop, flushes: true };
const EXPONENT = 0x7f800000;
const FRACTION = 0x7fffff;

/**
 * Plans a code, or says why it cannot be planned. `kernelOf` returns the kernel of an operation, if there is one.
 * @param keep whether every value has a slot of its own
 */
export function planCode(
  code: Uint32Array,
  inputs: readonly InputColumn[],
  hasSubnormals: (input: InputColumn) => boolean,
  kernelOf: (word: number) => PlannedKernel | undefined,
  keep = false,
): PlannedCode | Refusal {
  const refuse = (outcome: Outcome, item: number, word: number): Refusal => ({ outcome, item, word });
  if (code.length < CodeWord.header) return refuse(Outcome.tooFewWords, 0, 0);
  if (code[0] !== CodeWord.magic) return refuse(Outcome.notACode, 0, code[0]!);
  const itemCount = code[CodeWord.itemCount]!;
  const arity = code[CodeWord.arity]!;
  const inputCount = arity & CodeWord.inputMask;
  const outputCount = arity >>> CodeWord.outputShift;
  if (inputCount > inputs.length) return refuse(Outcome.missingColumns, itemCount, inputCount);
  let at: number = CodeWord.header;
  if (itemCount * 2 + outputCount > code.length - at)
    return refuse(Outcome.tooFewWords, itemCount, itemCount);
  const end = code.length - outputCount;
  const places: Place[] = [];
  /** Whether a value may be a subnormal f32. */
  const dirty: boolean[] = [];
  const constants: { slot: number; low: number; high: number | undefined }[] = [];
  const drafts: { kernel: PlannedKernel; value: number; operands: number[] }[] = [];
  const lastUse = new Int32Array(itemCount);
  let slots = 0;
  for (let item = 0; item < itemCount; item++) {
    if (at + 2 > end) return refuse(Outcome.tooFewWords, item, 0);
    const word = code[at]!;
    const name = word & OperationField.nameMask;
    if (name <= CodeName.constant) {
      const type = (word >>> OperationField.typeShift) & OperationField.typeMask;
      if ((word & ~TYPED) !== 0 || name === 0 || type === 0 || type > MOST_TYPE) {
        return refuse(Outcome.unknownOperation, item, word);
      }
      const lane = laneOf(type);
      const low = code[at + 1]!;
      if (name === CodeName.input) {
        if (low >= inputCount) return refuse(Outcome.badInput, item, low);
        if (((inputs[low]!.types >>> type) & 1) === 0) return refuse(Outcome.wrongInputType, item, word);
        places.push({ kind: "input", index: low, lane });
        dirty.push(hasSubnormals(inputs[low]!));
        at += 2;
      } else {
        if (lane === "pred" && low > 1) return refuse(Outcome.badOperand, item, low);
        constants.push({ slot: slots, low, high: lane === "64" ? (code[at + 2] ?? 0) : undefined });
        places.push({ kind: "slot", index: slots++, lane });
        dirty.push((low & EXPONENT) === 0 && (low & FRACTION) !== 0);
        at += lane === "64" ? 3 : 2;
      }
      continue;
    }
    const kernel = kernelOf(word);
    if (kernel === undefined) return refuse(Outcome.unknownOperation, item, word);
    const count = operandsOf(word);
    if (at + 1 + count > end) return refuse(Outcome.tooFewWords, item, word);
    const operands: number[] = [];
    for (let operand = 0; operand < count; operand++) {
      const index = code[at + 1 + operand]!;
      if (index >= item) return refuse(Outcome.badOperand, item, index);
      if (places[index]!.lane !== kernel.args[operand]) return refuse(Outcome.wrongClass, item, index);
      lastUse[index] = item + 1;
      operands.push(index);
    }
    at += 1 + count;
    drafts.push({ kernel, value: item, operands });
    places.push({ kind: "slot", index: -1, lane: kernel.result });
    dirty.push(!kernel.flushes);
  }
  if (at > end) return refuse(Outcome.tooFewWords, itemCount, 0);
  if (at < end) return refuse(Outcome.tooManyWords, itemCount, 0);
  const outputs: { value: number; type: number }[] = [];
  for (; at < code.length; at++) {
    const word = code[at]!;
    const type = word >>> CodeWord.typeShift;
    const value = word & CodeWord.valueMask;
    const isType = type > 0 && type <= MOST_TYPE;
    if (value >= itemCount || !isType || places[value]!.lane !== laneOf(type)) {
      return refuse(Outcome.badOutput, itemCount, word);
    }
    lastUse[value] = itemCount + 1;
    outputs.push({ value, type });
  }
  const constantSlots = slots;
  const free: number[] = [];
  const steps: PlannedStep[] = [];
  const newSlot = (): number => free.pop() ?? slots++;
  for (const { kernel, value, operands } of drafts) {
    const copies: number[] = [];
    const taken = operands.map((operand): Place => {
      const place = places[operand]!;
      if (!kernel.flushes || !dirty[operand]!) return place;
      const target = newSlot();
      copies.push(target);
      steps.push({ kernel: FLUSH, target, operands: [place] });
      return { kind: "slot", index: target, lane: place.lane };
    });
    free.push(...copies);
    for (const operand of new Set(operands)) {
      const { kind, index } = places[operand]!;
      if (!keep && lastUse[operand] === value + 1 && kind === "slot" && index >= constantSlots)
        free.push(index);
    }
    const target = newSlot();
    places[value] = { kind: "slot", index: target, lane: kernel.result };
    if (!keep && lastUse[value] === 0) free.push(target);
    steps.push({ kernel, target, operands: taken });
  }
  return {
    slots,
    constants,
    steps,
    places,
    outputs: outputs.map(({ value, type }) => ({ place: places[value]!, type, value })),
  };
}
