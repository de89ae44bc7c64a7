// The functions of a translated module that record accesses in shadow memory and find races, one for each kind of
// access. They report races to the engine.
import { Code } from "../binary/code.js";
import type { ModuleBuilder } from "../binary/module.js";
import type { ModuleFrame } from "../frame.js";
import { addCell, addLine, pushEntry, pushThread, setEpochs } from "./cells.js";
import { type FourKind, fourFunction } from "./four-code.js";
import {
  ACCESS_BITS,
  ALONE,
  cellOf,
  ENTRY_LINES,
  FIRST_THREAD,
  LAST_THREAD,
  LINE,
  LINE_EPOCH,
  NO_PAGE,
  RECORD_EPOCH,
  RECORDS,
  SHADOW_PAGE,
  type ShadowShape,
  THREAD_MASK,
} from "./layout.js";

export const TOUCH_KINDS = ["read", "write", "strongRead", "strongWrite"] as const;
export type TouchKind = (typeof TOUCH_KINDS)[number];

/** The functions that code calls for its accesses. */
export interface ShadowCode {
  readonly shape: ShadowShape;
  /** The functions that record an access: its place in memory, its bytes, and its record. */
  readonly touch: Readonly<Record<TouchKind, number>>;
  /** The function that records plain reads of four neighbouring threads: the same, and the distance of their places. */
  readonly readFour: number;
  /**
   * The functions that record plain accesses of four neighbouring threads to consecutive granules, in the usual cases:
   * the first place, and the first record. They return whether they have done so.
   */
  readonly four: Readonly<Record<FourKind, number>>;
}

/** Under this name, the function of a kind is exported. */
export const touchName = (kind: TouchKind): string => `touch-${kind}`;

const TOUCH = { parameters: ["i32", "i32", "i32"], results: [] } as const;
const NONE = -1;

/** The records with which each kind of access may race, and the one in which it is recorded. */
const KINDS: Readonly<Record<TouchKind, readonly (keyof typeof RECORDS)[]>> = {
  read: ["write", "strongWrite"],
  write: ["write", "strongWrite", "read", "strongRead"],
  strongRead: ["write"],
  strongWrite: ["write", "read"],
};

/** Adds the functions. */
export function shadowCode(builder: ModuleBuilder, frame: ModuleFrame, shape: ShadowShape): ShadowCode {
  const conflict = conflictFunction(builder);
  const helpers = {
    conflict,
    merge: mergeFunction(builder),
    finish: finishFunction(builder, frame, shape),
  };
  const touchOf = (kind: TouchKind) => {
    const index = builder.function(TOUCH);
    builder.define(index, touchFunction(frame, shape, kind, helpers));
    builder.export(touchName(kind), index);
    return index;
  };
  const read = touchOf("read");
  const touch = {
    ...{ read, write: touchOf("write") },
    ...{ strongRead: touchOf("strongRead"), strongWrite: touchOf("strongWrite") },
  };
  const four = {
    read: fourFunction(builder, frame, shape, "read"),
    readShared: fourFunction(builder, frame, shape, "readShared"),
    write: fourFunction(builder, frame, shape, "write"),
  };
  return { shape, touch, four, readFour: readFourFunction(builder, frame, shape, read, helpers.finish) };
}

function readFourFunction(
  builder: ModuleBuilder,
  frame: ModuleFrame,
  shape: ShadowShape,
  read: number,
  finish: number,
): number {
  const code = new Code(4);
  const [place, bytes, now, distance] = [0, 1, 2, 3];
  const [cell, block, epoch] = ["i32", "i32", "i32"].map(() => code.local("i32")) as [number, number, number];
  const each = code.block();
  // One record stands for four threads of a warp that are the first to read a granule.
  code.get(distance).getGlobal(frame.globals.ntidX).i32(3).op("i32.and").op("i32.or").brIf(each);
  code
    .get(bytes)
    .i32(1 << shape.granule)
    .op("i32.ne")
    .brIf(each);
  pushEntry(code, frame, place);
  code.memory("i32.load").tee(cell).i32(NO_PAGE).op("i32.eq").brIf(each).get(cell);
  addCell(code, shape, place);
  code.set(cell);
  setEpochs(code, frame, shape, now, block, epoch);
  for (const record of ["write", "read", "strongWrite"] as const) {
    if (!exists(shape, record)) continue;
    code
      .get(cell)
      .memory("i32.load", RECORDS[record] + RECORD_EPOCH)
      .get(block)
      .op("i32.ge_u")
      .brIf(each);
  }
  code.get(cell).get(now);
  code
    .i32(1 << LAST_THREAD)
    .op("i32.add")
    .memory("i32.store", RECORDS.read);
  code
    .get(cell)
    .get(epoch)
    .memory("i32.store", RECORDS.read + RECORD_EPOCH);
  code.get(place).get(cell).get(now).get(epoch).get(block).call(finish).op("return").end();
  for (let lane = 0; lane < 4; lane++) {
    code.get(place).get(bytes).get(now);
    if (lane > 0) code.i32(lane * ALONE).op("i32.add");
    code.call(read);
    if (lane < 3) code.get(place).get(distance).op("i32.add").set(place);
  }
  const index = builder.function({ parameters: ["i32", "i32", "i32", "i32"], results: [] });
  builder.define(index, code);
  return index;
}

/** Whether a record exists in cells of a shape. */
const exists = ({ strong }: ShadowShape, record: keyof typeof RECORDS): boolean =>
  strong || !record.startsWith("strong");

/** Pushes whether two threads, in locals, are in different warps. */
const pushIsOtherWarp = (code: Code, a: number, b: number): Code =>
  code.get(a).get(b).op("i32.xor").i32(5).op("i32.shr_u");

/** The functions that those of all kinds use. */
interface Helpers {
  readonly conflict: number;
  readonly merge: number;
  readonly finish: number;
}

function touchFunction(
  frame: ModuleFrame,
  shape: ShadowShape,
  kind: TouchKind,
  { conflict, merge, finish }: Helpers,
): Code {
  const code = new Code(3);
  const [place, bytes, now] = [0, 1, 2];
  const [end, cell, block, epoch, before] = ["i32", "i32", "i32", "i32", "i32"].map(() =>
    code.local("i32"),
  ) as [number, number, number, number, number];
  const { imports } = frame;
  const size = 1 << shape.granule;
  code.get(place).get(bytes).op("i32.add").set(end);
  code.get(place).i32(-size).op("i32.and").set(place);
  setEpochs(code, frame, shape, now, block, epoch);
  const done = code.block();
  const next = code.loop();
  code.get(place).get(end).op("i32.ge_u").brIf(done);
  pushEntry(code, frame, place);
  code.memory("i32.load").tee(cell).i32(NO_PAGE).op("i32.eq").if();
  code.get(place).i32(SHADOW_PAGE).op("i32.shr_u").call(imports.shadowPage);
  pushEntry(code, frame, place);
  code.memory("i32.load").set(cell).end();
  code.get(cell);
  addCell(code, shape, place);
  code.set(cell);
  for (const record of KINDS[kind].filter((each) => exists(shape, each))) {
    // Most records are older than the block's last barrier.
    code
      .get(cell)
      .memory("i32.load", RECORDS[record] + RECORD_EPOCH)
      .get(block)
      .op("i32.ge_u")
      .if();
    code.get(cell).i32(RECORDS[record]).op("i32.add").get(now).get(epoch).call(conflict);
    code.tee(before).i32(NONE).op("i32.ne").if();
    code.get(place).get(now).get(before).call(imports.race).end().end();
  }
  if (kind === "write") {
    // All earlier accesses precede this one, and thus everything that it precedes.
    code.get(cell).get(now).memory("i32.store", RECORDS.write);
    code
      .get(cell)
      .get(epoch)
      .memory("i32.store", RECORDS.write + RECORD_EPOCH);
    for (const record of ["read", "strongWrite", "strongRead"] as const)
      if (exists(shape, record))
        code
          .get(cell)
          .i32(0)
          .memory("i32.store", RECORDS[record] + RECORD_EPOCH);
  } else {
    const record = RECORDS[kind];
    code
      .get(cell)
      .memory("i32.load", record + RECORD_EPOCH)
      .get(block)
      .op("i32.lt_u")
      .if();
    code.get(cell).get(now).memory("i32.store", record);
    code
      .get(cell)
      .get(epoch)
      .memory("i32.store", record + RECORD_EPOCH)
      .else();
    code.get(cell).i32(record).op("i32.add").get(now).get(epoch).get(block).call(merge);
    // A line with a granule that only one thread has read still needs records.
    if (kind === "read") code.get(place).get(cell).get(now).get(epoch).get(block).call(finish);
    code.end();
  }
  if (kind !== "read" && kind !== "strongRead") {
    pushEntry(code, frame, place);
    code.memory("i32.load", ENTRY_LINES);
    addLine(code, shape, place);
    code.i32(0).memory("i32.store");
  }
  code.get(place).i32(size).op("i32.add").set(place).br(next);
  code.end().end();
  return code;
}

/**
 * A function that takes the address of a record that is not older than the block's last barrier, an access, and the
 * epoch of its warp. It returns a record of a thread whose access races with it, or {@link NONE}.
 */
function conflictFunction(builder: ModuleBuilder): number {
  const code = new Code(3);
  const [record, now, epoch] = [0, 1, 2];
  const [word, me, first, last] = ["i32", "i32", "i32", "i32"].map(() => code.local("i32")) as [
    number,
    number,
    number,
    number,
  ];
  code.get(record).memory("i32.load").set(word);
  pushThread(code, now, FIRST_THREAD).set(me);
  pushThread(code, word, FIRST_THREAD).set(first);
  pushThread(code, word, LAST_THREAD).set(last);
  const result = (thread: number) => {
    code
      .get(thread)
      .i32(FIRST_THREAD)
      .op("i32.shl")
      .get(word)
      .i32((1 << ACCESS_BITS) - 1)
      .op("i32.and");
    code.op("i32.or").op("return");
  };
  pushIsOtherWarp(code, me, first).if();
  result(first);
  code.end();
  pushIsOtherWarp(code, me, last).if();
  result(last);
  code.end();
  // All of them are of this thread's warp.
  code.get(record).memory("i32.load", RECORD_EPOCH).get(epoch).op("i32.lt_u");
  code.if();
  code.i32(NONE).op("return").end();
  code.get(first).get(me).op("i32.ne").if();
  result(first);
  code.end();
  code.get(last).get(me).op("i32.ne").if();
  result(last);
  code.end();
  code.i32(NONE);
  const index = builder.function({ parameters: ["i32", "i32", "i32"], results: ["i32"] });
  builder.define(index, code);
  return index;
}

/** A function that adds an access to a record: its address, the access, and the epochs of the warp and the block. */
function mergeFunction(builder: ModuleBuilder): number {
  const code = new Code(4);
  const [record, now, epoch, block] = [0, 1, 2, 3];
  const [word, old, me, first, last] = ["i32", "i32", "i32", "i32", "i32"].map(() => code.local("i32")) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const replaced = code.block();
  code.get(record).memory("i32.load", RECORD_EPOCH).tee(old).get(block).op("i32.lt_u").brIf(replaced);
  code.get(record).memory("i32.load").set(word);
  pushThread(code, now, FIRST_THREAD).set(me);
  pushThread(code, word, FIRST_THREAD).set(first);
  pushThread(code, word, LAST_THREAD).set(last);
  // Two threads of different warps stand for any others.
  pushIsOtherWarp(code, first, last).if();
  code.op("return").end();
  const added = code.block();
  pushIsOtherWarp(code, me, first).brIf(added);
  // Earlier accesses of the warp precede this one, and thus everything that it precedes.
  code.get(old).get(epoch).op("i32.lt_u").brIf(replaced);
  code.get(first).get(last).op("i32.ne").if();
  code.op("return").end();
  code.get(first).get(me).op("i32.eq").if();
  code.op("return").end();
  code.end();
  code.get(record).get(word);
  code.i32(~(THREAD_MASK << LAST_THREAD)).op("i32.and");
  code.get(me).i32(LAST_THREAD).op("i32.shl").op("i32.or").memory("i32.store");
  code.op("return").end();
  code.get(record).get(now).memory("i32.store");
  code.get(record).get(epoch).memory("i32.store", RECORD_EPOCH);
  const index = builder.function({ parameters: ["i32", "i32", "i32", "i32"], results: [] });
  builder.define(index, code);
  return index;
}

/**
 * A function that takes a place, its cell, a plain read that was recorded there, and the epochs of the warp and the
 * block. It marks the place's line if no plain read of the warp, or of any thread, needs a record there.
 */
function finishFunction(builder: ModuleBuilder, frame: ModuleFrame, shape: ShadowShape): number {
  const code = new Code(5);
  const [place, cell, now, epoch, block] = [0, 1, 2, 3, 4];
  const [word, me, first, last, end, ofAll] = ["i32", "i32", "i32", "i32", "i32", "i32"].map(() =>
    code.local("i32"),
  ) as [number, number, number, number, number, number];
  const bytes = 1 << cellOf(shape);
  pushThread(code, now, FIRST_THREAD).set(me);
  // From the first cell of the line to its last.
  code.get(cell);
  code
    .get(place)
    .i32(shape.granule)
    .op("i32.shr_u")
    .i32((1 << LINE) - 1)
    .op("i32.and");
  code.i32(cellOf(shape)).op("i32.shl").op("i32.sub").tee(cell);
  code
    .i32(bytes << LINE)
    .op("i32.add")
    .set(end);
  code.i32(1).set(ofAll);
  const incomplete = code.block();
  const next = code.loop();
  for (const record of ["write", "strongWrite"] as const) {
    if (!exists(shape, record)) continue;
    code
      .get(cell)
      .memory("i32.load", RECORDS[record] + RECORD_EPOCH)
      .get(block)
      .op("i32.ge_u");
    code.brIf(incomplete);
  }
  code
    .get(cell)
    .memory("i32.load", RECORDS.read + RECORD_EPOCH)
    .get(block)
    .op("i32.lt_u")
    .brIf(incomplete);
  code.get(cell).memory("i32.load", RECORDS.read).set(word);
  pushThread(code, word, FIRST_THREAD).set(first);
  pushThread(code, word, LAST_THREAD).set(last);
  pushIsOtherWarp(code, first, last).op("i32.eqz").if();
  code.get(first).get(last).op("i32.eq").brIf(incomplete);
  pushIsOtherWarp(code, first, me).brIf(incomplete);
  code
    .get(cell)
    .memory("i32.load", RECORDS.read + RECORD_EPOCH)
    .get(epoch)
    .op("i32.ne")
    .brIf(incomplete);
  code.i32(0).set(ofAll).end();
  code.get(cell).i32(bytes).op("i32.add").tee(cell).get(end).op("i32.ne").brIf(next).end();
  pushEntry(code, frame, place);
  code.memory("i32.load", ENTRY_LINES);
  addLine(code, shape, place);
  code.get(block).i32(LINE_EPOCH).op("i32.shl");
  code.get(epoch).i32(LINE_EPOCH).op("i32.shl").get(me).i32(5).op("i32.shr_u").i32(1);
  code.op("i32.add").op("i32.or").get(ofAll).op("select").memory("i32.store");
  code.end();
  const index = builder.function({ parameters: ["i32", "i32", "i32", "i32", "i32"], results: [] });
  builder.define(index, code);
  return index;
}
