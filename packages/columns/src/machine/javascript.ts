// The operations of straight-line code in JavaScript, on columns: for platforms that forbid WebAssembly, and for operations without
// a kernel there. They compute with the functions of the emulator, so that results have the same bits.
import {
  codeType,
  codeTypeBits,
  encodeOperation,
  operandsOf,
  operationParts,
  operationText,
} from "@mm-ptx/types/code";
import { type Mnemonic, readMnemonic, type ScalarOperation } from "../arithmetic/operation.js";
import { scalarOperation } from "../arithmetic/scalar.js";
import { floatLoop } from "./float-loops.js";
import { isInstruction } from "./instructions.js";
import { type ColumnLoop, moveLoop, operationLoop } from "./javascript-loops.js";
import { isWide, type LaneClass } from "./lanes.js";

/** An operation on columns. */
export interface ColumnKernel {
  /** The lanes of each operand. */
  readonly args: readonly LaneClass[];
  /** The lanes of the result. */
  readonly result: LaneClass;
  /**
   * Computes a column. Places are in bytes; operands that the operation does not have are ignored. The target may be the place of
   * an operand.
   */
  readonly run: ColumnLoop;
}

const kernels = new Map<number, ColumnKernel>();

/** The kernel of an operation, or `undefined` if it is not an instruction that computes with single values. */
export function javaScriptKernel(word: number): ColumnKernel | undefined {
  let kernel = kernels.get(word);
  if (kernel === undefined) {
    kernel = makeKernel(word);
    if (kernel !== undefined) kernels.set(word, kernel);
  }
  return kernel;
}

function makeKernel(word: number): ColumnKernel | undefined {
  const text = operationText(word);
  const operands = operandsOf(word);
  const { name } = operationParts(word);
  // Several words may have the same text, but only one of them encodes the instruction.
  const exists =
    isInstruction(name, text.slice(text.indexOf("."))) && encodeOperation(text, operands) === word;
  if (!exists) return undefined;
  const mnemonic = readMnemonic(text);
  if (mnemonic.name === "mov") return moveKernel(mnemonic);
  const operation = scalarOperation(mnemonic, operands);
  if (operation?.args.length !== operands) return undefined;
  return {
    ...classesOf(mnemonic, operation),
    run: loopOf(mnemonic, operands) ?? operationLoop(operation),
  };
}

/** The quick loop of an instruction that takes operands as they are. */
function loopOf(mnemonic: Mnemonic, operands: number): ColumnLoop | undefined {
  return mnemonic.words.has("ftz") ? undefined : floatLoop(mnemonic, operands);
}

function moveKernel({ types: [type = ""] }: Mnemonic): ColumnKernel {
  const lanes: LaneClass = type === "pred" ? "pred" : codeTypeBits(codeType(type)) > 32 ? "64" : "32";
  return { args: [lanes], result: lanes, run: moveLoop(lanes === "64") };
}

/** The instructions whose result is a predicate whatever their type. */
const TESTS: ReadonlySet<string> = new Set(["setp", "testp"]);
/** The instructions whose third operand is a predicate, whatever their type. */
const CHOOSING: ReadonlySet<string> = new Set(["setp", "set", "selp"]);

function classesOf(
  { name, types }: Mnemonic,
  { args, result }: ScalarOperation,
): Pick<ColumnKernel, "args" | "result"> {
  const onPredicates = types[0] === "pred";
  return {
    args: args.map((kind, index) =>
      onPredicates || (index === 2 && CHOOSING.has(name)) ? "pred" : isWide(kind) ? "64" : "32",
    ),
    result: onPredicates || TESTS.has(name) ? "pred" : isWide(result) ? "64" : "32",
  };
}
