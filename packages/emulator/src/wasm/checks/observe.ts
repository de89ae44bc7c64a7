// The code of an access that records it for the checks, where its bytes are known to be allocated.
import type { Step } from "../../control/step.js";
import type { OperationSpace } from "../../program/operation.js";
import { isSynchronizing } from "../../run/synchronizing.js";
import type { Access } from "../access.js";
import type { Code, Label, MemoryOpcode } from "../binary/code.js";
import type { Emitter } from "../emit/emitter.js";
import type { Bytes } from "../page-bounds.js";
import { addCell, addLine, pushEntry } from "./cells.js";
import {
  ALONE,
  BLOCK_EPOCH,
  ENTRY_LINES,
  FIRST_THREAD,
  LINE,
  LINE_EPOCH,
  NO_PAGE,
  RECORD_EPOCH,
  RECORDS,
} from "./layout.js";
import type { ShadowCode } from "./shadow-code.js";
import { accessNumber, isPrivate, touchKind } from "./shape.js";

/** Where the first byte of an access is: a local plus a constant. */
interface First {
  readonly local: number;
  readonly offset: number;
}

/** Emits the checks of an access whose first byte `push` pushes. */
export function observe(
  emitter: Emitter,
  step: Step,
  access: Access,
  push: () => void,
  offset: number,
  bytes: Bytes,
): void {
  const { code, facts } = emitter;
  const { checks, shadow } = facts;
  if (isPrivate(access.space)) return;
  code.scratch("i32", (local) => {
    push();
    code.set(local);
    const first = { local, offset };
    if (checks.uninitialized && access.space !== "global" && access.space !== "const")
      ifInArea(emitter, access, first, "shared", () => observeWritten(emitter, step, access, first, bytes));
    if (shadow !== undefined) {
      const record = () => recordAccess(emitter, shadow, step, access, first, bytes);
      ifInArea(emitter, access, first, "local", record, true);
    }
  });
}

/** Emits what follows a store: a race of two stores is reported once it is known what both stored. */
export function afterStore({ code, facts }: Emitter, space: OperationSpace): void {
  if (facts.shadow === undefined || isPrivate(space)) return;
  const { globals, imports } = facts.module;
  code.getGlobal(globals.pending).if();
  code.call(imports.stored).end();
}

/** Records an access in shadow memory: inline in the usual cases, otherwise by a call. */
function recordAccess(
  emitter: Emitter,
  shadow: ShadowCode,
  step: Step,
  access: Access,
  { local, offset }: First,
  bytes: Bytes,
): void {
  const { code, facts } = emitter;
  const kind = touchKind(access.kind, isSynchronizing(step.operation));
  const number = accessNumber(facts.module, step, access);
  code.scratch("i32", (place) => {
    code.scratch("i32", (now) => {
      code.get(local);
      if (offset !== 0) code.i32(offset).op("i32.add");
      code.set(place);
      const done = code.block();
      if (kind === "read" && access.space === "shared" && typeof bytes === "number")
        pushLineMatches(emitter, shadow, place, access).brIf(done);
      emitter.threadNumber();
      code.i32(ALONE).op("i32.mul").i32(number).op("i32.or").set(now);
      if ((kind === "read" || kind === "write") && bytes === 1 << shadow.shape.granule)
        recordInline(emitter, shadow, kind, access, { place, now, done });
      code.get(place);
      pushBytes(emitter, bytes);
      code.get(now).call(shadow.touch[kind]).end();
    });
  });
}

/** Pushes the epoch of the block. */
function pushBlockEpoch(emitter: Emitter): void {
  emitter.hoisted("block epoch", "i32", () =>
    emitter.code.getGlobal(emitter.facts.module.globals.epochs).memory("i32.load", BLOCK_EPOCH),
  );
}

/** Pushes the epoch of the thread's warp. */
export function pushEpoch(emitter: Emitter, { shape }: ShadowCode): void {
  if (!shape.warps) {
    pushBlockEpoch(emitter);
    return;
  }
  emitter.global("epochs");
  emitter.threadNumber();
  emitter.code.i32(5).op("i32.shr_u").i32(2).op("i32.shl").op("i32.add").memory("i32.load");
}

/**
 * Pushes the cells, or the lines, of the first page, for a place of the page. All of shared memory has the same.
 */
function pushPage(emitter: Emitter, place: number, { space }: Access, offset: 0 | typeof ENTRY_LINES): void {
  const { code, facts } = emitter;
  if (space !== "shared") {
    pushEntry(code, facts.module, place);
    code.memory("i32.load", offset);
    return;
  }
  emitter.hoisted(`shadow of shared ${offset}`, "i32", () => {
    code.scratch("i32", (shared) => {
      code.getGlobal(facts.module.globals.shared).set(shared);
      pushEntry(code, facts.module, shared);
      code.memory("i32.load", offset);
    });
  });
}

/** Pushes whether a read of shared memory needs no record. */
function pushLineMatches(emitter: Emitter, shadow: ShadowCode, place: number, access: Access): Code {
  const { granule } = shadow.shape;
  const lines = Math.max(1, access.bytes >> (granule + LINE));
  const offsets = Array.from({ length: lines }, (_, line) => line << (granule + LINE));
  return pushLinesMatch(emitter, shadow, place, access, offsets, () => pushEpoch(emitter, shadow));
}

/** Pushes whether plain reads at offsets from a place need no record. */
export function pushLinesMatch(
  emitter: Emitter,
  shadow: ShadowCode,
  place: number,
  access: Access,
  offsets: readonly number[],
  pushWarpEpoch: () => void,
): Code {
  const { code } = emitter;
  code.scratch("i32", (line) => {
    offsets.forEach((offset, i) => {
      code.scratch("i32", (at) => {
        code.get(place);
        if (offset > 0) code.i32(offset).op("i32.add");
        code.set(at);
        pushPage(emitter, at, access, ENTRY_LINES);
        addLine(code, shadow.shape, at);
      });
      code.memory("i32.load").tee(line);
      pushBlockEpoch(emitter);
      code.i32(LINE_EPOCH).op("i32.shl").op("i32.eq").get(line);
      pushWarpEpoch();
      code.i32(LINE_EPOCH).op("i32.shl").op("i32.sub");
      emitter.threadNumber();
      code.i32(5).op("i32.shr_u").i32(1).op("i32.add").op("i32.eq").op("i32.or");
      if (i > 0) code.op("i32.and");
    });
  });
  return code;
}

/** Records an access of one granule and leaves, if only this thread has accessed it since the block's last barrier. */
function recordInline(
  emitter: Emitter,
  shadow: ShadowCode,
  kind: "read" | "write",
  access: Access,
  { place, now, done }: { readonly place: number; readonly now: number; readonly done: Label },
): void {
  const { code } = emitter;
  const { strong } = shadow.shape;
  const slow = code.block();
  code.scratch("i32", (cell) => {
    pushPage(emitter, place, access, 0);
    code.tee(cell);
    if (access.space !== "shared") code.i32(NO_PAGE).op("i32.eq").brIf(slow).get(cell);
    addCell(code, shadow.shape, place);
    code.set(cell);
    for (const record of ["write", "read"] as const) {
      code.get(cell).memory("i32.load", RECORDS[record] + RECORD_EPOCH);
      pushBlockEpoch(emitter);
      code.op("i32.ge_u").if();
      code.get(cell).memory("i32.load", RECORDS[record]).get(now).op("i32.xor");
      code.i32(FIRST_THREAD).op("i32.shr_u").brIf(slow).end();
    }
    for (const record of strong ? (["strongWrite", "strongRead"] as const) : []) {
      code.get(cell).memory("i32.load", RECORDS[record] + RECORD_EPOCH);
      pushBlockEpoch(emitter);
      code.op("i32.ge_u").brIf(slow);
    }
    code.get(cell).get(now).memory("i32.store", RECORDS[kind]);
    code.get(cell);
    pushEpoch(emitter, shadow);
    code.memory("i32.store", RECORDS[kind] + RECORD_EPOCH).br(done);
  });
  code.end();
}

function pushBytes({ code }: Emitter, bytes: Bytes): void {
  if (typeof bytes === "number") code.i32(bytes);
  else code.get(bytes.local);
}

/** Emits code that runs if an access is in the block's shared or local memory, or if it is not. */
function ifInArea(
  emitter: Emitter,
  { space }: Access,
  { local, offset }: First,
  area: "shared" | "local",
  write: () => void,
  isOutside = false,
): void {
  const { code, facts } = emitter;
  if (space !== "generic" || (area === "local" && facts.localBytes === 0)) {
    write();
    return;
  }
  code.get(local);
  if (offset !== 0) code.i32(offset).op("i32.add");
  emitter.global(area);
  code.op("i32.sub");
  emitter.global(area === "shared" ? "sharedBytes" : "localBytes");
  code.op(isOutside ? "i32.ge_u" : "i32.lt_u").if();
  write();
  code.end();
}

/** For each number of bytes, how they are loaded and stored, and the value of bytes that were all written. */
const WHOLE: Readonly<Record<number, readonly [MemoryOpcode, MemoryOpcode]>> = {
  1: ["i32.load8_s", "i32.store8"],
  2: ["i32.load16_s", "i32.store16"],
  4: ["i32.load", "i32.store"],
};

/** Pushes the distance from shared memory to the map of its written bytes. */
export function pushWritten(emitter: Emitter): void {
  emitter.hoisted("written", "i32", () => {
    const { globals } = emitter.facts.module;
    emitter.code.getGlobal(globals.written).getGlobal(globals.shared).op("i32.sub");
  });
}

/** Checks that bytes of shared memory were written, or marks them as written. */
function observeWritten(
  emitter: Emitter,
  step: Step,
  { kind }: Access,
  { local, offset }: First,
  bytes: Bytes,
): void {
  const { code, facts } = emitter;
  const pushPlace = () => {
    code.get(local);
    pushWritten(emitter);
    code.op("i32.add");
  };
  if (typeof bytes !== "number") {
    // Only copies into shared memory have a size that is not constant, and all of their bytes there are written.
    return;
  }
  const unit = Math.min(bytes, 4);
  const [load, store] = WHOLE[unit]!;
  const mark = () => {
    for (let at = 0; at < bytes; at += unit) {
      pushPlace();
      code.i32(-1).memory(store, offset + at);
    }
  };
  if (kind === "store") {
    mark();
    return;
  }
  for (let at = 0; at < bytes; at += unit) {
    pushPlace();
    code.memory(load, offset + at);
    if (at > 0) code.op("i32.and");
  }
  code.i32(-1).op("i32.ne").if();
  if (emitter.giveUp !== undefined) {
    code.br(emitter.giveUp).end();
    return;
  }
  code.i32(emitter.site({ step }));
  emitter.threadNumber();
  code.get(local);
  if (offset !== 0) code.i32(offset).op("i32.add");
  code.call(facts.module.imports.unwritten);
  mark();
  code.end();
}
