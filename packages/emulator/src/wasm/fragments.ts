// `wmma.load` and `wmma.store`: move a matrix between memory and the registers of a warp, element by element.
import type { Step } from "../control/step.js";
import type { AddressOperand, Operand } from "../program/operand.js";
import type { ProgramFunction } from "../program/program.js";
import type { PtxType } from "../program/types.js";
import { fragmentAccess } from "../run/fragments.js";
import type { Access } from "./access.js";
import { addressOf, type MoveMatrix } from "./matrices.js";

const LANES = 32;
/** Typed array constructors by the bits of an element. */
const VIEWS = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array } as const;

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
  const registerType: PtxType = bits === 64 ? "b64" : "b32";
  return (first, saved, memory) => {
    const view = new VIEWS[bits as keyof typeof VIEWS](memory.buffer() as ArrayBuffer);
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
