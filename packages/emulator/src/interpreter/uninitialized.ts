// The check for registers that are read before anything was written to them. Moves are no reads: compilers move, pack and
// select what nobody wrote as long as nobody computes with it. What was packed counts as written when a part of it was.
import { type Operand, registersOf } from "../program/operand.js";
import type { Builder } from "./builder.js";
import { KernelFault } from "./machine.js";

/** A step that looks first whether what it reads was written, and notes what it writes. */
export function checkedStep(builder: Builder, step: () => void): () => void {
  const { instruction, machine } = builder;
  const { operands, results, call } = instruction;
  const read = new Set([
    ...operands.slice(results).flatMap(registersOf),
    // A store's address comes first, and is read.
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
  if (instruction.name === "mov" || instruction.name === "selp") {
    const { read, sources } = sourcesOfMove(builder);
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

/** A step that looks first whether registers were written: those it reads, or the predicate that decides about it. */
export function afterReading(builder: Builder, read: readonly number[], step: () => void): () => void {
  const { machine, fn } = builder;
  const sources = read.map((register) => ({ register, slot: builder.register(register) }));
  const { registers } = machine;
  return () => {
    const { base } = machine;
    for (const { register, slot } of sources) {
      if (registers.written[base + slot] === 0) {
        const what = `register \`${fn.registers[register]!.name}\``;
        throw new KernelFault({ kind: "UNINITIALIZED", what, ...machine.place() });
      }
    }
    step();
  };
}

/** What a move reads to decide what it moves, and the slots that it moves from, where a constant has none. */
function sourcesOfMove(builder: Builder): {
  readonly read: readonly number[];
  readonly sources: () => readonly (number | undefined)[];
} {
  const { instruction, machine } = builder;
  const slotsOf = (operand: Operand): (number | undefined)[] => {
    const found = registersOf(operand).map((register) => builder.register(register));
    return found.length === 0 ? [undefined] : found;
  };
  const [first, second, predicate] = instruction.operands.slice(instruction.results);
  if (second === undefined || predicate === undefined) {
    const all = slotsOf(first!);
    return { read: [], sources: () => all };
  }
  const [whenTrue, whenFalse] = [slotsOf(first!), slotsOf(second)];
  const slot = builder.source(predicate);
  const { registers } = machine;
  return {
    read: registersOf(predicate),
    sources: () => (registers.u32[2 * (machine.base + slot)] === 0 ? whenFalse : whenTrue),
  };
}
