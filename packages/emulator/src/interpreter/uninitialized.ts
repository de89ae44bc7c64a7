// The check for registers that are read before anything was written to them. Moves are no reads: compilers move and pack
// what nobody wrote as long as nobody computes with it, so what was moved counts as written when a part of it was.
import { registersOf } from "../program/operand.js";
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
  if (instruction.name === "mov" && read.size > 0) {
    const sources = [...read].map((register) => builder.register(register));
    return () => {
      const { base } = machine;
      const isWritten = sources.some((slot) => registers.written[base + slot] !== 0) ? 1 : 0;
      for (const slot of targets) registers.written[base + slot] = isWritten;
      step();
    };
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
