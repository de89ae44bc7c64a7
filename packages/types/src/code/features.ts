// Features of straight-line code for models that predict its cost: counts of live values by kind.
import { CodeName, CodeWord, OperationField } from "./layout.js";
import { CODE_NAMES, CODE_TYPES, codeTypeBits, operandsOf, operationParts } from "./operation.js";
import { operationSignature } from "./signature.js";

/**
 * Classes of instructions of similar cost, each with the names of its operations. All other instructions are `other`.
 */
const CLASSES: Readonly<Record<string, string>> = {
  add: "add sub sad",
  multiply: "mul mul24",
  fused: "mad fma mad24 dp4a dp2a",
  divide: "div rem rcp",
  root: "sqrt rsqrt",
  transcendental: "sin cos lg2 ex2 tanh",
  extreme: "min max min3 max3",
  compare: "setp set testp",
  select: "selp slct",
  logic: "and or xor not cnot lop3",
  shift: "shl shr shf",
  bits: "popc clz brev bfind bfe bfi prmt fns bmsk szext",
  convert: "cvt",
  sign: "neg abs copysign",
  other: "mov",
};

/** Classes of types, each with the PTX types that belong to it. An operation counts by its first type. */
const TYPES: Readonly<Record<string, string>> = {
  predicate: "pred",
  half: "b16 u16 s16 f16 bf16 b8 u8 s8",
  packed: "f16x2 bf16x2 f32x2 u16x2 s16x2 e4m3x2 e5m2x2",
  single: "f32 tf32",
  double: "f64",
  word: "b32 u32 s32",
  long: "b64 u64 s64",
};

const GENERAL = [
  ...["instructions", "computed", "inputs", "constants", "outputs", "depth", "registers", "reads", "shared"],
];
const OTHERS = ["flushed", "approximate"];

/**
 * The names of the features of `describeCode`, in their order. Most are counts of live values: `instructions`;
 * `computed`, those that depend on an input (an assembler computes the others itself); `inputs` that are read;
 * `constants`; and `outputs`. `depth` is the length of the longest chain of instructions, and `registers` the most
 * 32-bit registers in use at a time, not counting predicates. `reads` counts operands, and `shared` values with several
 * readers. Then come counts of instructions by kind and by type, and of those with `.ftz` and with `.approx` or
 * `.full`.
 */
export const CODE_FEATURES: readonly string[] = [
  ...GENERAL,
  ...Object.keys(CLASSES),
  ...Object.keys(TYPES),
  ...OTHERS,
];

const enum Feature {
  instructions,
  computed,
  inputs,
  constants,
  outputs,
  depth,
  registers,
  reads,
  shared,
}

const FIRST_CLASS = GENERAL.length;
const FIRST_TYPE = FIRST_CLASS + Object.keys(CLASSES).length;
const FLUSHED = FIRST_TYPE + Object.keys(TYPES).length;
const APPROXIMATE = FLUSHED + 1;

const indexOf = (groups: Readonly<Record<string, string>>, name: string): number =>
  Object.values(groups).findIndex((names) => names.split(" ").includes(name));
const CLASS_OF_NAME = CODE_NAMES.map((name) => FIRST_CLASS + Math.max(0, indexOf(CLASSES, name)));
const TYPE_OF_TYPE = CODE_TYPES.map((type) => FIRST_TYPE + Math.max(0, indexOf(TYPES, type)));

/** Cached facts about an operation, packed: the number of its operands, and of the 32-bit registers of its result. */
const enum Known {
  operandMask = 0xf,
  widthShift = 4,
}

/**
 * A cache of decoded operations, addressed by a hash of their bits: decoding one takes longer than describing a code.
 */
const SLOT_BITS = 10;
const seen = new Uint32Array(1 << SLOT_BITS);
const known = new Uint8Array(1 << SLOT_BITS);

function knownOf(operation: number): number {
  const slot = Math.imul(operation, 0x9e3779b1) >>> (32 - SLOT_BITS);
  if (seen[slot] !== operation) {
    const operands = operandsOf(operation);
    const { result } = operationSignature(operationParts(operation), operands);
    const bits = result === "pred" ? 0 : codeTypeBits(CODE_TYPES.indexOf(result));
    known[slot] = operands | (Math.ceil(bits / 32) << Known.widthShift);
    seen[slot] = operation;
  }
  return known[slot]!;
}

/** For each item: where it begins, twice the longest chain to it and 1 if it depends on an input, and how often it is read. */
let starts = new Int32Array(256);
let chains = new Int32Array(256);
let readers = new Int32Array(256);

function reserve(items: number): void {
  if (items <= starts.length) return;
  const length = Math.max(items, 2 * starts.length);
  starts = new Int32Array(length);
  chains = new Int32Array(length);
  readers = new Int32Array(length);
}

/**
 * Writes the features of one code, named by `CODE_FEATURES`. The code is not checked: it must be one that a compiler
 * appended. Nothing is allocated unless a code is larger than all codes before it.
 * @param words the array that contains the code
 * @param start the index of its first word
 * @param features receives `CODE_FEATURES.length` numbers
 */
export function describeCode(words: Uint32Array, start: number, features: Float32Array): void {
  const items = words[start + CodeWord.itemCount]!;
  const outputs = words[start + CodeWord.arity]! >>> CodeWord.outputShift;
  reserve(items);
  for (let index = 0; index < CODE_FEATURES.length; index++) features[index] = 0;
  const end = measureChains(words, start + CodeWord.header, items);
  features[Feature.outputs] = outputs;
  let live = 0;
  for (let output = 0; output < outputs; output++) {
    const value = words[end + output]! & CodeWord.valueMask;
    if (readers[value]! === 0) live += widthOf(words, value);
    readers[value] = readers[value]! + 1;
    features[Feature.depth] = Math.max(features[Feature.depth]!, chains[value]! >> 1);
  }
  countLive(words, items, live, features);
}

const widthOf = (words: Uint32Array, item: number): number => {
  const operation = words[starts[item]!]!;
  return (operation & OperationField.nameMask) === CodeName.constant
    ? 0
    : knownOf(operation) >> Known.widthShift;
};

/** Finds where items begin and how long the chains to them are; returns where the outputs begin. */
function measureChains(words: Uint32Array, first: number, items: number): number {
  let at = first;
  for (let item = 0; item < items; item++) {
    const operation = words[at]!;
    const name = operation & OperationField.nameMask;
    const operands = knownOf(operation) & Known.operandMask;
    starts[item] = at;
    readers[item] = 0;
    let chain = Number(name === CodeName.input);
    if (name > CodeName.constant) {
      for (let operand = 1; operand <= operands; operand++) {
        const before = chains[words[at + operand]!]!;
        chain = Math.max(chain, before) | ((chain | before) & 1);
      }
      chain += 2;
    }
    chains[item] = chain;
    at += 1 + operands;
  }
  return at;
}

/** Counts the live items from the last to the first; `live` registers are in use after the last. */
function countLive(words: Uint32Array, items: number, live: number, features: Float32Array): void {
  let registers = live;
  let [instructions, computed, reads] = [0, 0, 0];
  let inUse = live;
  for (let item = items - 1; item >= 0; item--) {
    const count = readers[item]!;
    if (count === 0) continue;
    const at = starts[item]!;
    const operation = words[at]!;
    const name = operation & OperationField.nameMask;
    if (count > 1) features[Feature.shared] = features[Feature.shared]! + 1;
    if (name === CodeName.constant) features[Feature.constants] = features[Feature.constants]! + 1;
    // An input is in its register from the beginning.
    else if (name === CodeName.input) features[Feature.inputs] = features[Feature.inputs]! + 1;
    else {
      const entry = knownOf(operation);
      const operands = entry & Known.operandMask;
      instructions++;
      computed += chains[item]! & 1;
      reads += operands;
      inUse -= entry >> Known.widthShift;
      for (let operand = 1; operand <= operands; operand++) {
        const value = words[at + operand]!;
        if (readers[value]! === 0) inUse += widthOf(words, value);
        readers[value] = readers[value]! + 1;
      }
      if (inUse > registers) registers = inUse;
      countInstruction(operation, features);
    }
  }
  features[Feature.instructions] = instructions;
  features[Feature.computed] = computed;
  features[Feature.reads] = reads;
  features[Feature.registers] = registers;
}

/** The roundings that are not exact, as bits by their index in `CODE_ROUNDINGS`: `approx` and `full`. */
const NOT_EXACT = (1 << 10) | (1 << 11);

function countInstruction(operation: number, features: Float32Array): void {
  const kind = CLASS_OF_NAME[operation & OperationField.nameMask]!;
  const type = TYPE_OF_TYPE[(operation >>> OperationField.typeShift) & OperationField.typeMask]!;
  features[kind] = features[kind]! + 1;
  features[type] = features[type]! + 1;
  if (operation & OperationField.flush) features[FLUSHED] = features[FLUSHED]! + 1;
  const rounding = (operation >>> OperationField.roundingShift) & OperationField.roundingMask;
  if ((NOT_EXACT >> rounding) & 1) features[APPROXIMATE] = features[APPROXIMATE]! + 1;
}
