// The check for registers that are read before anything was written to them.
import type { Operand } from "../program/operand.js";
import type { Builder } from "./builder.js";
import { KernelFault } from "./machine.js";

/** A step that looks first whether what it reads was written, and notes what it writes. */
export function checkedStep(builder: Builder, step: () => void): () => void {
  const { instruction, machine, fn } = builder;
  const { operands, results, guard, call } = instruction;
  const read = new Set([
    ...operands.slice(results).flatMap(registersOf),
    // A store's address comes first, and is read.
    ...operands
      .slice(0, results)
      .flatMap((operand) => (operand.kind === "address" ? registersOf(operand) : [])),
    ...(call?.args ?? []).flatMap(registersOf),
    ...(guard === undefined ? [] : [guard.register]),
  ]);
  const written = [...operands.slice(0, results), ...(call?.results ?? [])].flatMap((operand) =>
    operand.kind === "address" ? [] : registersOf(operand),
  );
  const sources = [...read].map((register) => ({ register, slot: builder.register(register) }));
  const targets = written.map((register) => builder.register(register));
  const { registers } = machine;
  return () => {
    const { base } = machine;
    for (const { register, slot } of sources) {
      if (registers.written[base + slot] === 0) {
        const what = `register \`${fn.registers[register]!.name}\``;
        throw new KernelFault({ kind: "UNINITIALIZED", what, ...machine.place() });
      }
    }
    for (const slot of targets) registers.written[base + slot] = 1;
    step();
  };
}

/** The registers in an operand. */
function registersOf(operand: Operand): readonly number[] {
  switch (operand.kind) {
    case "register":
      return [operand.register];
    case "address":
      return operand.base.kind === "register" ? [operand.base.register] : [];
    case "vector":
      return operand.items.flatMap(registersOf);
    default:
      return [];
  }
}
