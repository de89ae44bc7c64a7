// Loads, stores and the addresses of atomic operations. An access in the generic window is checked with one load from
// the page table; in the other windows it is checked against the size of the thread's or block's own memory.

import { placeOf, Untranslatable } from "../../control/graph.js";
import type { Step } from "../../control/step.js";
import { type AddressOperand, itemsOf, type Operand, type RegisterOperand } from "../../program/operand.js";
import { type PtxType, TYPES, type ValueType } from "../../program/types.js";
import type { Access } from "../access.js";
import type { Label, MemoryOpcode } from "../binary/code.js";
import { observesAccesses } from "../checks/checks.js";
import { afterStore, observe } from "../checks/observe.js";
import type { GlobalName } from "../frame.js";
import type { Bytes } from "../page-bounds.js";
import { leaveUnlessInside, leaveUnlessMapped, placesIn, pushSharedPlaces } from "./bounds.js";
import { type Emitter, isKernelParameter, isSigned, stackType } from "./emitter.js";
import { pushCheckedBase } from "./range-checks.js";
import { isStrong, loadStrong, storeStrong } from "./strong.js";

/** Where the bytes of an access are: the address on the stack plus a constant. */
export interface Place {
  readonly push: () => void;
  readonly offset: number;
}

/**
 * Checks an access at an address operand, and passes on where its bytes are.
 *
 * @param touched how many of the bytes of an access to global memory have to be allocated; all of them by default
 */
export function withAddress(
  emitter: Emitter,
  step: Step,
  operand: Operand,
  access: Access,
  use: (place: Place) => void,
  touched: Bytes = access.bytes,
): void {
  if (operand.kind !== "address") throw new Untranslatable(`it has \`${step.operation.opcode}\``);
  const { space, bytes } = access;
  const observed = (place: Place) => {
    if (observesAccesses(emitter.facts.checks))
      observe(emitter, step, access, place.push, place.offset, touched);
  };
  const together = emitter.checked?.get(step);
  if (together !== undefined) {
    emitter.code.scratch("i32", (base) => {
      const offset = pushCheckedBase(emitter, together, operand.offset);
      emitter.code.set(base);
      const place = { push: () => emitter.code.get(base), offset };
      observed(place);
      use(place);
    });
    return;
  }
  const site = () => emitter.site({ step, access });
  if (space === "generic" || space === "global" || space === "const") {
    withGeneric(emitter, step, operand, bytes, touched, { site, observed, use });
  } else withWindow(emitter, step, operand, space, bytes, { site, observed, use });
}

/** What is emitted for an access. */
interface Uses {
  readonly site: () => number;
  /** Where its bytes are known to be allocated. */
  readonly observed: (place: Place) => void;
  /** The access itself. */
  readonly use: (place: Place) => void;
}

function withGeneric(
  emitter: Emitter,
  step: Step,
  { base, offset }: AddressOperand,
  bytes: number,
  touched: Bytes,
  { site, observed, use }: Uses,
): void {
  const { code } = emitter;
  code.scratch("i64", (address) => {
    code.scratch("i32", (low) => {
      const place = { push: () => code.get(low), offset: 0 };
      if (base.kind === "register") emitter.pushBits(step, base, "i64", true);
      else if (base.kind === "immediate") code.i64(base.bits);
      else emitter.addressOf(step.context, base, 0, "i64");
      if (offset !== 0) code.i64(BigInt(offset)).op("i64.add");
      code.set(address);
      orFault(emitter, site, address, low, (away) => {
        leaveUnlessMapped(emitter, address, low, { bytes: touched, alignment: bytes }, away);
        observed(place);
      });
      use(place);
    });
  });
}

/**
 * Emits a check that sets the local of a place. Where it branches away, the access faults at the address. With the check
 * of memory, a group of threads gives up if it can, and otherwise the access goes to memory that holds zeros.
 */
function orFault(
  emitter: Emitter,
  site: () => number,
  address: number,
  place: number,
  check: (away: Label) => void,
): void {
  const { code, facts } = emitter;
  const isRight = code.block();
  check(code.block());
  code.br(isRight).end();
  // Without the check, the launch ends, and a call that does not return leaves the rest of the code faster than a branch.
  if (facts.checks.memory && emitter.giveUp !== undefined) code.br(emitter.giveUp);
  else {
    const number = site();
    for (let i = 0; i < emitter.threads; i++) {
      code.i32(number);
      emitter.threadNumber();
      if (i > 0) code.i32(i).op("i32.add");
      code.get(address).call(facts.module.imports.fault).set(place);
    }
    if (!facts.checks.memory) code.op("unreachable");
  }
  code.end();
}

/** Pushes a register plus a constant. A sum with a 32-bit register has 32 bits. */
export function pushSum(emitter: Emitter, step: Step, base: RegisterOperand, offset: number): void {
  const { code, facts } = emitter;
  const isNarrow = TYPES[facts.registerTypes[step.context.registerBase + base.register]!].bits === 32;
  emitter.pushBits(step, base, isNarrow ? "i32" : "i64", true);
  if (offset !== 0 && isNarrow) code.i32(offset).op("i32.add");
  if (isNarrow) code.op("i64.extend_i32_u");
  else if (offset !== 0) code.i64(BigInt(offset)).op("i64.add");
}

/** The globals that hold where windows begin in linear memory. */
const WINDOWS = { shared: "shared", param: "params" } as const satisfies Record<string, GlobalName>;

function withWindow(
  emitter: Emitter,
  step: Step,
  operand: AddressOperand,
  space: "shared" | "local" | "param",
  bytes: number,
  { site, observed, use }: Uses,
): void {
  const { code } = emitter;
  const known = knownPlace(emitter, step, operand, space);
  const window = known?.window ?? space;
  const begin = () => {
    if (window !== "local") emitter.global(WINDOWS[window]);
    else {
      localBegin(emitter);
      if (known !== undefined && emitter.thread.frame !== undefined) {
        emitter.frame();
        code.op("i32.add");
      }
    }
  };
  const least = leastBytes(emitter);
  if (
    known !== undefined &&
    known.offset >= 0 &&
    known.offset % bytes === 0 &&
    known.offset + bytes <= least[window]
  ) {
    const place = { push: begin, offset: known.offset };
    observed(place);
    use(place);
    return;
  }
  if (known === undefined && isInside(emitter, step, operand, bytes, least[window])) {
    code.scratch("i32", (low) => {
      begin();
      emitter.pushBits(step, operand.base as RegisterOperand, "i32", true);
      code.op("i32.add").set(low);
      const place = { push: () => code.get(low), offset: operand.offset };
      observed(place);
      use(place);
    });
    return;
  }
  code.scratch("i64", (address) => {
    if (known !== undefined) code.i64(BigInt(known.offset));
    else {
      const { base, offset } = operand;
      if (base.kind === "immediate") code.i64(base.bits);
      else if (base.kind === "register") pushSum(emitter, step, base, offset);
      else throw new Untranslatable(`it has \`${step.operation.opcode}\``);
      if (offset !== 0 && base.kind === "immediate") code.i64(BigInt(offset)).op("i64.add");
    }
    code.set(address);
    const extent = { bytes, alignment: bytes };
    const pushPlaces = () => {
      if (window === "shared") pushSharedPlaces(emitter, extent);
      else code.i64(BigInt(placesIn(least[window], extent)));
    };
    code.scratch("i32", (low) => {
      const place = { push: () => code.get(low), offset: 0 };
      orFault(emitter, site, address, low, (away) => {
        leaveUnlessInside(emitter, address, bytes, pushPlaces, away);
        code.get(address).op("i32.wrap_i64");
        begin();
        code.op("i32.add").set(low);
        observed(place);
      });
      use(place);
    });
  });
}

/** Whether all values that a register may have make an address that is aligned and inside of a window. */
function isInside(
  { facts }: Emitter,
  { context }: Step,
  { base, offset }: AddressOperand,
  bytes: number,
  windowBytes: number,
): boolean {
  if (base.kind !== "register" || offset < 0 || offset % bytes !== 0) return false;
  const range = facts.rangeOf(context.registerBase + base.register);
  return range !== undefined && range.multiple % bytes === 0 && range.most + offset + bytes <= windowBytes;
}

/** The size that each window has at least, in every launch. */
function leastBytes({ facts }: Emitter): Readonly<Record<"shared" | "local" | "param", number>> {
  return { shared: facts.kernel.sharedBytes, local: facts.localBytes, param: facts.kernel.parameterBytes };
}

/** The place of a variable that an address names: its window and its offset there. */
function knownPlace(
  emitter: Emitter,
  { context, operation }: Step,
  { base, offset }: AddressOperand,
  space: "shared" | "local" | "param",
): { window: "shared" | "local" | "param"; offset: number } | undefined {
  if (base.kind === "register" || base.kind === "immediate") return undefined;
  if (base.kind === "module-variable") {
    if (space !== "shared") throw new Untranslatable(`it has \`${operation.opcode}\` of a module variable`);
    return { window: "shared", offset: emitter.sharedOffset(base.variable) + offset };
  }
  const place = placeOf(context, base);
  const variable = place.context.body.variables[place.variable]!;
  const { kernel } = emitter.facts;
  if (place.context.body === kernel && isKernelParameter(kernel, place.variable)) {
    return { window: "param", offset: variable.offset + offset };
  }
  return { window: "local", offset: place.context.frameBase + variable.offset + offset };
}

/** Pushes where the thread's local memory begins. */
export function localBegin(emitter: Emitter): void {
  const { code } = emitter;
  emitter.global("local");
  emitter.threadNumber();
  code.i32(emitter.facts.localBytes).op("i32.mul").op("i32.add");
}

/** The opcode that loads a value of a type. Values of 16 bits and less are sign-extended if signed. */
export function loadOpcode(type: PtxType, as: ValueType): MemoryOpcode {
  const { bits } = TYPES[type];
  if (bits === 8) return isSigned(type) ? "i32.load8_s" : "i32.load8_u";
  if (bits === 16) return isSigned(type) ? "i32.load16_s" : "i32.load16_u";
  return `${as}.load` as MemoryOpcode;
}

export function storeOpcode(type: PtxType, as: ValueType): MemoryOpcode {
  const { bits } = TYPES[type];
  if (bits === 8) return "i32.store8";
  if (bits === 16) return "i32.store16";
  return `${as}.store` as MemoryOpcode;
}

/** The type in which an item is on the stack: that of its register if both have the same number of bits. */
function carrier(emitter: Emitter, step: Step, item: Operand, type: PtxType): ValueType {
  const usual = stackType(type);
  if (item.kind !== "register" || TYPES[type].bits < 32) return usual;
  const kept = emitter.facts.types[step.context.registerBase + item.register]!;
  const kin: Readonly<Record<string, string>> = { i32: "f32", f32: "i32", i64: "f64", f64: "i64" };
  return kept === kin[usual] ? kept : usual;
}

export function load(emitter: Emitter, step: Step): void {
  const [result, address] = step.source.operands;
  const type = emitter.typeOf(step, 0);
  const items = itemsOf(result!);
  const size = TYPES[type].bits / 8;
  const access = { kind: "load", space: step.operation.space, bytes: size * items.length } as const;
  const isAtomic = emitter.facts.concurrent && isStrong(step);
  withAddress(emitter, step, address!, access, ({ push, offset }) => {
    items.forEach((item, i) => {
      const as = carrier(emitter, step, item, type);
      emitter.assignOperand(step, item, type, as, () => {
        push();
        if (isAtomic) loadStrong(emitter.code, type, as, offset + i * size);
        else emitter.code.memory(loadOpcode(type, as), offset + i * size);
      });
    });
  });
}

export function store(emitter: Emitter, step: Step): void {
  const [address, value] = step.source.operands;
  const type = emitter.typeOf(step, 1);
  const items = itemsOf(value!);
  const size = TYPES[type].bits / 8;
  const access = { kind: "store", space: step.operation.space, bytes: size * items.length } as const;
  const isAtomic = emitter.facts.concurrent && isStrong(step);
  withAddress(emitter, step, address!, access, ({ push, offset }) => {
    items.forEach((item, i) => {
      const as = carrier(emitter, step, item, type);
      push();
      emitter.pushBits(step, item, as, true);
      if (isAtomic) storeStrong(emitter.code, type, as, offset + i * size);
      else emitter.code.memory(storeOpcode(type, as), offset + i * size);
    });
    afterStore(emitter, access.space);
  });
}
