// Loads and stores of four threads. Consecutive addresses need one access with one check. Otherwise, and when the check
// fails, each thread makes its own access.
import type { Step } from "../../control/step.js";
import type { AddressOperand, Operand } from "../../program/operand.js";
import { TYPES } from "../../program/types.js";
import type { Label } from "../binary/code.js";
import { observesAccesses } from "../checks/checks.js";
import { observeFour } from "../checks/observe-four.js";
import { leaveUnlessInside, leaveUnlessMapped, pushLikelyPlaces } from "../emit/bounds.js";
import { pushSum } from "../emit/memory.js";
import { pushCheckedBase } from "../emit/range-checks.js";
import { isStrong } from "../emit/strong.js";
import { writeStep } from "../emit/table.js";
import type { VectorEmit, VectorSelect } from "./select.js";
import { spreads } from "./spread.js";
import { LANES, type Vectors } from "./vectors.js";

/** What loads and stores have in common. */
interface VectorAccess {
  readonly step: Step;
  readonly address: AddressOperand;
  /** The bytes of one thread's value: 4 or 8. */
  readonly size: number;
}

function accessOf(
  step: Step,
  address: Operand | undefined,
  value: Operand | undefined,
): VectorAccess | undefined {
  const type = step.operation.types.at(-1)!;
  const { bits } = TYPES[type];
  const { space } = step.operation;
  if (address?.kind !== "address" || address.base.kind !== "register" || value?.kind === "vector")
    return undefined;
  if (isStrong(step)) return undefined;
  if ((bits !== 32 && bits !== 64) || space === "local" || space === "param") return undefined;
  return { step, address, size: bits / 8 };
}

export const vectorLoad: VectorSelect = (step) => {
  const [value, address] = step.source.operands;
  const access = accessOf(step, address, value);
  return (
    access &&
    emitWith(access, (vectors, { size }, pushPlace, offset) => {
      if (size === 4) {
        vectors.assign(step, 0, () => {
          pushPlace();
          const isOne = vectors.shapes.ofOperand(step, access.address) === 0;
          vectors.code.memory(isOne ? "v128.load32_splat" : "v128.load", offset);
        });
      } else {
        vectors.assignHalves(step, 0, (half) => {
          pushPlace();
          vectors.code.memory("v128.load", offset + 16 * half);
        });
      }
    })
  );
};

export const vectorStore: VectorSelect = (step) => {
  const [address, value] = step.source.operands;
  const access = accessOf(step, address, value);
  return (
    access &&
    emitWith(access, (vectors, { size }, pushPlace, offset) => {
      for (const half of size === 4 ? [0 as const] : [0 as const, 1 as const]) {
        pushPlace();
        if (size === 4) vectors.push(step, 1, true);
        else vectors.pushHalf(step, 1, half);
        vectors.code.memory("v128.store", offset + 16 * half);
      }
    })
  );
};

/** Emits one access for four threads, and what happens when its check fails. */
function emitWith(
  access: VectorAccess,
  transfer: (vectors: Vectors, access: VectorAccess, pushPlace: () => void, offset: number) => void,
): VectorEmit {
  return (vectors, step, giveUp) => {
    const { code, scalar } = vectors;
    const shape = vectors.shapes.ofOperand(step, access.address);
    const each = () => {
      for (const lane of vectors.lanes) writeStep(lane, step);
    };
    const isObserved = observesAccesses(vectors.facts.checks);
    const { traits, space } = step.operation;
    const observed = { kind: traits.writes ? "store" : "load", space, bytes: access.size } as const;
    const together = scalar.checked?.get(step);
    if (together !== undefined) {
      if (shape !== access.size && !(shape === 0 && spreads(step))) {
        each();
        return;
      }
      const transferFrom = (apart?: Label) =>
        code.scratch("i32", (base) => {
          const offset = pushCheckedBase(scalar, together, access.address.offset);
          code.set(base);
          const push = () => code.get(base);
          if (apart !== undefined) observeFour(scalar, step, observed, push, offset, shape === 0, apart);
          transfer(vectors, access, push, offset);
        });
      if (!isObserved) {
        transferFrom();
        return;
      }
      const done = code.block();
      transferFrom(code.block());
      code.br(done).end();
      each();
      code.end();
      return;
    }
    if (shape !== undefined && shape !== access.size) {
      each();
      return;
    }
    const done = code.block();
    const apart = code.block();
    code.scratch("i32", (low) => {
      pushChecked(vectors, access, shape, low, apart);
      if (isObserved) observeFour(scalar, step, observed, () => code.get(low), 0, false, apart);
      transfer(vectors, access, () => code.get(low), 0);
    });
    code.br(done);
    code.end();
    // Addresses that are not consecutive are common, but invalid ones are not.
    if (giveUp !== undefined && shape !== undefined) giveUp();
    else each();
    code.end();
  };
}

/** Leaves the offset of the bytes in a local, or branches away. */
function pushChecked(
  vectors: Vectors,
  { step, address, size }: VectorAccess,
  shape: number | undefined,
  low: number,
  apart: Label,
): void {
  const { code, scalar } = vectors;
  const { base, offset } = address;
  if (base.kind !== "register") return;
  const first = vectors.lanes[0]!;
  const isWide = TYPES[vectors.facts.registerTypes[step.context.registerBase + base.register]!].bits === 64;
  if (shape === undefined) {
    pushIsApart(vectors, step, base.register, size, isWide);
    code.brIf(apart);
  }
  code.scratch("i64", (full) => {
    pushSum(first, step, base, offset);
    code.set(full);
    const extent = { bytes: size * LANES, alignment: size };
    if (step.operation.space !== "shared") {
      leaveUnlessMapped(scalar, full, low, extent, apart);
      return;
    }
    leaveUnlessInside(scalar, full, size, () => pushLikelyPlaces(scalar, extent), apart);
    code.get(full).op("i32.wrap_i64");
    scalar.global("shared");
    code.op("i32.add").set(low);
  });
}

/** Pushes whether four addresses are not consecutive. */
function pushIsApart(vectors: Vectors, step: Step, register: number, size: number, isWide: boolean): void {
  const { code } = vectors;
  const local = vectors.localOf(step.context.registerBase + register);
  if (!isWide) {
    code.get(local).get(local).lane("i32x4.extract_lane", 0).op("i32x4.splat").op("i32x4.sub");
    code
      .v128(
        [0, 1, 2, 3].map((lane) => BigInt(lane * size)),
        32,
      )
      .op("i32x4.eq")
      .op("i32x4.all_true")
      .op("i32.eqz");
    return;
  }
  code.scratch("v128", (base) => {
    code.get(local).lane("i64x2.extract_lane", 0).op("i64x2.splat").set(base);
    for (const half of [0, 1]) {
      code
        .get(local + half)
        .get(base)
        .op("i64x2.sub");
      code
        .v128(
          [2 * half, 2 * half + 1].map((lane) => BigInt(lane * size)),
          64,
        )
        .op("i64x2.eq");
    }
    code.op("v128.and").op("i64x2.all_true").op("i32.eqz");
  });
}
