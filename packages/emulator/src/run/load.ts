// Loading: places the variables of a checked module in memory and writes their initial values.
import { quoted } from "@mm-ptx/types/internal";
import type { Program, Relocation } from "../program/program.js";
import type { LoadedProgram } from "./launch.js";
import { ADDRESS_BASE, functionAddress, PAGE_BYTES } from "./memory.js";
import type { PagedMemory } from "./paged-memory.js";

/** @throws EmulatorError OUT_OF_MEMORY */
export function loadProgram(program: Program, memory: PagedMemory): LoadedProgram {
  const addresses: number[] = [];
  try {
    for (const { name, space, bytes: size, extern, align } of program.variables) {
      // No function that can run uses a variable that is not defined.
      if (space === "shared" || extern) addresses.push(0);
      else {
        const label = `variable ${quoted(name)}`;
        addresses.push(memory.take(size, { zero: true, label, align: Math.max(PAGE_BYTES, align) }));
      }
    }
  } catch (error) {
    giveBack(addresses, memory);
    throw error;
  }
  const loaded = { program, addresses, memory };
  initialize(loaded);
  return loaded;
}

/** Frees the memory of a program's variables. */
export function unloadProgram({ addresses }: LoadedProgram, memory: PagedMemory): void {
  giveBack(addresses, memory);
}

function giveBack(addresses: readonly number[], memory: PagedMemory): void {
  for (const address of addresses) if (address !== 0) memory.give(address);
}

/** Writes the initial values. A value may contain the address of any variable, so all variables are placed first. */
function initialize(loaded: LoadedProgram): void {
  const { program, addresses, memory } = loaded;
  const view = new DataView(memory.memory.buffer);
  for (const [index, { initial: bytes, relocations }] of program.variables.entries()) {
    const place = addresses[index]!;
    if (bytes !== undefined) new Uint8Array(memory.memory.buffer).set(bytes, place);
    for (const relocation of relocations) {
      const value = BigInt(addressOf(relocation, loaded));
      if (relocation.size === 4)
        view.setUint32(place + relocation.at, Number(BigInt.asUintN(32, value)), true);
      else view.setBigUint64(place + relocation.at, BigInt.asUintN(64, value), true);
    }
  }
}

function addressOf({ target, addend }: Relocation, { addresses }: LoadedProgram): number {
  if (target.kind === "function") return functionAddress(target.function) + addend;
  return ADDRESS_BASE + addresses[target.variable]! + addend;
}
