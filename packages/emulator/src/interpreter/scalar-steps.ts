// Steps of instructions whose results only depend on their operands.
import { type Evaluate, type ScalarOperation, scalarOperation } from "@mm-ptx/columns/arithmetic";
import { NAN_32 } from "@mm-ptx/types/internal/floats";
import type { Builder } from "./builder.js";
import type { Machine } from "./machine.js";
import { resultWriter, valueReader } from "./values.js";

/** The step of the builder's instruction, or undefined if its results depend on more than its operands. */
export function scalarStep(builder: Builder): (() => void) | undefined {
  const { instruction, machine } = builder;
  const { operands } = instruction;
  const { results } = instruction.operation;
  const operation = scalarOperation(instruction.operation, operands.length - results);
  if (operation === undefined) return undefined;
  const sources = operation.args.map((_, index) => builder.source(operands[results + index]!));
  const [first, second] = operands.slice(0, results);
  const type = instruction.operation.operandTypes[0] ?? "b32";
  const width = builder.targetBits(first, type);
  const target = builder.target(first);
  if (second !== undefined && second.kind !== "sink" && operation.second !== undefined) {
    return twoResults(machine, operation, target, builder.target(second), sources);
  }
  return oneResult(machine, operation, target, width, sources);
}

/** The step that computes one result. Common shapes have specialized closures that only access typed arrays. */
function oneResult(
  machine: Machine,
  operation: ScalarOperation,
  target: number,
  width: number,
  sources: readonly number[],
): () => void {
  const { args, result, evaluate } = operation;
  if (width === 32 && operation.bits === 32 && args.every((kind) => kind === result)) {
    if (result === "i32") return wordStep(machine, evaluate, target, sources);
    if (result === "f32") return floatStep(machine, evaluate, target, sources);
  }
  const write = resultWriter(machine, operation, target, width, sources);
  const [a, b, c, d] = args.map((kind, index) => valueReader(machine, kind, sources[index]!));
  if (a === undefined) return () => write(evaluate(0, 0, 0, 0));
  if (b === undefined) return () => write(evaluate(a(), 0, 0, 0));
  if (c === undefined) return () => write(evaluate(a(), b(), 0, 0));
  if (d === undefined) return () => write(evaluate(a(), b(), c(), 0));
  return () => write(evaluate(a(), b(), c(), d()));
}

function wordStep(
  machine: Machine,
  evaluate: Evaluate,
  target: number,
  [a = 0, b = 0, c = 0, d = 0]: readonly number[],
): () => void {
  const { registers } = machine;
  return () => {
    const words = registers.u32;
    const { base } = machine;
    words[2 * (base + target)] = evaluate(
      words[2 * (base + a)]!,
      words[2 * (base + b)]!,
      words[2 * (base + c)]!,
      words[2 * (base + d)]!,
    ) as number;
  };
}

function floatStep(
  machine: Machine,
  evaluate: Evaluate,
  target: number,
  [a = 0, b = 0, c = 0]: readonly number[],
): () => void {
  const { registers } = machine;
  return () => {
    const floats = registers.f32;
    const { base } = machine;
    const value = evaluate(
      floats[2 * (base + a)]!,
      floats[2 * (base + b)]!,
      floats[2 * (base + c)]!,
      0,
    ) as number;
    if (Number.isNaN(value)) registers.u32[2 * (base + target)] = NAN_32;
    else floats[2 * (base + target)] = value;
  };
}

/** `setp` with two predicates: both are computed before either is written. */
function twoResults(
  machine: Machine,
  { args, evaluate, second }: ScalarOperation,
  target: number,
  otherTarget: number,
  sources: readonly number[],
): () => void {
  const { registers } = machine;
  const [a, b, c = () => 0] = args.map((kind, index) => valueReader(machine, kind, sources[index]!));
  return () => {
    const x = a!();
    const y = b!();
    const z = c();
    registers.u32[2 * (machine.base + target)] = evaluate(x, y, z, 0) as number;
    registers.u32[2 * (machine.base + otherTarget)] = second!(x, y, z, 0) as number;
  };
}
