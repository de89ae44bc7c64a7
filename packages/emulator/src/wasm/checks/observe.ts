// The code of an access that records it for the checks, where its bytes are known to be allocated.
import type { Step } from "../../control/step.js";
import { isSynchronizing } from "../../run/synchronizing.js";
import type { Access } from "../access.js";
import type { Bytes } from "../emit/bounds.js";
import type { Emitter } from "../emit/emitter.js";
import type { MemoryOpcode } from "../emit/memory.js";
import { ALONE } from "./layout.js";
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
      const record = () => {
        const kind = touchKind(access.kind, isSynchronizing(step.operation));
        code.get(local);
        if (offset !== 0) code.i32(offset).op("i32.add");
        pushBytes(emitter, bytes);
        emitter.threadNumber();
        code.i32(ALONE).op("i32.mul").i32(accessNumber(facts.module, step)).op("i32.or");
        code.call(shadow.touch[kind]);
      };
      ifInArea(emitter, access, first, "local", record, true);
    }
  });
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
    emitter.hoisted("written", "i32", () => {
      const { globals } = facts.module;
      code.getGlobal(globals.written).getGlobal(globals.shared).op("i32.sub");
    });
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
  code.i32(emitter.site({ step }));
  emitter.threadNumber();
  code.get(local);
  if (offset !== 0) code.i32(offset).op("i32.add");
  code.call(facts.module.imports.unwritten);
  mark();
  code.end();
}
