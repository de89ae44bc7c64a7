// Vector forms of `atom` and `red` (PTX ISA, Parallel Synchronization and Communication Instructions: atom, red). Each
// element of the vector is an atomic operation of its own.
import { evaluatorOf, mnemonicOf } from "@mm-ptx/columns/arithmetic";
import type { Operation } from "../program/operation.js";
import { TYPES } from "../program/types.js";
import type { Procedure, ProcedureHost } from "./procedure.js";

type Update = (old: bigint, operand: bigint) => bigint;

/** Additions of f32 in global memory flush subnormals to zero; those of smaller floats do not. */
function updateOf({ words, types }: Operation): Update {
  const type = types[0]!;
  const name = ["add", "min", "max"].find((word) => words.has(word))!;
  const modifiers = name === "add" ? ["rn", ...(type === "f32" ? ["ftz"] : [])] : [];
  const evaluate = evaluatorOf(mnemonicOf(name, modifiers, type), 2, 1)!;
  return (old, operand) => evaluate([old, operand])[0]!;
}

/** Replaces an element in one indivisible step, even if other CPU threads use the memory; returns the old one. */
function replace(
  { view }: ProcedureHost,
  offset: number,
  bits: number,
  update: (old: bigint) => bigint,
): bigint {
  const { buffer } = view;
  const elements = bits === 16 ? new Uint16Array(buffer, offset, 1) : new Uint32Array(buffer, offset, 1);
  for (;;) {
    const old = Atomics.load(elements, 0);
    const next = Number(update(BigInt(old)));
    if (Atomics.compareExchange(elements, 0, old, next) === old) return BigInt(old);
  }
}

/** The procedure of a form of `atom` or `red` with a vector. */
export function vectorAtomic(operation: Operation): Procedure {
  const { bits } = TYPES[operation.types[0]!];
  const update = updateOf(operation);
  const returns = operation.results > 0;
  const count = Number(operation.modifiers.vec!.slice(1));
  return (host, [address, ...operands]) => {
    const offset = host.place(address!, operation.space, (count * bits) / 8, "atomic");
    const olds: bigint[] = [];
    for (let i = 0; i < count; i++)
      olds.push(replace(host, offset + (i * bits) / 8, bits, (old) => update(old, operands[i]!)));
    return returns ? olds : [];
  };
}
