// Maps the operands of a function's instructions to slots of its frame: registers have slots, constants get a slot that
// every new frame is initialized with, and values that must be computed each time are written to a slot before their
// instruction.
import type { AddressOperand, Operand, VariableReference } from "../program/operand.js";
import type { Instruction, Program, ProgramFunction, ProgramVariable } from "../program/program.js";
import { type PtxType, TYPES } from "../program/types.js";
import { ADDRESS_BASE, functionAddress } from "../run/memory.js";
import type { Access, Area, Machine, Space } from "./machine.js";
import { specialReader } from "./special.js";

/** Computes an address: returns the offset of an access in linear memory. */
export type Locate = () => number;

export class Builder {
  readonly program: Program;
  /** The first slot of each register. */
  readonly slots: number[] = [];
  readonly #words: number[] = [];
  readonly #constants = new Map<bigint, number>();
  /** Computations to run before the instruction that is being built. */
  before: (() => void)[] = [];
  instruction!: Instruction;

  constructor(
    readonly machine: Machine,
    readonly fn: ProgramFunction,
  ) {
    this.program = machine.launch.loaded.program;
    for (const { type } of fn.registers) this.slots.push(this.scratch(TYPES[type].bits > 64 ? 2 : 1));
  }

  /** The words of a new frame. */
  get frame(): Uint32Array {
    return Uint32Array.from(this.#words);
  }

  /** The slot of a register. */
  register(index: number): number {
    return this.slots[index]!;
  }

  /** Reserves slots that nothing else uses and returns the first. */
  scratch(slots = 1): number {
    const slot = this.#words.length / 2;
    for (let word = 0; word < 2 * slots; word++) this.#words.push(0);
    return slot;
  }

  /** A slot with these bits. */
  constant(bits: bigint): number {
    const known = this.#constants.get(bits);
    if (known !== undefined) return known;
    const slot = this.scratch(bits >> 64n === 0n ? 1 : 2);
    for (let word = 0, rest = bits; rest > 0n; word++, rest >>= 32n) {
      this.#words[2 * slot + word] = Number(rest & 0xffffffffn);
    }
    this.#constants.set(bits, slot);
    return slot;
  }

  /** A slot that is written before each execution of the instruction. */
  computed(compute: () => number | bigint): number {
    const { machine } = this;
    const { registers } = machine;
    const slot = this.scratch();
    this.before.push(() => {
      const value = compute();
      if (typeof value === "bigint") registers.u64[machine.base + slot] = value;
      else registers.u32[2 * (machine.base + slot)] = value;
    });
    return slot;
  }

  /** The slot from which an operand is read. */
  source(operand: Operand): number {
    switch (operand.kind) {
      case "register": {
        const slot = this.register(operand.register);
        if (!operand.negated) return slot;
        const { machine } = this;
        return this.computed(() => machine.registers.u32[2 * (machine.base + slot)]! ^ 1);
      }
      case "immediate":
        return this.constant(operand.bits);
      case "special":
        return this.computed(specialReader(this.machine, operand) ?? (() => 0));
      case "function":
        return this.constant(BigInt(functionAddress(operand.function)));
      case "variable":
        return this.#variableAddress(operand.variable, operand.offset);
      case "address":
        // A variable with an offset, in brackets that do not denote an access.
        return this.#base(operand);
      default:
        return this.scratch();
    }
  }

  /** The slot of an address without its displacement; for variables, the displacement is included. */
  #base({ base, offset }: AddressOperand): number {
    if (base.kind === "register" || base.kind === "immediate") return this.source(base);
    return this.#variableAddress(base, offset);
  }

  /** The source slots of the instruction's operand; for a vector, the slots of its items. */
  sources(operand: Operand): readonly number[] {
    return operand.kind === "vector"
      ? operand.items.map((item) => this.source(item))
      : [this.source(operand)];
  }

  /** The slot for a result: a register's slot, or an unused one. */
  target(operand: Operand | undefined): number {
    return operand?.kind === "register" ? this.register(operand.register) : this.scratch();
  }

  /** The width of the register for a result; the width of the type if the result is discarded. */
  targetBits(operand: Operand | undefined, type: PtxType): number {
    const { registers } = this.fn;
    return TYPES[operand?.kind === "register" ? registers[operand.register]!.type : type].bits;
  }

  variable({ kind, variable }: VariableReference): ProgramVariable {
    return (kind === "module-variable" ? this.program : this.fn).variables[variable]!;
  }

  /** Whether a variable is a kernel parameter, which is not part of a frame. */
  isKernelParam({ kind, variable }: VariableReference): boolean {
    return kind === "function-variable" && this.fn.kind === "entry" && this.fn.parameters.includes(variable);
  }

  /** A slot with the address of a variable in its space. */
  #variableAddress(reference: VariableReference, displacement: number): number {
    const { space, offset } = this.variable(reference);
    const { machine } = this;
    if (reference.kind === "module-variable") {
      const place =
        space === "shared"
          ? (machine.sharedOffsets.get(reference.variable) ?? 0)
          : ADDRESS_BASE + machine.launch.loaded.addresses[reference.variable]!;
      return this.constant(BigInt.asUintN(64, BigInt(place + displacement)));
    }
    if (this.isKernelParam(reference)) return this.constant(BigInt(offset + displacement));
    return this.computed(() => BigInt(machine.frame.local + offset + displacement));
  }

  /**
   * The location of an access in linear memory. `space` is the instruction's space, or generic if it has none.
   *
   * @param touched how many bytes of an access to global memory must be allocated; all of them by default
   */
  locate(operand: Operand, space: Space, bytes: number, access: Access, touched = bytes): Locate {
    const { machine } = this;
    const { base, offset } = operand as AddressOperand;
    if (base.kind !== "register" && base.kind !== "immediate") {
      return this.#locateVariable(base, offset, bytes, access, touched);
    }
    const slot = base.kind === "register" ? this.register(base.register) : this.constant(base.bits);
    const { registers } = machine;
    const narrow = base.kind === "register" && TYPES[this.fn.registers[base.register]!.type].bits === 32;
    const low = () => registers.u32[2 * (machine.base + slot)]!;
    const high = () => (narrow ? 0 : registers.u32[2 * (machine.base + slot) + 1]!);
    const inArea = (area: () => Area): Locate =>
      narrow
        ? // Sums with a 32-bit register wrap at 32 bits: compilers combine large offsets with small negative numbers.
          () => machine.inArea(area(), (low() + offset) >>> 0, bytes, access, space)
        : () => machine.sumInArea(area(), low(), high(), offset, bytes, access, space);
    switch (space) {
      case "shared":
        return inArea(() => machine.shared);
      case "local":
        return inArea(() => machine.localArea());
      case "param":
        return inArea(() => machine.params);
      default:
        return () => machine.generic(low(), high(), offset, bytes, access, space, touched);
    }
  }

  #locateVariable(
    reference: VariableReference,
    displacement: number,
    bytes: number,
    access: Access,
    touched: number,
  ): Locate {
    const { machine } = this;
    const { space, offset } = this.variable(reference);
    if (reference.kind === "module-variable") {
      if (space === "shared") {
        const address = (machine.sharedOffsets.get(reference.variable) ?? 0) + displacement;
        return () => machine.inArea(machine.shared, address, bytes, access, space);
      }
      const place = machine.launch.loaded.addresses[reference.variable]! + displacement;
      return () => machine.checked(place, bytes, access, space, touched);
    }
    if (this.isKernelParam(reference)) {
      return () => machine.inArea(machine.params, offset + displacement, bytes, access, space);
    }
    return () =>
      machine.inArea(machine.localArea(), machine.frame.local + offset + displacement, bytes, access, space);
  }
}
