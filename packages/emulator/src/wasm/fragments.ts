// `wmma.load` and `wmma.store`: move a matrix between memory and the registers of a warp, element by element.
import type { Step } from "../control/step.js";
import type { AddressOperand, Operand } from "../program/operand.js";
import type { ProgramFunction } from "../program/program.js";
import type { PtxType } from "../program/types.js";
import { type FragmentAccess, fragmentAccess } from "../run/fragments.js";
import type { Access } from "./access.js";
import { type AddressOf, addressOf, type MatrixMemory, type MoveMatrix } from "./matrices.js";
import type { SavedRegisters } from "./operands.js";

const LANES = 32;
/** Typed array constructors by the bits of an element. */
const VIEWS = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array } as const;

type NarrowView = Uint8Array | Uint16Array | Uint32Array;

/** Moves a matrix, or returns false and has changed nothing. */
type WholeMove = (
  first: number,
  saved: SavedRegisters,
  memory: MatrixMemory,
  view: NarrowView,
  addressAt: AddressOf,
) => boolean;

/** How to move a matrix whose address and stride are the same in all lanes, and which is in memory as a whole. */
function wholeMove(
  step: Step,
  { kind, bits, elements, registers, stride: usual, index }: FragmentAccess,
  items: readonly Operand[],
  access: Access,
): WholeMove {
  const count = LANES * registers * elements;
  // Where each element is: the number of its row, or column, and the place there.
  const [lines, places] = [new Int32Array(count), new Int32Array(count)];
  const apart = 1024;
  for (let at = 0; at < count; at++) {
    const element = at % elements;
    const register = Math.floor(at / elements) % registers;
    const offset = index(Math.floor(at / (elements * registers)), register, element, apart);
    lines[at] = Math.floor(offset / apart);
    places[at] = offset % apart;
  }
  const length = Math.max(...places) + 1;
  const begins = new Int32Array(Math.max(...lines) + 1);
  const mask = bits === 32 ? -1 : 2 ** bits - 1;
  return (first, saved, memory, view, addressAt) => {
    const from = addressAt(saved, memory, first);
    const strideAt = (thread: number) => {
      const operand = step.source.operands[2];
      return operand === undefined ? usual : Number(saved.read(step, operand, "u32", thread));
    };
    const stride = strideAt(first);
    for (let thread = first + 1; thread < first + LANES; thread++) {
      if (addressAt(saved, memory, thread) !== from || strideAt(thread) !== stride) return false;
    }
    const bytes = bits / 8;
    for (let line = 0; line < begins.length; line++) {
      // Between any two allocations there is memory that belongs to none.
      const begin = from + BigInt(bytes * stride * line);
      const place = memory.find(access, begin);
      const last = memory.find(access, begin + BigInt(bytes * (length - 1)));
      if (place < 0 || last !== place + bytes * (length - 1)) return false;
      begins[line] = place / bytes;
    }
    const slots = items.map((item) => saved.placeOf(step, item));
    if (slots.includes(-1)) return false;
    const { words } = saved;
    for (let at = 0, lane = 0; lane < LANES; lane++) {
      for (let register = 0; register < registers; register++) {
        const word = slots[register]! + first + lane;
        if (kind === "store") {
          for (let element = 0; element < elements; element++, at++)
            view[begins[lines[at]!]! + places[at]!] = (words[word]! >>> (bits * element)) & mask;
          continue;
        }
        let loaded = 0;
        for (let element = 0; element < elements; element++, at++)
          loaded |= view[begins[lines[at]!]! + places[at]!]! << (bits * element);
        // Registers beyond those that the matrix needs hold copies.
        for (let item = register; item < slots.length; item += registers)
          words[slots[item]! + first + lane] = loaded;
      }
    }
    return true;
  };
}

/** How a step moves a matrix; undefined when it does not move one. */
export function fragmentMove(step: Step, kernel: ProgramFunction): MoveMatrix | undefined {
  const { operands } = step.source;
  const fragment = fragmentAccess(step.operation);
  if (fragment === undefined) return undefined;
  const { kind, bits, elements, registers } = fragment;
  const [vector, address] = (kind === "load" ? operands : [operands[1], operands[0]]) as [
    Operand,
    AddressOperand,
  ];
  const items = vector.kind === "vector" ? vector.items : [vector];
  const access: Access = {
    kind,
    space: step.operation.space === "shared" ? "shared" : "generic",
    bytes: bits / 8,
  };
  const addressAt = addressOf(step, address, kernel);
  const moveWhole = bits === 64 ? undefined : wholeMove(step, fragment, items, access);
  const registerType: PtxType = bits === 64 ? "b64" : "b32";
  return (first, saved, memory) => {
    const view = new VIEWS[bits as keyof typeof VIEWS](memory.buffer() as ArrayBuffer);
    if (moveWhole?.(first, saved, memory, view as NarrowView, addressAt)) return;
    for (let lane = 0; lane < LANES; lane++) {
      const thread = first + lane;
      const from = addressAt(saved, memory, thread);
      const stride =
        operands[2] === undefined ? fragment.stride : Number(saved.read(step, operands[2], "u32", thread));
      const words: bigint[] = [];
      for (let register = 0; register < registers; register++) {
        let word = kind === "store" ? saved.read(step, items[register]!, registerType, thread) : 0n;
        for (let element = 0; element < elements; element++) {
          const offset = (bits / 8) * fragment.index(lane, register, element, stride);
          const place = memory.place(step, access, thread, BigInt.asUintN(64, from + BigInt(offset)));
          const index = place / (bits / 8);
          if (kind === "load") word |= BigInt(view[index]!) << BigInt(bits * element);
          else {
            const value = BigInt.asUintN(bits, word >> BigInt(bits * element));
            view[index] = bits === 64 ? value : Number(value);
          }
        }
        words.push(word);
      }
      // Registers beyond those that the matrix needs hold copies.
      if (kind === "load")
        saved.write(
          step,
          thread,
          items.map((_, item) => words[item % registers]!),
        );
    }
  };
}
