// Memory that a call takes while it runs: `alloca`, `stacksave` and `stackrestore` (PTX ISA, Stack Manipulation
// Instructions). Such a function has an area in its frame and a register that points to the end of the used part. These
// instructions become arithmetic on that register, and the memory is free again when the call returns.
import { matchOpcode } from "../isa/match.js";
import type { Operand, RegisterOperand } from "../program/operand.js";
import type { Operation } from "../program/operation.js";
import type { Instruction, ProgramRegister } from "../program/program.js";
import type { PtxType } from "../program/types.js";
import type { Frame } from "./frame.js";

/** An opcode and its operands. */
type Lowered = readonly [opcode: string, ...operands: (Operand | undefined)[]];

/** The bytes of stack memory of one call. */
const STACK_AREA_BYTES = 8192;
const DEFAULT_ALIGN = 8n;
const SINK: Operand = { kind: "sink" };

const operationOf = (opcode: string): Operation => matchOpcode(opcode)[0]!.operation;
const immediate = (bits: bigint): Operand => ({ kind: "immediate", bits: BigInt.asUintN(64, bits) });

/** Replaces the instructions that take memory of the call; returns the same list if no instruction does. */
export function lowerStackMemory(
  instructions: readonly Instruction[],
  registers: ProgramRegister[],
  frame: Frame,
): readonly Instruction[] {
  const first = instructions.find(({ operation: { name } }) => name === "alloca" || name.startsWith("stack"));
  if (first === undefined) return instructions;
  const variable = frame.add({
    ...{ name: "stack memory", nameSpan: first.span, space: "local", type: "b8", bytes: STACK_AREA_BYTES },
    ...{ align: 16, offset: 0, extern: false, initial: undefined, relocations: [] },
  });
  const area: Operand = { kind: "variable", variable: { kind: "function-variable", variable }, offset: 0 };
  const newRegister = (type: PtxType): RegisterOperand => {
    const register = registers.push(Object.freeze({ name: "stack memory", type })) - 1;
    return { kind: "register", register, negated: false };
  };
  const [top, end, address, bytes] = [1, 2, 3, 4].map(() => newRegister("b64"));
  const isBeyond = newRegister("pred");

  /** The size is limited first, so that the sum cannot overflow. */
  const lower = ({ operation: { name, types }, operands: [a, size, align] }: Instruction): Lowered[] => {
    if (name === "stacksave") return [[`cvt.${types[0]}.u64`, a, top]];
    if (name === "stackrestore") return [[`cvt.u64.${types[0]}`, top, a]];
    if (name !== "alloca") return [];
    const boundary = align?.kind === "immediate" ? align.bits : DEFAULT_ALIGN;
    return [
      ["add.s64", address, top, immediate(boundary - 1n)],
      ["and.b64", address, address, immediate(-boundary)],
      [`cvt.u64.${types[0]}`, bytes, size],
      ["min.u64", bytes, bytes, immediate(BigInt(STACK_AREA_BYTES) + 1n)],
      ["add.s64", top, address, bytes],
      [`cvt.${types[0]}.u64`, a, address],
    ];
  };
  const made = (at: Instruction, list: readonly Lowered[]): Instruction[] =>
    list.map(([opcode, ...operands]) => ({
      ...at,
      operation: operationOf(opcode),
      operands: operands as Operand[],
    }));

  const lowered = made({ ...first, guard: undefined }, [
    ["mov.u64", top, area],
    ["add.s64", end, top, immediate(BigInt(STACK_AREA_BYTES))],
  ]);
  const places = instructions.map((instruction) => {
    const place = lowered.length;
    const list = lower(instruction);
    lowered.push(...(list.length === 0 ? [instruction] : made(instruction, list)));
    if (instruction.operation.name !== "alloca") return place;
    const why = `\`${instruction.operation.opcode}\` takes more than the ${STACK_AREA_BYTES} bytes of stack memory of a call`;
    const unguarded = { ...instruction, guard: undefined };
    lowered.push(...made(unguarded, [["setp.gt.u64", isBeyond, SINK, top, end]]), {
      ...unguarded,
      ...{ operation: { ...operationOf("trap"), modifiers: { why } }, operands: [] },
      guard: { register: isBeyond!.register, negated: false },
    });
    return place;
  });
  places.push(lowered.length);
  return lowered.map((instruction) =>
    Object.freeze({
      ...instruction,
      operands: instruction.operands.map((operand) =>
        operand.kind === "label" ? { ...operand, target: places[operand.target]! } : operand,
      ),
      branchTargets: instruction.branchTargets?.map((target) => places[target]!),
    }),
  );
}
