// Plans the derivatives of an output with respect to the constants of a code, from the output back to the constants. Derivatives with
// respect to values are columns that no step writes twice, so that values can share them.
import { CodeName, CodeWord, OperationField } from "../../types/src/code/layout.js";
import { Adjoint, Parameter, ReverseKernel, Room, Rule } from "../src/gradient/layout.js";
import { Flag, Lane, State, Step, Trait, ValueField } from "../src/machine/layout.js";
import { adjointAt, flagsOf, get, placed, room, valueAt } from "./gradient-core.js";

/** The operation of constants that are f32. */
const F32_TYPE: u32 = 13;
const F32_CONSTANT: u32 = CodeName.constant | (F32_TYPE << OperationField.typeShift);
const LEAST_NORMAL: u32 = 0x00800000;

/** The number of slots that the code and its derivatives take. */
let slots: u32 = 0;
/** The end of the reverse steps. */
export let reverseEnd: usize = 0;
/** A slot full of ones, or `Adjoint.none`. */
export let ones: u32 = 0;
/** The derivative of the output with respect to itself, and the slot for errors. */
let seed: u32 = 0;
export let errors: u32 = 0;
/** The numbers of constants, and of those that the output depends on. */
export let constantCount: u32 = 0;
export let parameterCount: u32 = 0;
/** The output that is compared. */
export let output: u32 = 0;

/** Copies the bits of the f32 constants of a drafted code, and counts them. */
export function copyConstants(to: usize): void {
  const end = valueAt(get(State.itemCount));
  constantCount = 0;
  for (let value = valueAt(0); value < end; value += ValueField.bytes) {
    const at: usize = load<u32>(value, ValueField.item);
    if (load<u32>(at) != F32_CONSTANT) continue;
    store<u32>(to, load<u32>(at, 4));
    to += 4;
    constantCount++;
  }
}

/**
 * Plans the derivatives of a drafted code; returns whether the output has them.
 */
export function planDerivatives(): bool {
  const outputs: usize = get(State.outputs);
  const word = load<u32>(outputs + (<usize>get(State.lossOutput) << 2));
  output = word & CodeWord.valueMask;
  slots = get(State.slotCount);
  ones = Adjoint.none;
  reverseEnd = room(Room.steps);
  parameterCount = 0;
  classify();
  const place = adjointAt(output);
  const flags = load<u32>(place, Adjoint.flags);
  if ((flags & Adjoint.rough) != 0) return false;
  const active = (flags & Adjoint.active) != 0;
  if (active && word >> CodeWord.typeShift != F32_TYPE) return false;
  seed = room(Room.rootWeights);
  if (seed == 0) seed = Adjoint.one;
  store<u32>(place, active ? seed : <u32>Adjoint.none, Adjoint.place);
  for (let item = <i32>output; item >= 0; item--) {
    const adjoint = adjointAt(item);
    const found = load<u32>(adjoint, Adjoint.place);
    if (found != <u32>Adjoint.none) reverse(item, found, load<u32>(adjoint, Adjoint.flags) & Adjoint.negative);
  }
  errors = newSlot();
  return true;
}

/** Finds which values depend on constants, and whether they have derivatives. */
function classify(): void {
  const itemCount = get(State.itemCount);
  for (let item: u32 = 0; item < itemCount; item++) {
    const at: usize = load<u32>(valueAt(item), ValueField.item);
    const word = load<u32>(at);
    const adjoint = adjointAt(item);
    store<u32>(adjoint, Adjoint.none, Adjoint.place);
    let flags: u32 = 0;
    if ((word & OperationField.nameMask) <= <u32>CodeName.constant) {
      if (word == F32_CONSTANT) flags = Adjoint.active;
    } else {
      const known = flagsOf(word);
      const rule = <Rule>(known >> Flag.ruleShift);
      if (rule != Rule.constant) {
        const operands = countOf(rule, (known >> Flag.arityShift) & Flag.arityMask);
        for (let operand: usize = 1; operand <= <usize>operands; operand++) {
          flags |= load<u32>(adjointAt(load<u32>(at + (operand << 2))), Adjoint.flags);
        }
        if (rule == Rule.none && flags != 0) flags = Adjoint.rough;
      }
    }
    store<u32>(adjoint, flags, Adjoint.flags);
  }
}

/** The number of operands that a result depends on other than by choice. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function countOf(rule: Rule, operands: u32): u32 {
  return rule >= Rule.select ? 2 : operands;
}

/** Writes the steps for the derivatives with respect to the operands of an item, given that with respect to its result. */
function reverse(item: u32, g: u32, negative: u32): void {
  const value = valueAt(item);
  const at: usize = load<u32>(value, ValueField.item);
  const word = load<u32>(at);
  if ((word & OperationField.nameMask) <= <u32>CodeName.constant) return;
  const rule = <Rule>(flagsOf(word) >> Flag.ruleShift);
  const a = load<u32>(at, 4);
  const y = load<u32>(value, ValueField.place);
  const x = load<u32>(valueAt(a), ValueField.place);
  if (rule == Rule.identity) {
    add(a, g, negative);
    return;
  }
  if (rule == Rule.neg) {
    add(a, g, negative ^ Adjoint.negative);
    return;
  }
  if (rule >= Rule.rcp && rule <= Rule.tanh) {
    one(rule, a, x, y, g, negative);
    return;
  }
  if (rule == Rule.abs) {
    add(a, emit(ReverseKernel.flipSign, column(g), x, 0, 0), negative);
    return;
  }
  const b = load<u32>(at, 8);
  const z = load<u32>(valueAt(b), ValueField.place);
  const first = isActive(a);
  const second = isActive(b);
  if (rule == Rule.add || rule == Rule.sub) {
    if (first) add(a, g, negative);
    if (second) add(b, g, rule == Rule.sub ? negative ^ Adjoint.negative : negative);
  } else if (rule == Rule.mul || rule == Rule.fma) {
    if (first) add(a, product(g, z), negative);
    if (second) add(b, product(g, x), negative);
    if (rule == Rule.fma && isActive(load<u32>(at, 12))) add(load<u32>(at, 12), g, negative);
  } else if (rule == Rule.div) {
    const quotient = emit(ReverseKernel.div, column(g), z, 0, 0);
    if (first) add(a, quotient, negative);
    if (second) add(b, product(quotient, y), negative ^ Adjoint.negative);
  } else if (rule == Rule.extremum) {
    if (first) add(a, emit(ReverseKernel.whereEqual, column(g), y, x, 0), negative);
    if (second) add(b, emit(ReverseKernel.whereDifferent, column(g), y, x, 0), negative);
  } else if (rule == Rule.copysign) {
    if (second) add(b, emit(ReverseKernel.flipSigns, column(g), x, z, 0), negative);
  } else {
    const c = load<u32>(valueAt(load<u32>(at, 12)), ValueField.place);
    let taken: ReverseKernel = ReverseKernel.whereTrue;
    if (rule == Rule.selectByInteger) taken = ReverseKernel.whereInteger;
    else if (rule != Rule.select) taken = ReverseKernel.whereSign;
    const least = rule == Rule.selectByFlushedSign ? LEAST_NORMAL : 0;
    if (first) add(a, emit(taken, column(g), c, 0, least), negative);
    if (second) add(b, emit(taken + 1, column(g), c, 0, least), negative);
  }
}

/** The steps of a function of one operand. */
function one(rule: Rule, a: u32, x: u32, y: u32, g: u32, negative: u32): void {
  if (rule == Rule.sin || rule == Rule.cos) {
    const slope = emit(ReverseKernel.forward, x, 0, 0, room(rule == Rule.sin ? Room.cosine : Room.sine));
    add(a, product(g, slope), rule == Rule.sin ? negative : negative ^ Adjoint.negative);
    return;
  }
  const isFalling = rule == Rule.rcp || rule == Rule.rsqrt;
  const sign = isFalling ? negative ^ Adjoint.negative : negative;
  let kernel: ReverseKernel = ReverseKernel.rcp;
  if (rule == Rule.sqrt) kernel = ReverseKernel.sqrt;
  else if (rule == Rule.rsqrt) kernel = ReverseKernel.rsqrt;
  else if (rule == Rule.lg2) kernel = ReverseKernel.lg2;
  else if (rule == Rule.ex2) kernel = ReverseKernel.ex2;
  else if (rule == Rule.tanh) kernel = ReverseKernel.tanh;
  add(a, emit(kernel, column(g), y, x, 0), sign);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function isActive(index: u32): bool {
  return (load<u32>(adjointAt(index), Adjoint.flags) & Adjoint.active) != 0;
}

/** Adds a column to the derivative with respect to a value. */
function add(index: u32, term: u32, negative: u32): void {
  const adjoint = adjointAt(index);
  const sum = load<u32>(adjoint, Adjoint.place);
  const flags = load<u32>(adjoint, Adjoint.flags);
  if (sum == <u32>Adjoint.none) {
    store<u32>(adjoint, term, Adjoint.place);
    store<u32>(adjoint, flags | negative, Adjoint.flags);
    return;
  }
  const kernel = (flags & Adjoint.negative) == negative ? ReverseKernel.add : ReverseKernel.sub;
  store<u32>(adjoint, emit(kernel, column(sum), column(term), 0, 0), Adjoint.place);
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function newSlot(): u32 {
  return (slots++ << 2) | Lane.slot;
}

/** A derivative as a column of its own. */
function column(g: u32): u32 {
  if (g != <u32>Adjoint.one) return g;
  if (ones == <u32>Adjoint.none) ones = newSlot();
  return ones;
}

function product(g: u32, factor: u32): u32 {
  return g == <u32>Adjoint.one ? factor : emit(ReverseKernel.mul, g, factor, 0, 0);
}

/** Writes a step, and returns the slot of its result. */
function emit(kernel: ReverseKernel, a: u32, b: u32, c: u32, extra: u32): u32 {
  const step = reverseEnd;
  const target = newSlot();
  store<u32>(step, extra, Step.kernel);
  store<u32>(step, target, Step.target);
  store<u32>(step, a, Step.a);
  store<u32>(step, b, Step.b);
  store<u32>(step, c, Step.c);
  store<u32>(step, kernel, Step.d);
  store<u32>(step, 0, Step.least);
  store<u32>(step, extra, Step.extra);
  reverseEnd = step + Step.bytes;
  return target;
}

/** The number of slots that the code and its derivatives need. */
export function slotsNeeded(): u32 {
  // A constant that the output is equal to has a column of ones.
  column(Adjoint.one);
  return slots;
}

/** Replaces numbers of slots by addresses, and lists the constants that the output depends on. */
export function placeDerivatives(): void {
  for (let step: usize = room(Room.steps); step < reverseEnd; step += Step.bytes) {
    for (let field: usize = Step.target; field <= <usize>Step.c; field += 4) {
      store<u32>(step + field, placed(load<u32>(step + field)));
    }
  }
  ones = placed(ones);
  errors = placed(errors);
  fill(ones, 0x3f800000);
  listParameters();
}

/** Lists the constants that the output depends on: those that have a derivative. */
function listParameters(): void {
  const itemCount = get(State.itemCount);
  let parameter: usize = room(Room.parameters);
  let index: u32 = 0;
  for (let item: u32 = 0; item < itemCount; item++) {
    const value = valueAt(item);
    const at = load<u32>(value, ValueField.item);
    if (load<u32>(at) != F32_CONSTANT) continue;
    index++;
    const adjoint = adjointAt(item);
    const derivative = load<u32>(adjoint, Adjoint.place);
    if (derivative == <u32>Adjoint.none) continue;
    writeParameter(parameter, index - 1, value, placed(column(derivative)));
    store<u32>(parameter, load<u32>(adjoint, Adjoint.flags) & Adjoint.negative, Parameter.negative);
    parameter += Parameter.bytes;
    parameterCount++;
  }
}

/** Lists all constants, or none, without derivatives. */
export function listConstants(all: bool): void {
  const end = valueAt(get(State.itemCount));
  let parameter: usize = room(Room.parameters);
  parameterCount = 0;
  if (!all) return;
  for (let value = valueAt(0); value < end; value += ValueField.bytes) {
    const at = load<u32>(value, ValueField.item);
    if (load<u32>(at) != F32_CONSTANT) continue;
    writeParameter(parameter, parameterCount++, value, 0);
    parameter += Parameter.bytes;
  }
}

function writeParameter(parameter: usize, index: u32, value: usize, derivative: u32): void {
  store<u32>(parameter, index, Parameter.index);
  store<u32>(parameter, load<u32>(value, ValueField.item) + 4, Parameter.bits);
  store<u32>(parameter, load<u32>(value, ValueField.place), Parameter.column);
  store<u32>(parameter, derivative, Parameter.derivative);
}

/** Writes the bits of an f32 to all rows of a slot. */
export function fill(address: usize, bits: u32): void {
  const vector = i32x4.splat(bits);
  const end = address + (<usize>get(State.blockRows) << 2);
  do {
    v128.store(address, vector);
    v128.store(address, vector, 16);
    address += 32;
  } while (address < end);
}
