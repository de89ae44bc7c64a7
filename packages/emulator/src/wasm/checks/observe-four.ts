// The code that records accesses of four neighbouring threads for the checks.
import type { Step } from "../../control/step.js";
import type { Access } from "../access.js";
import type { Code, Label } from "../binary/code.js";
import type { Emitter } from "../emit/emitter.js";
import { ALONE } from "./layout.js";
import { pushEpoch, pushLinesMatch, pushWritten } from "./observe.js";
import type { ShadowCode } from "./shadow-code.js";
import { accessNumber } from "./shape.js";

/**
 * Emits the checks of accesses of four neighbouring threads, whose addresses are consecutive or, for loads, all the same.
 *
 * @param emitter that of the first thread
 * @param apart where to go when the threads have to make their own accesses
 */
export function observeFour(
  emitter: Emitter,
  step: Step,
  access: Access,
  pushPlace: () => void,
  offset: number,
  isSame: boolean,
  apart: Label,
): void {
  const { code, facts } = emitter;
  const { checks, shadow } = facts;
  const { space, bytes } = access;
  code.scratch("i32", (place) => {
    pushPlace();
    if (offset !== 0) code.i32(offset).op("i32.add");
    code.set(place);
    // Places of generic addresses may be in shared or local memory.
    if (
      space === "generic" &&
      (facts.localBytes > 0 || (checks.uninitialized && facts.kernel.shared.length > 0))
    )
      code.br(apart);
    if (checks.uninitialized && space === "shared" && access.kind === "load") {
      code.get(place);
      pushWritten(emitter);
      code.op("i32.add");
      pushAllWritten(code, isSame ? bytes : 4 * bytes);
      code.op("i32.eqz").brIf(apart);
    }
    if (shadow !== undefined) {
      if (access.kind === "load") recordLoads(emitter, shadow, step, access, place, isSame);
      else {
        pushRecordsFour(emitter, shadow, step, access, place);
        code.op("i32.eqz").brIf(apart);
      }
    }
    if (checks.uninitialized && space === "shared" && access.kind === "store") {
      for (let at = 0; at < 4 * bytes; at += 16) {
        code.get(place);
        pushWritten(emitter);
        code.op("i32.add").v128([-1n, -1n], 64).memory("v128.store", at);
      }
    }
  });
}

function recordLoads(
  emitter: Emitter,
  shadow: ShadowCode,
  step: Step,
  access: Access,
  place: number,
  isSame: boolean,
): void {
  const { code } = emitter;
  const { bytes } = access;
  const done = code.block();
  if (bytes === 1 << shadow.shape.granule) {
    const pushWarpEpoch = () => {
      // With other widths of blocks, the threads may be of two warps.
      pushEpoch(emitter, shadow);
      emitter.global("ntidX");
      code.i32(3).op("i32.and").op("i32.add");
    };
    if (isSame || access.space === "shared")
      pushLinesMatch(emitter, shadow, place, access, isSame ? [0] : [0, 3 * bytes], pushWarpEpoch).brIf(done);
    if (!isSame) {
      pushRecordsFour(emitter, shadow, step, access, place);
      code.brIf(done);
    }
  }
  code.get(place).i32(bytes);
  pushRecord(emitter, step, access);
  code
    .i32(isSame ? 0 : bytes)
    .call(shadow.readFour)
    .end();
}

/** Pushes the record of the first thread. */
function pushRecord(emitter: Emitter, step: Step, access: Access): void {
  emitter.threadNumber();
  emitter.code
    .i32(ALONE)
    .op("i32.mul")
    .i32(accessNumber(emitter.facts.module, step, access))
    .op("i32.or");
}

/** Pushes whether consecutive accesses were recorded together. */
function pushRecordsFour(
  emitter: Emitter,
  shadow: ShadowCode,
  step: Step,
  access: Access,
  place: number,
): void {
  const { code } = emitter;
  if (access.bytes !== 1 << shadow.shape.granule) {
    code.i32(0);
    return;
  }
  code.get(place);
  pushRecord(emitter, step, access);
  const read = access.space === "shared" ? "readShared" : "read";
  code.call(shadow.four[access.kind === "load" ? read : "write"]);
}

/** Replaces an address by whether that many bytes there have all bits set. */
function pushAllWritten(code: Code, bytes: number): void {
  if (bytes === 4) {
    code.memory("i32.load").i32(-1).op("i32.eq");
    return;
  }
  if (bytes === 8) {
    code.memory("i64.load").i64(-1n).op("i64.eq");
    return;
  }
  code.scratch("i32", (at) => {
    code.set(at);
    for (let offset = 0; offset < bytes; offset += 16) {
      code.get(at).memory("v128.load", offset);
      if (offset > 0) code.op("v128.and");
    }
  });
  code.v128([-1n, -1n], 64).op("i32x4.eq").op("i32x4.all_true");
}
