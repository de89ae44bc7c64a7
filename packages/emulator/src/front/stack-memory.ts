// Memory that a call takes while it runs: `alloca`, `stacksave` and `stackrestore` (PTX ISA, Stack Manipulation
// Instructions). Such a function has an area in its frame and a register that says how much of it is taken, so its
// instructions become arithmetic with that register, and what it took ends with the call.
import { matchOpcode } from "../isa/match.js";
import type { Operand, RegisterOperand } from "../program/operand.js";
import type { Operation } from "../program/operation.js";
import type { Instruction, ProgramRegister } from "../program/program.js";
import type { PtxType } from "../program/types.js";
import { noStackMemory, STACK_AREA_BYTES } from "../run/traps.js";
import type { Frame } from "./frame.js";

const LOWERED: ReadonlySet<string> = new Set(["alloca", "stacksave", "stackrestore"]);

const DEFAULT_ALIGN = 8n;

/** Bits of an address for each type of its register. */
type Width = "u32" | "u64";

const operationOf = (opcode: string): Operation => matchOpcode(opcode)[0]!.operation;
const trapOf = ({ opcode }: Operation): Operation => ({
  ...operationOf("trap"),
  modifiers: { why: noStackMemory(opcode) },
});
const immediate = (bits: bigint): Operand => ({ kind: "immediate", bits: BigInt.asUintN(64, bits) });

/** Replaces the instructions that take memory of the call; returns the same list when there are none. */
export function lowerStackMemory(
  instructions: readonly Instruction[],
  registers: ProgramRegister[],
  frame: Frame,
): readonly Instruction[] {
  const first = instructions.find(({ operation }) => LOWERED.has(operation.name));
  if (first === undefined) return instructions;
  const lowering = new Lowering(registers, frame);
  const lowered: Instruction[] = [lowering.begin(first)];
  const places = instructions.map((instruction) => {
    const place = lowered.length;
    lowered.push(...lowering.lower(instruction));
    return place;
  });
  places.push(lowered.length);
  return lowered.map((instruction) => Object.freeze(moved(instruction, places)));
}

/** An instruction whose targets are at other places. */
function moved(instruction: Instruction, places: readonly number[]): Instruction {
  const { operands, branchTargets } = instruction;
  return {
    ...instruction,
    operands: operands.map((operand) =>
      operand.kind === "label" ? { ...operand, target: places[operand.target]! } : operand,
    ),
    branchTargets: branchTargets?.map((target) => places[target]!),
  };
}

class Lowering {
  readonly #registers: ProgramRegister[];
  /** The first byte of the area, as an operand. */
  readonly #area: Operand;
  /** The address after what is taken. */
  readonly #top: RegisterOperand;
  readonly #address: RegisterOperand;
  readonly #size: RegisterOperand;
  readonly #end: RegisterOperand;
  readonly #isFull: RegisterOperand;

  constructor(registers: ProgramRegister[], frame: Frame) {
    this.#registers = registers;
    const variable = frame.add({
      ...{ name: "stack memory", nameSpan: { start: 0, end: 0 }, space: "local", type: "b8" },
      ...{ bytes: STACK_AREA_BYTES, align: 16, offset: 0, extern: false, initial: undefined },
      relocations: [],
    });
    this.#area = { kind: "variable", variable: { kind: "function-variable", variable }, offset: 0 };
    this.#top = this.#register("b64");
    this.#address = this.#register("b64");
    this.#size = this.#register("b64");
    this.#end = this.#register("b64");
    this.#isFull = this.#register("pred");
  }

  #register(type: PtxType): RegisterOperand {
    const register = this.#registers.length;
    this.#registers.push(Object.freeze({ name: `stack memory ${register}`, type }));
    return { kind: "register", register, negated: false };
  }

  /** The instruction before the first one. */
  begin({ span }: Instruction): Instruction {
    const operation = operationOf("mov.u64");
    return { operation, operands: [this.#top, this.#area], guard: undefined, call: undefined, branchTargets: undefined, span };
  }

  lower(instruction: Instruction): readonly Instruction[] {
    const { operation, operands } = instruction;
    const width = operation.types[0] as Width;
    switch (operation.name) {
      case "alloca":
        return this.#take(instruction, width);
      case "stacksave":
        return [like(instruction, width === "u64" ? "mov.u64" : "cvt.u32.u64", [operands[0]!, this.#top])];
      case "stackrestore":
        return [like(instruction, width === "u64" ? "mov.u64" : "cvt.u64.u32", [this.#top, operands[0]!])];
      default:
        return [instruction];
    }
  }

  /** Aligns the top, and adds the size, which is limited first so that the sum cannot overflow. */
  #take(instruction: Instruction, width: Width): readonly Instruction[] {
    const [result, size, align] = instruction.operands;
    const boundary = align?.kind === "immediate" ? align.bits : DEFAULT_ALIGN;
    const [top, address, least, end] = [this.#top, this.#address, this.#size, this.#end];
    const limit = immediate(BigInt(STACK_AREA_BYTES) + 1n);
    const given = (opcode: string, ...list: Operand[]) => like(instruction, opcode, list);
    const always = (opcode: string, ...list: Operand[]) => ({ ...given(opcode, ...list), guard: undefined });
    return [
      given("add.s64", address, top, immediate(boundary - 1n)),
      given("and.b64", address, address, immediate(-boundary)),
      width === "u64" ? given("min.u64", least, size!, limit) : given("cvt.u64.u32", least, size!),
      ...(width === "u64" ? [] : [given("min.u64", least, least, limit)]),
      given("add.s64", top, address, least),
      always("mov.u64", end, this.#area),
      always("add.s64", end, end, immediate(BigInt(STACK_AREA_BYTES))),
      always("setp.gt.u64", this.#isFull, { kind: "sink" }, top, end),
      {
        ...{ operation: trapOf(instruction.operation), operands: [] },
        guard: { register: this.#isFull.register, negated: false },
        ...{ call: undefined, branchTargets: undefined, span: instruction.span },
      },
      given(width === "u64" ? "mov.u64" : "cvt.u32.u64", result!, address),
    ];
  }
}

/** Another instruction at the same place and with the same guard. */
const like = (instruction: Instruction, opcode: string, operands: readonly Operand[]): Instruction => ({
  ...instruction,
  operation: operationOf(opcode),
  operands,
});
