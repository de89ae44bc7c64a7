// The check for registers that are read before they are written: each register for which that is possible gets a flag,
// which is also a register. Moves do not count as reads; they copy flags, because compilers move, pack and select
// unwritten values that are never used. A packed value counts as written if any part of it was.
import { type Operand, registersOf } from "../program/operand.js";
import { firstUsed } from "../program/operation.js";
import type { Graph } from "./graph.js";
import { liveness } from "./liveness.js";
import { CARRY } from "./registers.js";
import type { Step } from "./step.js";
import { expectWritten, moveWritten, selectWritten, syntheticStep } from "./synthetic.js";

/** Returns the graph with steps that maintain the flags, and steps that check them before registers are read. */
export function withWrittenFlags(graph: Graph): Graph {
  const found = unwrittenRegisters(graph);
  if (found.size === 0) return graph;
  const registerTypes = [...graph.registerTypes];
  const flags = new Map([...found].map((register) => [register, registerTypes.push("pred") - 1]));
  const blocks = graph.blocks.map((block) => {
    const { end } = block;
    const steps = block.steps.flatMap((step) => [
      ...[...expected(step, flags), ...marked(step, flags)],
      step,
    ]);
    if (end.kind === "wait") {
      // Its guard is that of the branch to this block. What it writes counts as written from here on.
      const { source } = end.step;
      const always = { ...end.step, source: { ...source, guard: undefined } };
      steps.push(...expected(always, flags), ...marked(always, flags));
    } else if ("step" in end) steps.push(...expectedAtEnd(end.step, flags));
    return { ...block, steps };
  });
  for (const beginning of graph.beginnings) {
    const { context, steps } = blocks[beginning]!;
    const end = context.registerBase + context.body.registers.length;
    for (const [register, flag] of flags) {
      if (register < context.registerBase || register >= end) continue;
      const target: Operand = { kind: "register", register: flag - context.registerBase, negated: false };
      steps.unshift(syntheticStep(context, "mov", "pred", [target, { kind: "immediate", bits: 0n }]));
    }
  }
  return { ...graph, blocks, registerTypes };
}

type Flags = ReadonlyMap<number, number>;

/** Registers that may be read before they are written, and those to which they are moved. */
function unwrittenRegisters(graph: Graph): ReadonlySet<number> {
  const { before } = liveness(graph);
  const found = new Set<number>();
  for (const beginning of graph.beginnings) {
    const { registerBase, body } = graph.blocks[beginning]!.context;
    before.forEach(beginning, (register) => {
      const isOwn = register >= registerBase && register < registerBase + body.registers.length;
      if (isOwn && register !== CARRY) found.add(register);
    });
  }
  const moves = graph.blocks.flatMap(({ steps }) => steps.filter(isMove));
  for (let changed = found.size > 0; changed; ) {
    changed = false;
    for (const { reads, writes } of moves) {
      if (!reads.some((register) => found.has(register))) continue;
      for (const register of writes) {
        if (found.has(register)) continue;
        found.add(register);
        changed = true;
      }
    }
  }
  return found;
}

const isMove = ({ operation }: Step): boolean => operation.traits.copies;

/** Whether a move takes one of two sources, by the predicate that follows them. */
const chooses = (step: Step): boolean => isMove(step) && step.source.operands.length > 2;

const numbersOf = ({ context }: Step, operands: readonly Operand[]): number[] =>
  operands.flatMap(registersOf).map((register) => context.registerBase + register);

/** The steps that check that everything a step reads was written: its guard, and its sources if the guard is true. */
function expected(step: Step, flags: Flags): readonly Step[] {
  const { source, operation, context } = step;
  const { operands, call, guard } = source;
  const checks = (registers: readonly number[], under: typeof guard) =>
    [...new Set(registers)].flatMap((register) => {
      const flag = flags.get(register);
      return flag === undefined ? [] : [expectWritten(context, step.index, flag, register, under)];
    });
  const guards = guard === undefined ? [] : checks([context.registerBase + guard.register], undefined);
  if (isMove(step) && !chooses(step)) return guards;
  const read = operands.slice(chooses(step) ? 3 : firstUsed(operation));
  return [...guards, ...checks(numbersOf(step, [...read, ...(call?.args ?? [])]), guard)];
}

/** The steps that check that the operands which decide a branch were written. */
function expectedAtEnd(step: Step, flags: Flags): readonly Step[] {
  const { guard, operands, branchTargets } = step.source;
  const read = branchTargets === undefined ? [] : numbersOf(step, operands);
  if (guard !== undefined) read.push(step.context.registerBase + guard.register);
  return [...new Set(read)].flatMap((register) => {
    const flag = flags.get(register);
    return flag === undefined ? [] : [expectWritten(step.context, step.index, flag, register, undefined)];
  });
}

/** The steps that set the flags of the registers that a step writes. */
function marked(step: Step, flags: Flags): readonly Step[] {
  const { source, operation, context, index } = step;
  const { operands, call, guard } = source;
  const written = numbersOf(step, [...operands.slice(0, operation.results), ...(call?.results ?? [])]);
  const targets = [...new Set(written)].flatMap((register) => flags.get(register) ?? []);
  if (targets.length === 0) return [];
  // The flags of an operand's registers; undefined when it certainly counts as written.
  const flagsOf = (operand: Operand): readonly number[] | undefined => {
    const found = numbersOf(step, [operand]).map((register) => flags.get(register));
    return found.length === 0 || found.includes(undefined) ? undefined : (found as number[]);
  };
  if (chooses(step)) {
    const [, first, second, predicate] = operands;
    return targets.map((target) =>
      selectWritten(context, index, target, [flagsOf(first!), flagsOf(second!)], predicate!, guard),
    );
  }
  const sources = isMove(step) ? flagsOf(operands[1]!) : undefined;
  return targets.map((target) => moveWritten(context, index, target, sources, guard));
}
