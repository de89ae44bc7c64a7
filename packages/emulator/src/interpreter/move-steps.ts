// Steps that move bits: `mov` with its packing forms, `cvta`, `isspacep`, and arithmetic with the carry flag.

import { evaluatorOf } from "../arithmetic/evaluator.js";
import { wrap } from "../arithmetic/integer.js";
import { integerType } from "../arithmetic/integer-operations.js";
import { splitMnemonic } from "../arithmetic/operation.js";
import { type PtxType, TYPES } from "../program/types.js";
import { ADDRESS_BASE, ADDRESS_UPPER } from "../run/memory.js";
import type { Builder } from "./builder.js";
import type { Machine } from "./machine.js";
import { readBits, writeBits } from "./values.js";

/** `mov`: one value, or parts of one on either side, the first in the lowest bits. */
export function moveStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const [to, from] = instruction.operands;
  const bits = TYPES[instruction.types[0]!].bits;
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

/** The bits of slots side by side, the first one lowest. */
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

/** `lop3` with a predicate: whether any bit is set, combined with another predicate. */
export function logicPredicateStep(builder: Builder): (() => void) | undefined {
  const { instruction, machine } = builder;
  const combination = /\.(or|and)\./.exec(instruction.opcode)?.[1];
  if (combination === undefined) return undefined;
  const evaluate = evaluatorOf("lop3.b32", 4, 1)!;
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

/** Spaces whose addresses are offsets into an area of the launch; all others have generic addresses. */
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

/** The space among an instruction's words, without `::cta` and the like; generic when there is none. */
export function spaceOf(opcode: string): "generic" | "global" | "const" | "shared" | "local" | "param" {
  const word = /\.(global|const|shared|local|param)\b/.exec(opcode)?.[1];
  return (word as ReturnType<typeof spaceOf> | undefined) ?? "generic";
}

/** `cvta`: from the window of a space to a generic address, `cvta.to`: back. */
export function convertAddressStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const { registers } = machine;
  const source = builder.source(instruction.operands[1]!);
  const target = builder.target(instruction.operands[0]);
  const start = windowStart(machine, spaceOf(instruction.opcode));
  const sign = instruction.opcode.includes(".to.") ? -1n : 1n;
  return () => {
    registers.u64[machine.base + target] = registers.u64[machine.base + source]! + sign * start();
  };
}

/** `isspacep`: whether a generic address is one of a space. */
export function isSpaceStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const { registers } = machine;
  const source = builder.source(instruction.operands[1]!);
  const target = builder.target(instruction.operands[0]);
  const space = spaceOf(instruction.opcode);
  return () => {
    const address = registers.u64[machine.base + source]!;
    const found =
      Number(address >> 32n) === ADDRESS_UPPER ? spaceAt(machine, Number(address & 0xffffffffn)) : "none";
    registers.u32[2 * (machine.base + target)] = found === space ? 1 : 0;
  };
}

/** The space in which an offset of linear memory lies. Constants are global memory that kernels do not write. */
function spaceAt(machine: Machine, offset: number): string {
  if (machine.isShared(offset)) return "shared";
  const within = (area: { offset: number; bytes: number }) =>
    offset >= area.offset && offset < area.offset + area.bytes;
  if (within(machine.locals)) return "local";
  if (within(machine.params)) return "param";
  const { program, addresses } = machine.launch.loaded;
  const isConstant = program.variables.some(
    ({ space, size }, index) => space === "const" && within({ offset: addresses[index]!, bytes: size }),
  );
  return isConstant ? "const" : "global";
}

/** `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`: the carry flag is the thread's. */
export function carryStep(builder: Builder): () => void {
  const { instruction, machine } = builder;
  const { name, modifiers } = splitMnemonic(instruction.opcode);
  const type = instruction.types[0] as PtxType;
  const { bits } = TYPES[type];
  const takes = name.endsWith("c");
  const gives = modifiers.has("cc");
  const slots = instruction.operands.slice(1).map((operand) => builder.source(operand));
  const target = builder.target(instruction.operands[0]);
  const integer = integerType(type);
  const term = CARRYING[name.replace(/c$/, "")]!(modifiers.has("hi"));
  return () => {
    const [a = 0n, b = 0n, c = 0n] = slots.map((slot) => readBits(machine, machine.base + slot, bits));
    const [x, y] = term(integer.signed ? [wrap(integer, a), wrap(integer, b), c] : [a, b, c], bits);
    const carry = takes ? BigInt(machine.thread.carry) : 0n;
    const exact = name.startsWith("sub") ? x - y - carry : x + y + carry;
    if (gives) machine.thread.carry = exact < 0n || exact >> BigInt(bits) !== 0n ? 1 : 0;
    writeBits(machine, machine.base + target, bits, BigInt.asUintN(bits, exact));
  };
}

type Terms = (operands: readonly [bigint, bigint, bigint], bits: number) => readonly [bigint, bigint];

const plainTerms: Terms = ([a, b], bits) => [BigInt.asUintN(bits, a), BigInt.asUintN(bits, b)];

/** The two unsigned terms that an instruction adds or subtracts. */
const CARRYING: Readonly<Record<string, (high: boolean) => Terms>> = {
  add: () => plainTerms,
  sub: () => plainTerms,
  mad:
    (high) =>
    ([a, b, c], bits) => [BigInt.asUintN(bits, high ? (a * b) >> BigInt(bits) : a * b), c],
};
