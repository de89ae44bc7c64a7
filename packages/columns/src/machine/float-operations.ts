// The f32 instructions that have a kernel in WebAssembly.
import { operationParts } from "@mm-ptx/types/code";
import { FloatKernel } from "./kernels.js";
import { Class, Entry, Flag } from "./layout.js";
import type { OperationEntry } from "./operations.js";

/** The kernels of instructions without `.ftz`, by name and the modifiers that matter. */
const KERNELS: ReadonlyMap<string, FloatKernel> = new Map([
  ["add", FloatKernel.add],
  ["sub", FloatKernel.sub],
  ["mul", FloatKernel.mul],
  ["fma.rn", FloatKernel.fma],
  ["mad.rn", FloatKernel.fma],
  ["div.rn", FloatKernel.div],
  ["div.full", FloatKernel.div],
  ["div.approx", FloatKernel.divApprox],
  ["abs", FloatKernel.abs],
  ["neg", FloatKernel.neg],
  ["min", FloatKernel.min],
  ["max", FloatKernel.max],
  ["copysign", FloatKernel.copysign],
  ["rcp.rn", FloatKernel.rcp],
  ["rcp.approx", FloatKernel.rcp],
  ["sqrt.rn", FloatKernel.sqrt],
  ["sqrt.approx", FloatKernel.sqrt],
  ["rsqrt.approx", FloatKernel.rsqrt],
  ["sin.approx", FloatKernel.sin],
  ["cos.approx", FloatKernel.cos],
  ["lg2.approx", FloatKernel.lg2],
  ["ex2.approx", FloatKernel.ex2],
  ["tanh.approx", FloatKernel.tanh],
]);

/** The kernels for a constant second operand, and for a constant first one. */
const VARIANTS: ReadonlyMap<FloatKernel, readonly [second: FloatKernel, first: FloatKernel]> = new Map([
  [FloatKernel.add, [FloatKernel.addConstant, FloatKernel.constantAdd]],
  [FloatKernel.sub, [FloatKernel.subConstant, FloatKernel.constantSub]],
  [FloatKernel.mul, [FloatKernel.mulConstant, FloatKernel.constantMul]],
  [FloatKernel.divApprox, [FloatKernel.divApproxConstant, FloatKernel.constantDivApprox]],
]);

const BOTH = 3;

/** How the planner treats an f32 instruction, or `undefined` if it has no kernel of its own. */
export function floatOperation(
  word: number,
  functionOf: (kernel: FloatKernel) => number,
): OperationEntry | undefined {
  const { name, types, rounding, flush, saturation, rectify, choice } = operationParts(word);
  if (types.length !== 1 || types[0] !== "f32" || saturation !== "" || rectify || choice !== "")
    return undefined;
  const isDefault = rounding === "rn" && (name === "add" || name === "sub" || name === "mul");
  const kernel = KERNELS.get(rounding === "" || isDefault ? name : `${name}.${rounding}`);
  if (kernel === undefined) return undefined;
  const copies = kernel === FloatKernel.copysign;
  const [second, first] = VARIANTS.get(kernel) ?? [];
  const operands = kernel === FloatKernel.fma ? 3 : TWO.has(kernel) ? 2 : 1;
  return {
    kernel: functionOf(kernel),
    flags:
      (Class.word << Flag.resultShift) |
      (operands << Flag.arityShift) |
      (copies ? BOTH << Flag.bitwiseShift : Flag.loose) |
      (flush ? Flag.clean | Flag.flushes : 0) |
      (second === undefined ? 0 : Flag.variants),
    extra: second === undefined ? 0 : functionOf(second) | (functionOf(first!) << Entry.variantShift),
  };
}

const TWO: ReadonlySet<FloatKernel> = new Set([
  FloatKernel.add,
  FloatKernel.sub,
  FloatKernel.mul,
  FloatKernel.div,
  FloatKernel.divApprox,
  FloatKernel.min,
  FloatKernel.max,
  FloatKernel.copysign,
]);
