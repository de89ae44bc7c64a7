// The check for registers that are read before they are written. Moves do not count as reads, because compilers move,
// pack and select unwritten values that are never used. A packed value counts as written if any part of it was.
import { type Operand, registersOf } from "../program/operand.js";
import { firstUsed } from "../program/operation.js";
import type { Builder } from "./builder.js";

/** A step that first checks whether its sources were written and marks its targets as written. */
export function checkedStep(builder: Builder, step: () => void): () => void {
  const { instruction, machine } = builder;
  const { operands, call } = instruction;
  const { results } = instruction.operation;
  const read = new Set([
    ...operands.slice(firstUsed(instruction.operation)).flatMap(registersOf),
    // The address of a store is the first operand, and it is read.
    ...operands
      .slice(0, results)
      .flatMap((operand) => (operand.kind === "address" ? registersOf(operand) : [])),
    ...(call?.args ?? []).flatMap(registersOf),
  ]);
  const written = [...operands.slice(0, results), ...(call?.results ?? [])].flatMap((operand) =>
    operand.kind === "address" ? [] : registersOf(operand),
  );
  const targets = written.map((register) => builder.register(register));
  const { registers } = machine;
  const move = MOVES[instruction.operation.name]?.(builder);
  if (move !== undefined) {
    const { read, sources } = move;
    return afterReading(builder, read, () => {
      const { base } = machine;
      const isWritten = sources().some((slot) => slot === undefined || registers.written[base + slot] !== 0);
      for (const slot of targets) registers.written[base + slot] = isWritten ? 1 : 0;
      step();
    });
  }
  return afterReading(builder, [...read], () => {
    for (const slot of targets) registers.written[machine.base + slot] = 1;
    step();
  });
}

/** A step that first checks whether registers were written: its sources, or the predicate that guards it. */
export function afterReading(builder: Builder, read: readonly number[], step: () => void): () => void {
  const { machine, fn } = builder;
  const sources = read.map((register) => ({ register, slot: builder.register(register) }));
  const { registers } = machine;
  return () => {
    const { base } = machine;
    for (const { register, slot } of sources) {
      if (registers.written[base + slot] === 0) {
        const what = `register \`${fn.registers[register]!.name}\``;
        machine.checks?.record({ kind: "UNINITIALIZED", what, ...machine.place() });
      }
    }
    step();
  };
}

/** The registers by which a move selects its source, and the slots it moves from; a constant has no slot. */
interface Move {
  readonly read: readonly number[];
  readonly sources: () => readonly (number | undefined)[];
}

const slotsOf = (builder: Builder, operand: Operand): readonly (number | undefined)[] => {
  const found = registersOf(operand).map((register) => builder.register(register));
  return found.length === 0 ? [undefined] : found;
};

/** The instructions that only move values, by name. */
const MOVES: Readonly<Record<string, (builder: Builder) => Move>> = {
  mov: (builder) => {
    const all = slotsOf(builder, builder.instruction.operands[1]!);
    return { read: [], sources: () => all };
  },
  selp: (builder) => {
    const [, first, second, predicate] = builder.instruction.operands;
    const [whenTrue, whenFalse] = [slotsOf(builder, first!), slotsOf(builder, second!)];
    const { machine } = builder;
    const { registers } = machine;
    const slot = builder.source(predicate!);
    return {
      read: registersOf(predicate!),
      sources: () => (registers.u32[2 * (machine.base + slot)] === 0 ? whenFalse : whenTrue),
    };
  },
};
