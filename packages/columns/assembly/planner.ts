// Plans a code: checks its words, gives each value a place, and writes the steps that compute it. Nothing is read or written
// outside of the memory that the caller laid out, whatever the words are.
import { CodeName, CodeWord, OperationField } from "../../types/src/code/layout.js";
import { Class, Entry, Flag, InputMask, Lane, Outcome, Rows, State, Step, Trait, ValueField } from "../src/machine/layout.js";
import { canonicalize, flushSubnormals } from "./float.js";
import { DOUBLE_TYPES, get, set, state } from "./state.js";

/** All types but the empty one. */
const TYPES: u32 = 0x3fffffe;
const PREDICATE: u32 = 1;
/** An input or constant has a name and a type, and nothing else. */
const TYPED_MASK: u32 = OperationField.nameMask | (OperationField.typeMask << OperationField.typeShift);
const EXPONENT: u32 = 0x7f800000;
const FRACTION: u32 = 0x7fffff;
/** No operand. */
const NONE: u32 = 0xffffffff;
const ALWAYS: u32 = 0xffffffff;

// @ts-expect-error: decorators are AssemblyScript's
@inline
export function refuse(outcome: Outcome, item: u32, word: u32): Outcome {
  set(State.problemItem, item);
  set(State.problemWord, word);
  return outcome;
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function classOfType(type: u32): u32 {
  if (type == PREDICATE) return Class.predicate;
  return (DOUBLE_TYPES >> type) & 1;
}

/** The bits of the smallest normal f32. */
const LEAST_NORMAL: u32 = 0x00800000;
/** Places of flushed copies of the operands of a step. */
const flushed: usize = memory.data(16, 16);

/** The entry of an operation, or 0. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function entryOf(word: u32): usize {
  const entries: usize = get(State.entries);
  const mask = get(State.entryMask);
  let index = (word * Entry.multiplier) >> 16;
  while (true) {
    const entry = entries + ((index & mask) << Entry.shift);
    const found = load<u32>(entry, Entry.word);
    if (found == word) return entry;
    if (found == 0) return 0;
    index++;
  }
}

// @ts-expect-error: decorators are AssemblyScript's
@inline
function valueAt(index: u32): usize {
  return <usize>get(State.values) + (<usize>index << ValueField.shift);
}

/** What the planner knows of an operation: the flags of its entry, which exists. */
export function flagsOf(word: u32): u32 {
  return load<u32>(entryOf(word), Entry.flags);
}

/** Plans the code from `at` to `end`. */
export function plan(at: usize, end: usize): Outcome {
  const outcome = draft(at, end);
  return outcome == Outcome.done ? place(get(State.slotCount)) : outcome;
}

/** Plans the code from `at` to `end`, up to the addresses of slots. */
export function draft(at: usize, end: usize): Outcome {
  const outcome = check(at, end);
  if (outcome == Outcome.done) emit();
  return outcome;
}

/** Checks the words of a code and writes the fields of its values. */
function check(at: usize, end: usize): Outcome {
  if (end - at < <usize>(CodeWord.header << 2)) return refuse(Outcome.tooFewWords, 0, 0);
  if (load<u32>(at) != CodeWord.magic) return refuse(Outcome.notACode, 0, load<u32>(at));
  const itemCount = load<u32>(at, CodeWord.itemCount << 2);
  const arity = load<u32>(at, CodeWord.arity << 2);
  const inputCount = arity & CodeWord.inputMask;
  const outputCount = arity >> CodeWord.outputShift;
  if (inputCount > get(State.inputCount)) return refuse(Outcome.missingColumns, itemCount, inputCount);
  let from = at + (CodeWord.header << 2);
  // An item has at least two words, so that there are never more values than the caller made room for.
  if (<u64>itemCount * 8 + <u64>outputCount * 4 > <u64>(end - from)) {
    return refuse(Outcome.tooFewWords, itemCount, itemCount);
  }
  const outputs = end - (<usize>outputCount << 2);
  const inputs: usize = get(State.inputs);
  const values: usize = get(State.values);
  let laneBytes: u32 = 4;
  for (let item: u32 = 0; item < itemCount; item++) {
    if (from + 8 > outputs) return refuse(Outcome.tooFewWords, item, 0);
    const word = load<u32>(from);
    const name = word & OperationField.nameMask;
    const value = values + (<usize>item << ValueField.shift);
    store<u32>(value, <u32>from, ValueField.item);
    store<u32>(value, 0, ValueField.lastUse);
    if (name <= <u32>CodeName.constant) {
      const type = (word >> OperationField.typeShift) & OperationField.typeMask;
      if ((word & ~TYPED_MASK) != 0 || name == 0 || ((TYPES >> type) & 1) == 0) {
        return refuse(Outcome.unknownOperation, item, word);
      }
      const kind = classOfType(type);
      if (kind == Class.double) laneBytes = 8;
      if (name == CodeName.input) {
        const index = load<u32>(from, 4);
        if (index >= inputCount) return refuse(Outcome.badInput, item, index);
        const input = inputs + (<usize>index << 3);
        if (((load<u32>(input, 4) >> type) & 1) == 0) return refuse(Outcome.wrongInputType, item, word);
        store<u32>(value, load<u32>(input), ValueField.place);
        const dirty = (load<u32>(input, 4) & InputMask.dirty) != 0 ? Trait.dirty : 0;
        store<u32>(value, kind | Trait.input | dirty, ValueField.traits);
        from += 8;
      } else {
        if (kind == Class.predicate && load<u32>(from, 4) > 1) return refuse(Outcome.badOperand, item, load<u32>(from, 4));
        const bits = load<u32>(from, 4);
        const dirty = (bits & EXPONENT) == 0 && (bits & FRACTION) != 0 ? Trait.dirty : 0;
        store<u32>(value, kind | Trait.constant | dirty, ValueField.traits);
        from += kind == Class.double ? 12 : 8;
      }
      continue;
    }
    const entry = entryOf(word);
    if (entry == 0) return refuse(Outcome.unknownOperation, item, word);
    const flags = load<u32>(entry, Entry.flags);
    const operands = (flags >> Flag.arityShift) & Flag.arityMask;
    if (from + 4 + (<usize>operands << 2) > outputs) return refuse(Outcome.tooFewWords, item, word);
    let classes = flags;
    for (let operand: u32 = 0; operand < operands; operand++) {
      from += 4;
      const index = load<u32>(from);
      if (index >= item) return refuse(Outcome.badOperand, item, index);
      const source = values + (<usize>index << ValueField.shift);
      if (((load<u32>(source, ValueField.traits) ^ classes) & Class.mask) != 0) return refuse(Outcome.wrongClass, item, index);
      store<u32>(source, item + 1, ValueField.lastUse);
      classes >>= Class.bits;
    }
    from += 4;
    const result = (flags >> Flag.resultShift) & Class.mask;
    if (result == Class.double) laneBytes = 8;
    const dirty = (flags & Flag.clean) != 0 ? 0 : Trait.dirty;
    const loose = (flags & Flag.loose) != 0 ? Trait.loose : 0;
    store<u32>(value, result | Trait.temporary | dirty | loose, ValueField.traits);
  }
  if (from > outputs) return refuse(Outcome.tooFewWords, itemCount, 0);
  if (from < outputs) return refuse(Outcome.tooManyWords, itemCount, 0);
  for (; from < end; from += 4) {
    const word = load<u32>(from);
    const type = word >> CodeWord.typeShift;
    const index = word & CodeWord.valueMask;
    if (index >= itemCount || type > 31 || ((TYPES >> type) & 1) == 0) return refuse(Outcome.badOutput, itemCount, word);
    const value = values + (<usize>index << ValueField.shift);
    if ((load<u32>(value, ValueField.traits) & Class.mask) != classOfType(type)) return refuse(Outcome.badOutput, itemCount, word);
    store<u32>(value, ALWAYS, ValueField.lastUse);
  }
  set(State.itemCount, itemCount);
  set(State.outputCount, outputCount);
  set(State.outputs, <u32>outputs);
  set(State.laneBytes, laneBytes);
  return Outcome.done;
}

/** Gives each value that needs one a slot, and writes the steps, with numbers of slots for addresses. */
function emit(): void {
  const itemCount = get(State.itemCount);
  const keep = get(State.keep);
  const values: usize = get(State.values);
  const freeStart: usize = get(State.free);
  let free = freeStart;
  let slotCount: u32 = 0;
  let step: usize = get(State.steps);
  for (let item: u32 = 0; item < itemCount; item++) {
    const value = values + (<usize>item << ValueField.shift);
    const traits = load<u32>(value, ValueField.traits);
    if ((traits & Trait.input) != 0) continue;
    if ((traits & Trait.constant) != 0) {
      // Its slot follows when a step needs one, and is written once for all blocks: nothing else may use it.
      if (keep != 0) slotCount = giveColumn(value, slotCount);
      continue;
    }
    let from: usize = load<u32>(value, ValueField.item);
    const entry = entryOf(load<u32>(from));
    const flags = load<u32>(entry, Entry.flags);
    const operands = (flags >> Flag.arityShift) & Flag.arityMask;
    const bitwise = (flags >> Flag.bitwiseShift) & Flag.bitwiseMask;
    if (bitwise != 0) {
      for (let operand: u32 = 0; operand < operands; operand++) {
        if (((bitwise >> operand) & 1) != 0) step = makeCanonical(valueAt(load<u32>(from + 4 + (operand << 2))), step);
      }
    }
    let kernel = load<u32>(entry, Entry.kernel);
    // The operand that a kernel reads as a constant, if there is one.
    let constant: u32 = NONE;
    if ((flags & Flag.variants) != 0 && keep == 0) {
      const variants = load<u32>(entry, Entry.extra);
      if (isCleanConstant(load<u32>(from, 8), flags)) {
        constant = 1;
        kernel = variants & Entry.variantMask;
      } else if (isCleanConstant(load<u32>(from, 4), flags)) {
        constant = 0;
        kernel = variants >> Entry.variantShift;
      }
    }
    for (let operand: u32 = 0; operand < operands; operand++) {
      if (operand != constant) slotCount = giveColumn(valueAt(load<u32>(from + 4 + (operand << 2))), slotCount);
    }
    // Flushed copies of operands, each in a slot that is free again after the step.
    let copies: u32 = 0;
    if ((flags & Flag.flushes) != 0) {
      for (let operand: u32 = 0; operand < operands; operand++) {
        const source = valueAt(load<u32>(from + 4 + (operand << 2)));
        if ((load<u32>(source, ValueField.traits) & (Trait.dirty | Class.mask)) != <u32>(Trait.dirty | Class.word)) continue;
        const slot = keep == 0 && free > freeStart ? load<u32>((free -= 4)) : slotCount++;
        const copy = (slot << 2) | Lane.slot;
        store<u32>(step, flushSubnormals.index, Step.kernel);
        store<u32>(step, copy, Step.target);
        store<u32>(step, load<u32>(source, ValueField.place), Step.a);
        store<u32>(step, LEAST_NORMAL, Step.least);
        step += Step.bytes;
        store<u32>(flushed + (operand << 2), copy);
        copies |= 1 << operand;
      }
    }
    let target: u32 = 0;
    let chosen = false;
    if (keep != 0 || (flags & Flag.apart) != 0) {
      target = keep == 0 && free > freeStart ? load<u32>((free -= 4)) : slotCount++;
      chosen = true;
    }
    for (let operand: u32 = 0; operand < operands; operand++) {
      from += 4;
      const source = valueAt(load<u32>(from));
      const isCopy = ((copies >> operand) & 1) != 0;
      let place = isCopy ? load<u32>(flushed + (operand << 2)) : load<u32>(source, ValueField.place);
      if (operand == constant) place = load<u32>(source, ValueField.item) + 4;
      store<u32>(step + (operand << 2), place, Step.a);
      if (isCopy && keep == 0) {
        store<u32>(free, place >> 2);
        free += 4;
      }
      if (keep == 0 && load<u32>(source, ValueField.lastUse) == item + 1) {
        // Once only: an instruction may have the same operand twice.
        store<u32>(source, 0, ValueField.lastUse);
        if ((load<u32>(source, ValueField.traits) & Trait.temporary) != 0) {
          store<u32>(free, load<u32>(source, ValueField.place) >> 2);
          free += 4;
        }
      }
    }
    if (!chosen) target = free > freeStart ? load<u32>((free -= 4)) : slotCount++;
    const placed = (target << 2) | Lane.slot;
    store<u32>(value, placed, ValueField.place);
    if (keep == 0 && load<u32>(value, ValueField.lastUse) == 0) {
      store<u32>(free, target);
      free += 4;
    }
    store<u32>(step, kernel, Step.kernel);
    store<u32>(step, placed, Step.target);
    store<u32>(step, (flags & Flag.clean) != 0 ? LEAST_NORMAL : 0, Step.least);
    store<u32>(step, load<u32>(entry, Entry.extra), Step.extra);
    step += Step.bytes;
  }
  const outputs: usize = get(State.outputs);
  const end = outputs + (<usize>get(State.outputCount) << 2);
  for (let output = outputs; output < end; output += 4) {
    const value = valueAt(load<u32>(output) & CodeWord.valueMask);
    slotCount = giveColumn(value, slotCount);
    if (get(State.bitwiseOutputs) != 0) step = makeCanonical(value, step);
  }
  set(State.stepEnd, <u32>step);
  set(State.slotCount, slotCount);
}

/** Gives a constant a slot, unless it has one; returns the number of slots. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function giveColumn(value: usize, slotCount: u32): u32 {
  const traits = load<u32>(value, ValueField.traits);
  if ((traits & (Trait.constant | Trait.column)) != Trait.constant) return slotCount;
  store<u32>(value, traits | Trait.column, ValueField.traits);
  store<u32>(value, (slotCount << 2) | Lane.slot, ValueField.place);
  return slotCount + 1;
}

/** Whether a value is a constant that an operation with these flags takes as it is. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function isCleanConstant(index: u32, flags: u32): bool {
  const traits = load<u32>(valueAt(index), ValueField.traits);
  return (traits & Trait.constant) != 0 && ((flags & Flag.flushes) == 0 || (traits & Trait.dirty) == 0);
}

/** Writes a step that gives the NaNs of a value the encoding of PTX, if they may have another one. */
function makeCanonical(value: usize, step: usize): usize {
  const traits = load<u32>(value, ValueField.traits);
  if ((traits & Trait.loose) == 0) return step;
  store<u32>(value, traits ^ Trait.loose, ValueField.traits);
  const place = load<u32>(value, ValueField.place);
  store<u32>(step, canonicalize.index, Step.kernel);
  store<u32>(step, place, Step.target);
  store<u32>(step, place, Step.a);
  return step + Step.bytes;
}

/** Chooses the rows of a block and replaces numbers of slots by addresses. There may be more slots than the steps use. */
export function place(slotCount: u32): Outcome {
  const laneBytes = get(State.laneBytes);
  const paddedRows = get(State.paddedRows);
  const columns = slotCount + get(State.inputCount) + 1;
  let rows = (get(State.cacheBytes) / (laneBytes * columns)) & ~(Rows.multiple - 1);
  rows = max<u32>(Rows.fewest, min<u32>(Rows.most, rows));
  // When there is too little memory for this, fewer rows may do.
  const room: u64 = get(State.slotBytes);
  while (rows > <u32>Rows.multiple && <u64>slotCount * laneBytes * rows > room) rows = (rows >> 1) & ~(Rows.multiple - 1);
  rows = max<u32>(Rows.multiple, rows);
  const blocks = max<u32>(1, (paddedRows + rows - 1) / rows);
  rows = ((paddedRows + blocks - 1) / blocks + Rows.multiple - 1) & ~(Rows.multiple - 1);
  if (<u64>slotCount * laneBytes * rows > room) {
    return refuse(Outcome.memory, 0, slotCount);
  }
  set(State.blockRows, rows);
  const stride = laneBytes * rows;
  const slots = get(State.slots);
  const stepEnd: usize = get(State.stepEnd);
  for (let step: usize = get(State.steps); step < stepEnd; step += Step.bytes) {
    for (let field: usize = Step.target; field <= <usize>Step.d; field += 4) {
      const place = load<u32>(step + field);
      if ((place & Lane.mask) == Lane.slot) store<u32>(step + field, slots + (place >> 2) * stride);
    }
  }
  const end = valueAt(get(State.itemCount));
  for (let value = valueAt(0); value < end; value += ValueField.bytes) {
    const place = load<u32>(value, ValueField.place);
    const traits = load<u32>(value, ValueField.traits);
    if ((traits & (Trait.temporary | Trait.column)) == 0) continue;
    const address = slots + (place >> 2) * stride;
    store<u32>(value, address, ValueField.place);
    if ((traits & Trait.column) != 0) fill(address, load<u32>(value, ValueField.item) + 4, (traits & Class.mask) == Class.double, rows);
  }
  return Outcome.done;
}

/** Fills a column with a constant. */
function fill(address: usize, bits: usize, isDouble: bool, rows: u32): void {
  const vector = isDouble ? i64x2.splat(load<u64>(bits)) : i32x4.splat(load<u32>(bits));
  const end = address + (isDouble ? rows << 3 : rows << 2);
  do {
    v128.store(address, vector);
    v128.store(address, vector, 16);
    address += 32;
  } while (address < end);
}
