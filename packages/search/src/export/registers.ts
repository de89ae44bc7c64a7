// Stubs with other names of their registers: those of the space are replaced, and those that a stub declares itself may be changed.
import type { ProgramRegister, ProgramSpace } from "../spaces/space.js";

/** A register of the space, and what it is used for. */
export interface UsedRegister extends ProgramRegister {
  /** Its number among the inputs and among the outputs, or -1. */
  readonly input: number;
  readonly output: number;
}

/** All registers of a space: first the inputs, then the outputs that are no inputs. */
export function registersOf({ inputRegisters, outputRegisters }: ProgramSpace): UsedRegister[] {
  const names = new Set([...inputRegisters, ...outputRegisters].map(({ name }) => name));
  return Array.from(names, (name) => {
    const input = inputRegisters.findIndex((register) => register.name === name);
    const output = outputRegisters.findIndex((register) => register.name === name);
    const { type } = input >= 0 ? inputRegisters[input]! : outputRegisters[output]!;
    return { name, type, input, output };
  });
}

/**
 * The lines of a stub with other registers.
 * @param names the new name of each register of the space, with `%`
 * @param own the text of the `%` of the stub's own registers
 */
export function renamedLines(stub: string, names: ReadonlyMap<string, string>, own: string): string[] {
  const text = stub.replaceAll(
    /%([\w$]+(?:\.[xyzw])?)/g,
    (_, name: string) => names.get(name) ?? `${own}${name}`,
  );
  return text.split("\n").map((line) => line.trim());
}
