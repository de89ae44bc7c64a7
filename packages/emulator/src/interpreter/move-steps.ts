// Steps that move bits: `mov` with its packing forms, `cvta`, `isspacep`, and arithmetic with the carry flag.

import { evaluatorOf, integerType, mnemonicOf, wrap } from "@mm-ptx/columns/arithmetic";
import { type PtxType, TYPES } from "../program/types.js";
import { ADDRESS_BASE, ADDRESS_UPPER, CLUSTER_UPPER } from "../run/memory.js";
import type { Builder } from "./builder.js";
import { mappedPlace } from "./cluster.js";
import type { Machine } from "./machine.js";
import { readBits, writeBits } from "./values.js";

/** `mov`: one value, or parts of one value on either side, the first part in the lowest bits. */
export function moveStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const [to, from] = instruction.operands;
  const bits = TYPES[instruction.operation.types[0]!].bits;
  const { registers } = machine;
  if (to?.kind !== "vector" && from?.kind !== "vector" && bits <= 64) {
    const target = builder.target(to);
    const source = builder.source(from!);
    if (bits <= 32) {
      return () => {
        registers.u32[2 * (machine.base + target)] = registers.u32[2 * (machine.base + source)]!;
      };
    }
    return () => {
      registers.u64[machine.base + target] = registers.u64[machine.base + source]!;
    };
  }
  const sources = builder.sources(from!);
  const targets = to?.kind === "vector" ? to.items.map((item) => builder.target(item)) : [builder.target(to)];
  return () => {
    const value = join(machine, sources, bits / sources.length);
    split(machine, targets, bits / targets.length, value);
  };
}

/** Concatenates the bits of slots, the first one lowest. */
function join(machine: Machine, slots: readonly number[], bits: number): bigint {
  return slots.reduce(
    (value, slot, index) => value | (readBits(machine, machine.base + slot, bits) << BigInt(bits * index)),
    0n,
  );
}

function split(machine: Machine, slots: readonly number[], bits: number, value: bigint): void {
  slots.forEach((slot, index) => {
    writeBits(machine, machine.base + slot, bits, BigInt.asUintN(bits, value >> BigInt(bits * index)));
  });
}

/** `lop3` with a predicate: whether any result bit is set, combined with another predicate. */
export function logicPredicateStep(builder: Builder): (() => void) | undefined {
  const { instruction, machine } = builder;
  const { words } = instruction.operation;
  const combination = ["or", "and"].find((word) => words.has(word));
  if (combination === undefined) return undefined;
  const evaluate = evaluatorOf(mnemonicOf("lop3", [], "b32"), 4, 1)!;
  const [result, predicate] = instruction.operands;
  const slots = instruction.operands.slice(2).map((operand) => builder.source(operand));
  const target = builder.target(result);
  const predicateTarget = builder.target(predicate);
  return () => {
    const values = slots.map((slot) => readBits(machine, machine.base + slot, 32));
    const [bits = 0n] = evaluate(values);
    const other = values.at(-1) === 1n;
    const holds = combination === "or" ? bits !== 0n || other : bits !== 0n && other;
    writeBits(machine, machine.base + target, 32, bits);
    writeBits(machine, machine.base + predicateTarget, 1, holds ? 1n : 0n);
  };
}

/** The start of a space whose addresses are offsets into an area of the launch; other spaces have generic addresses. */
function windowStart(machine: Machine, space: string): () => bigint {
  switch (space) {
    case "shared":
      return () => BigInt(ADDRESS_BASE + machine.shared.offset);
    case "local":
      return () => BigInt(ADDRESS_BASE + machine.localBase());
    case "param":
      return () => BigInt(ADDRESS_BASE + machine.params.offset);
    default:
      return () => 0n;
  }
}

/** `cvta` converts an address in a space to a generic address; `cvta.to` converts back. */
export function convertAddressStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const { registers } = machine;
  const source = builder.source(instruction.operands[1]!);
  const target = builder.target(instruction.operands[0]);
  const start = windowStart(machine, instruction.operation.space);
  const { space, words } = instruction.operation;
  const isBack = words.has("to");
  const sign = isBack ? -1n : 1n;
  return () => {
    const address = registers.u64[machine.base + source]!;
    // In the shared memory of other blocks, both kinds of addresses only differ in their upper half.
    const isMapped =
      space === "shared" &&
      (isBack ? Number(address >> 32n) === CLUSTER_UPPER : mappedPlace(Number(address)) !== undefined);
    registers.u64[machine.base + target] =
      address + sign * (isMapped ? BigInt(CLUSTER_UPPER) << 32n : start());
  };
}

/** `isspacep`: whether a generic address is in a space. */
export function isSpaceStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const { registers } = machine;
  const source = builder.source(instruction.operands[1]!);
  const target = builder.target(instruction.operands[0]);
  const space = instruction.operation.space;
  return () => {
    const address = registers.u64[machine.base + source]!;
    const found =
      Number(address >> 32n) === ADDRESS_UPPER ? spaceAt(machine, Number(address & 0xffffffffn)) : "none";
    registers.u32[2 * (machine.base + target)] = found === space ? 1 : 0;
  };
}

/** The space that contains an offset of linear memory. Constants are in global memory. */
function spaceAt(machine: Machine, offset: number): string {
  if (machine.isShared(offset)) return "shared";
  const within = (area: { offset: number; bytes: number }) =>
    offset >= area.offset && offset < area.offset + area.bytes;
  if (within(machine.locals)) return "local";
  if (within(machine.params)) return "param";
  const { program, addresses } = machine.launch.loaded;
  const isConstant = program.variables.some(
    ({ space, bytes: size }, index) =>
      space === "const" && within({ offset: addresses[index]!, bytes: size }),
  );
  return isConstant ? "const" : "global";
}

/**
 * `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc` and `madc`; each thread has its own carry flag. Subtractions add the
 * complement and a carry, as hardware does: after them, the flag is 0 where they borrowed.
 */
export function carryStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const { name, words } = instruction.operation;
  const type = instruction.operation.types[0] as PtxType;
  const { bits } = TYPES[type];
  const { takes, subtracts, multiplies } = CARRYING[name]!;
  const gives = words.has("cc");
  const slots = instruction.operands.slice(1).map((operand) => builder.source(operand));
  const target = builder.target(instruction.operands[0]);
  const integer = integerType(type);
  const term = multiplies ? productTerms(words.has("hi")) : plainTerms;
  return () => {
    const [a = 0n, b = 0n, c = 0n] = slots.map((slot) => readBits(machine, machine.base + slot, bits));
    const [x, y] = term(integer.signed ? [wrap(integer, a), wrap(integer, b), c] : [a, b, c], bits);
    const carry = BigInt(takes ? machine.thread.carry : subtracts);
    const exact = x + (subtracts ? BigInt.asUintN(bits, ~y) : y) + carry;
    if (gives) machine.thread.carry = Number(exact >> BigInt(bits));
    writeBits(machine, machine.base + target, bits, BigInt.asUintN(bits, exact));
  };
}

type Terms = (operands: readonly [bigint, bigint, bigint], bits: number) => readonly [bigint, bigint];

const plainTerms: Terms = ([a, b], bits) => [BigInt.asUintN(bits, a), BigInt.asUintN(bits, b)];

/** The two unsigned terms of the sum; the first one is half of a product. */
const productTerms =
  (high: boolean): Terms =>
  ([a, b, c], bits) => [BigInt.asUintN(bits, high ? (a * b) >> BigInt(bits) : a * b), c];

/** The instructions with a carry flag: whether they add it, and to which terms. */
const CARRYING: Readonly<
  Record<string, { readonly takes: boolean; readonly subtracts: boolean; readonly multiplies: boolean }>
> = {
  add: { takes: false, subtracts: false, multiplies: false },
  addc: { takes: true, subtracts: false, multiplies: false },
  sub: { takes: false, subtracts: true, multiplies: false },
  subc: { takes: true, subtracts: true, multiplies: false },
  mad: { takes: false, subtracts: false, multiplies: true },
  madc: { takes: true, subtracts: false, multiplies: true },
};
