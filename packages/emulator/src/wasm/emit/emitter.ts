// The base of all emitters of instructions: operands are pushed in the requested type, and results are written to where
// the register is kept. Emitters for one lane of a vector override where registers are.

import { CONVERTED_NAN_64, NAN_32 } from "@mm-ptx/types/internal/floats";
import { placeOf, Untranslatable } from "../../control/graph.js";
import type { Context, Step } from "../../control/step.js";
import type { Operand, RegisterOperand, SpecialOperand, VariableReference } from "../../program/operand.js";
import type { ProgramFunction } from "../../program/program.js";
import { type PtxType, TYPES, type ValueType } from "../../program/types.js";
import { ADDRESS_BASE, functionAddress } from "../../run/memory.js";
import type { Code, Label } from "../binary/code.js";
import { type GlobalName, operationKey, type Site } from "../frame.js";
import type { KernelFacts, ThreadLocals } from "./facts.js";
import type { Cursor, Range } from "./ranges.js";
import { writeSpecial } from "./special.js";

/** The type in which a value of a PTX type is on the stack. */
export function stackType(type: PtxType): ValueType {
  if (type === "f32" || type === "f64") return type;
  const { bits } = TYPES[type];
  if (bits > 64) throw new Untranslatable(`it has values of \`.${type}\``);
  return bits === 64 ? "i64" : "i32";
}

const CANONICAL_NAN = BigInt(NAN_32);

export const isSigned = (type: PtxType): boolean => TYPES[type].class === "signed";

export class Emitter {
  readonly code: Code;
  readonly facts: KernelFacts;
  readonly thread: ThreadLocals;
  /** For each register, its local. */
  readonly locals: Int32Array;
  /** Accesses that were checked together. All others check themselves. */
  checked: ReadonlyMap<Step, Range> | undefined;
  /** The number of neighbouring threads that a step is executed for. */
  threads = 1;
  /**
   * The label to which a group of threads branches to give up when one of them has to record something or fault;
   * undefined when it cannot give up.
   */
  giveUp: Label | undefined;
  /** The beginnings of ranges that were checked for a whole row. */
  cursors: ReadonlyMap<Range, Cursor> | undefined;
  readonly #hoisted: Map<string, number>;

  /** @param hoisted the locals of values that the function has already computed, shared by all of its emitters */
  constructor(
    code: Code,
    facts: KernelFacts,
    thread: ThreadLocals,
    locals: Int32Array,
    hoisted = new Map<string, number>(),
  ) {
    this.#hoisted = hoisted;
    this.code = code;
    this.facts = facts;
    this.thread = thread;
    this.locals = locals;
  }

  /** Pushes a register in the type of its local. */
  getRegister(register: number): void {
    this.code.get(this.locals[register]!);
  }

  /** Writes the value that `push` pushes, in the type of its local, to a register. */
  setRegister(register: number, push: () => void): void {
    this.beginRegister(register);
    push();
    this.endRegister(register);
  }

  /** Called before a value is pushed that is going to be written to a register. */
  beginRegister(_register: number): void {}

  /** Writes the value on the stack to a register. */
  endRegister(register: number): void {
    this.code.set(this.locals[register]!);
  }

  /** Pushes the number of the thread. */
  threadNumber(): void {
    this.code.get(this.thread.thread);
  }

  /** Pushes a component of the thread's index. */
  threadIndex(component: number): void {
    const { tidX, tidY, tidZ } = this.thread;
    this.code.get([tidX, tidY, tidZ][component]!);
  }

  /** Pushes the time, which advances with each reading. */
  pushTime(): void {
    const { code, thread, facts } = this;
    code.get(thread.fuel).i32(1).op("i32.sub").tee(thread.fuel).call(facts.module.imports.time);
  }

  /** Pushes where a range begins. */
  pushCursor({ local }: Cursor): void {
    this.code.get(local);
  }

  /** Pushes where the function's frame begins in the thread's local memory. */
  frame(): void {
    if (this.thread.frame === undefined) this.code.i32(0);
    else this.code.get(this.thread.frame);
  }

  /** Pushes a global. Functions read the globals that they need once. */
  global(name: GlobalName): void {
    const { code } = this;
    this.hoisted(name, "i32", () => code.getGlobal(this.facts.module.globals[name]));
  }

  /** Pushes a value that `push` computes once, at the beginning of the function. */
  hoisted(key: string, type: ValueType, push: () => void): void {
    const { code } = this;
    let local = this.#hoisted.get(key);
    if (local === undefined) {
      const added = code.local(type);
      code.atStart(() => {
        push();
        code.set(added);
      });
      this.#hoisted.set(key, added);
      local = added;
    }
    code.get(local);
  }

  site(site: Site): number {
    return this.facts.module.sites.push(site) - 1;
  }

  /** Pushes source or result `i` in its type: small integers are extended, and f16 and pairs are bits. */
  push(step: Step, i: number): void {
    this.pushOperand(step, step.source.operands[i]!, this.typeOf(step, i));
  }

  typeOf({ operation }: Step, i: number): PtxType {
    const type = operation.operandTypes[i];
    if (type === undefined) throw new Untranslatable(`it has \`${operation.opcode}\``);
    return type;
  }

  /** Pushes an operand in a type. */
  pushOperand(step: Step, operand: Operand, type: PtxType): void {
    const wanted = stackType(type);
    const { bits } = TYPES[type];
    if (operand.kind === "immediate" && bits <= 16) {
      this.constant(
        isSigned(type) ? BigInt.asIntN(bits, operand.bits) : BigInt.asUintN(bits, operand.bits),
        wanted,
      );
      return;
    }
    this.pushBits(step, operand, wanted, false);
    if (operand.kind === "immediate" || operand.kind === "special") return;
    if (bits > 16 || wanted !== "i32" || type === "pred") return;
    // 16-bit registers are kept zero-extended.
    const kept = operand.kind === "register" ? this.#registerBits(step, operand) : 32;
    if (isSigned(type)) this.code.op(bits === 8 ? "i32.extend8_s" : "i32.extend16_s");
    else if (kept > bits) this.code.i32(2 ** bits - 1).op("i32.and");
  }

  /**
   * Pushes an operand's bits in a type.
   *
   * @param observed whether the bits of a NaN matter from now on
   */
  pushBits(step: Step, operand: Operand, wanted: ValueType, observed: boolean): void {
    const { code } = this;
    switch (operand.kind) {
      case "register":
        this.#pushRegister(step, operand, wanted, observed);
        return;
      case "immediate":
        this.constant(operand.bits, wanted);
        return;
      case "special":
        this.#pushSpecial(operand, wanted);
        return;
      case "variable":
        this.addressOf(step.context, operand.variable, operand.offset, wanted);
        return;
      case "function":
        code.i64(BigInt(functionAddress(operand.function)));
        return;
      default:
        throw new Untranslatable(`it has \`${step.operation.opcode}\``);
    }
  }

  constant(bits: bigint, wanted: ValueType): void {
    const { code } = this;
    if (wanted === "i32") code.i32(Number(BigInt.asIntN(32, bits)));
    else if (wanted === "i64") code.i64(bits);
    else if (wanted === "f32") code.f32(bits);
    else code.f64(bits);
  }

  /** Writes result `i`: `push` pushes it in a type, with small integers extended as the operand's type requires. */
  assign(step: Step, i: number, pushed: ValueType, push: () => void): void {
    this.assignOperand(step, step.source.operands[i]!, this.typeOf(step, i), pushed, push);
  }

  assignOperand(step: Step, operand: Operand, type: PtxType, pushed: ValueType, push: () => void): void {
    if (operand.kind === "sink") return;
    if (operand.kind !== "register") throw new Untranslatable(`it has \`${step.operation.opcode}\``);
    const register = step.context.registerBase + operand.register;
    const kept = this.facts.types[register]!;
    const bits = TYPES[this.facts.registerTypes[register]!].bits;
    this.beginRegister(register);
    push();
    this.convert(pushed, kept, isSigned(type));
    if (bits === 16 && kept === "i32") this.code.i32(0xffff).op("i32.and");
    this.endRegister(register);
  }

  /** Writes an arithmetic f32 result, whose NaN payload is unspecified, to result `i`. */
  assignFloat(step: Step, i: number, push: (emitter: Emitter, step: Step) => void): void {
    const operand = step.source.operands[i]!;
    if (operand.kind === "sink") return;
    if (operand.kind !== "register") throw new Untranslatable(`it has \`${step.operation.opcode}\``);
    const register = step.context.registerBase + operand.register;
    this.beginRegister(register);
    push(this, step);
    if (this.facts.anyNaN[register] === 0) this.canonical();
    this.convert("f32", this.facts.types[register]!);
    this.endRegister(register);
  }

  /** Writes an arithmetic f64 result to result `i`. Its NaN is that of the first f64 source that is a NaN. */
  assignDouble(step: Step, i: number, push: () => void): void {
    const { code } = this;
    const sources: number[] = [];
    for (let source = step.operation.results; source < step.source.operands.length; source++) {
      if (step.operation.operandTypes[source] === "f64") sources.push(source);
    }
    this.assign(step, i, "f64", () => {
      push();
      code.scratch("f64", (value) => {
        code.tee(value).get(value).op("f64.ne").if();
        if (sources.length === 0) code.f64(CONVERTED_NAN_64);
        else {
          for (const source of sources) this.push(step, source);
          for (let missing = sources.length; missing < 3; missing++) code.f64(0n);
          code.call(this.facts.module.nan64);
        }
        code.set(value).end().get(value);
      });
    });
  }

  /** Emits a call to JavaScript, which computes the instruction. */
  foreign(step: Step): void {
    const { results } = step.operation;
    const { operands } = step.source;
    const { scalar, import: first, second } = this.facts.module.operations.get(operationKey(step))!;
    const pushResult = (index: number) => {
      scalar.args.forEach((kind, i) => {
        const source = results + i;
        if (kind === "f32" || kind === "f64") this.push(step, source);
        else this.pushPlain(step, source, kind);
      });
      this.code.call(index);
    };
    if (results > 1 && operands[1]!.kind !== "sink" && second !== undefined) {
      this.code.scratch("i32", (other) => {
        pushResult(second);
        this.code.set(other);
        this.assign(step, 0, "i32", () => pushResult(first));
        this.assign(step, 1, "i32", () => this.code.get(other));
      });
      return;
    }
    if (scalar.result === "f32") this.assignFloat(step, 0, () => pushResult(first));
    else if (scalar.result === "f64") this.assignDouble(step, 0, () => pushResult(first));
    else {
      this.assign(step, 0, scalar.result, () => {
        pushResult(first);
        const { code } = this;
        if (scalar.result === "i64" || scalar.bits >= 32) return;
        if (scalar.signed) code.op(scalar.bits === 8 ? "i32.extend8_s" : "i32.extend16_s");
        else code.i32(2 ** scalar.bits - 1).op("i32.and");
      });
    }
  }

  /** Pushes the bits of a source, zero-extended if it is small. */
  pushPlain(step: Step, i: number, kind: "i32" | "i64"): void {
    const type = this.typeOf(step, i);
    this.pushBits(step, step.source.operands[i]!, kind, true);
    const { bits } = TYPES[type];
    if (kind === "i32" && bits < 32 && bits > 1) this.code.i32(2 ** bits - 1).op("i32.and");
  }

  /** Replaces a NaN f32 on the stack by the canonical NaN (PTX ISA, Floating-Point Instructions). */
  canonical(): void {
    const { code } = this;
    const value = code.take("f32");
    code.tee(value).f32(CANONICAL_NAN).get(value).get(value).op("f32.eq").op("select");
    code.release("f32", value);
  }

  /** Converts the value on the stack to another type. Bits are kept; integers are truncated or extended. */
  convert(from: ValueType, to: ValueType, signed = false): void {
    const { code } = this;
    if (from === to) return;
    if (from === "f32" || from === "f64") {
      code.op(from === "f32" ? "i32.reinterpret_f32" : "i64.reinterpret_f64");
      this.convert(from === "f32" ? "i32" : "i64", to);
      return;
    }
    const wide = to === "i64" || to === "f64";
    if (from === "i32" && wide) code.op(signed ? "i64.extend_i32_s" : "i64.extend_i32_u");
    if (from === "i64" && !wide) code.op("i32.wrap_i64");
    if (to === "f32") code.op("f32.reinterpret_i32");
    if (to === "f64") code.op("f64.reinterpret_i64");
  }

  /** The address of a variable in bytes, relative to the window of its space. */
  addressOf(context: Context, reference: VariableReference, offset: number, wanted: ValueType): void {
    const { program, kernel, addresses } = this.facts;
    const push = (value: number) => this.constant(BigInt(value), wanted);
    if (reference.kind === "module-variable") {
      const variable = program.variables[reference.variable]!;
      if (variable.space === "shared") push(this.sharedOffset(reference.variable) + offset);
      else push(ADDRESS_BASE + addresses[reference.variable]! + offset);
      return;
    }
    const place = placeOf(context, reference);
    const variable = place.context.body.variables[place.variable]!;
    if (variable.space === "local") {
      push(place.context.frameBase + variable.offset + offset);
      if (this.thread.frame !== undefined) {
        this.frame();
        this.convert("i32", wanted);
        this.code.op(wanted === "i64" ? "i64.add" : "i32.add");
      }
    } else if (place.context.body === kernel && isKernelParameter(kernel, place.variable))
      push(variable.offset + offset);
    else
      throw new Untranslatable(
        `it takes the address of \`${variable.name}\`, a parameter of a device function`,
      );
  }

  /** The offset of a shared variable in the block's shared memory. */
  sharedOffset(variable: number): number {
    const placement = this.facts.kernel.shared.find((shared) => shared.variable === variable);
    if (placement === undefined) throw new Untranslatable("it uses a shared variable that has no place");
    return placement.offset;
  }

  #pushRegister(step: Step, operand: RegisterOperand, wanted: ValueType, observed: boolean): void {
    const register = step.context.registerBase + operand.register;
    const kept = this.facts.types[register]!;
    this.getRegister(register);
    if (operand.negated) this.code.op("i32.eqz");
    if (this.facts.anyNaN[register] === 1 && (wanted !== kept || observed)) this.canonical();
    this.convert(kept, wanted);
  }

  #registerBits({ context }: Step, { register }: RegisterOperand): number {
    return TYPES[this.facts.registerTypes[context.registerBase + register]!].bits;
  }

  #pushSpecial(operand: SpecialOperand, wanted: ValueType): void {
    this.convert(writeSpecial(this, operand), wanted);
  }
}

/** Whether a variable of a kernel is one of its parameters, in the parameter block. */
export function isKernelParameter(kernel: ProgramFunction, variable: number): boolean {
  return kernel.parameters.includes(variable);
}
