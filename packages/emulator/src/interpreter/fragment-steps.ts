// `wmma.load` and `wmma.store`: transfer a matrix between memory and the registers of a warp, element by element.
import type { AddressOperand, Operand } from "../program/operand.js";
import { TYPES } from "../program/types.js";
import { fragmentAccess } from "../run/fragments.js";
import type { Builder } from "./builder.js";
import type { Access } from "./machine.js";
import { memoryBits, setMemoryBits } from "./memory-steps.js";
import type { Thread } from "./thread.js";
import { readBits, writeBits } from "./values.js";
import { ALL_LANES, baseOf, checkWholeWarp, waitForMask } from "./warp-steps.js";

/** Undefined for `wmma.mma`, which does not access memory. */
export function fragmentStep(builder: Builder): (() => void) | undefined {
  const { instruction, machine } = builder;
  const { operation, operands } = instruction;
  const access = fragmentAccess(operation);
  if (access === undefined) return undefined;
  const { kind, bits, elements, registers } = access;
  const [vector, address] = kind === "load" ? operands : [operands[1], operands[0]];
  const items = vector?.kind === "vector" ? vector.items : [vector as Operand];
  const slots = items.map((item) => (kind === "load" ? builder.target(item) : builder.source(item)));
  const width = bits * elements;
  const strideSlot = operands[2] === undefined ? undefined : builder.source(operands[2]);
  const locate = locator(builder, address as AddressOperand, bits / 8, kind);
  /** The positions of the elements of a register of the running thread. */
  const placesOf = (thread: Thread, register: number): readonly number[] => {
    machine.thread = thread;
    machine.resume(thread.frames.at(-1)!);
    const stride =
      strideSlot === undefined ? access.stride : machine.registers.u32[2 * (machine.base + strideSlot)]!;
    return Array.from({ length: elements }, (_, element) =>
      locate((bits / 8) * access.index(thread.lane, register, element, stride)),
    );
  };
  const complete = (lanes: readonly Thread[]) => {
    checkWholeWarp(machine, lanes);
    for (const thread of lanes) {
      for (let register = 0; register < registers; register++) {
        const places = placesOf(thread, register);
        const at = baseOf(thread);
        if (kind === "store") {
          const word = readBits(machine, at + slots[register]!, width);
          places.forEach((place, element) => {
            setMemoryBits(machine, place, bits, BigInt.asUintN(bits, word >> BigInt(bits * element)));
          });
          continue;
        }
        const word = places
          .map((place, element) => memoryBits(machine, place, bits) << BigInt(bits * element))
          .reduce((all, part) => all | part);
        // Registers in excess of those that the matrix needs are copies.
        for (let copy = register; copy < slots.length; copy += registers) {
          writeBits(machine, at + slots[copy]!, width, word);
        }
      }
    }
  };
  return waitForMask(machine, builder.constant(BigInt(ALL_LANES)), operation, complete);
}

/** Locates accesses at a displacement from an address of the running thread. */
function locator(
  builder: Builder,
  address: AddressOperand,
  bytes: number,
  access: Access,
): (displacement: number) => number {
  const { machine } = builder;
  const { registers } = machine;
  const { base, offset } = address;
  const slot = builder.source(address);
  const isNarrow = base.kind === "register" && TYPES[builder.fn.registers[base.register]!.type].bits === 32;
  // The address of a variable already includes its displacement.
  const first = base.kind === "register" || base.kind === "immediate" ? offset : 0;
  const { space } = builder.instruction.operation;
  return (displacement) => {
    const low = registers.u32[2 * (machine.base + slot)]!;
    const high = isNarrow ? 0 : registers.u32[2 * (machine.base + slot) + 1]!;
    const distance = first + displacement;
    if (space !== "shared") return machine.generic(low, high, distance, bytes, access, space);
    if (!isNarrow) return machine.sumInArea(machine.shared, low, high, distance, bytes, access, space);
    return machine.inArea(machine.shared, (low + distance) >>> 0, bytes, access, space);
  };
}
