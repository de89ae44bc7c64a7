// `mma` and `wmma.mma` of f64: 8 by 4 times 4 by 8. Products are fused into the accumulators one by one, in order of k, as
// ../../arithmetic/matrix.js defines.
import type { Step } from "../../control/step.js";
import { itemsOf } from "../../program/operand.js";
import type { ModuleFrame } from "../frame.js";
import { type SavedPlaces, type WarpCode, type WarpValue, warpValue } from "./values.js";

const VECTOR_BYTES = 16;
const DOUBLE_BYTES = 8;
const ROWS = 8;
const DEPTH = 4;
const LOW = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const HIGH = LOW.map((byte) => byte + 8);

interface DoubleSetting {
  readonly module: ModuleFrame;
  readonly places: SavedPlaces;
  readonly fusedMultiplyAdd: boolean;
}

type Slot = { readonly slot: number };

const isSlot = (value: WarpValue): value is Slot & { readonly negated: boolean } =>
  value !== undefined && "slot" in value;

/** @returns false when there is no code for the instruction */
export function writeDoubleProduct(
  warp: WarpCode,
  step: Step,
  { module, places, fusedMultiplyAdd }: DoubleSetting,
): boolean {
  const { code } = warp;
  const { operation, source } = step;
  const { shape, words } = operation;
  if (!fusedMultiplyAdd || shape?.m !== ROWS || shape.n !== ROWS || shape.k !== DEPTH) return false;
  if (words.has("rz") || words.has("rm") || words.has("rp")) return false;
  const [d, [a], [b], c] = source.operands.map((operand) =>
    itemsOf(operand).map((item) => warpValue(step, item, places)),
  ) as [WarpValue[], WarpValue[], WarpValue[], WarpValue[]];
  if (!isSlot(a) || !isSlot(b)) return false;
  // Rows that are still to be computed need the factors.
  if (d.some((value) => isSlot(value) && (value.slot === a.slot || value.slot === b.slot))) return false;
  const [at, row] = [code.local("i32"), code.local("i32")];
  const load = (value: Slot, vector: number) =>
    code.get(warp.wideBase).memory("v128.load", value.slot + VECTOR_BYTES * vector);
  /** For each register of the result and half of its lanes: by k, the factors of their two columns. */
  const columns = [0, 1].map((register) =>
    [0, 1].map((half) => {
      const first = 4 * half + register;
      return [0, 1].flatMap((pair) =>
        [LOW, HIGH].map((bytes) => {
          const local = code.local("v128");
          load(b, 2 * first + pair);
          load(b, 2 * (first + 2) + pair);
          code.shuffle(bytes).set(local);
          return local;
        }),
      );
    }),
  );
  code.get(warp.wideBase).set(at).i32(0).set(row);
  const loop = code.loop();
  const factors = Array.from({ length: DEPTH }, (_, k) => {
    const local = code.local("v128");
    code
      .get(at)
      .memory("v128.load64_splat", a.slot + DOUBLE_BYTES * k)
      .set(local);
    return local;
  });
  const sums = [0, 1].flatMap((register) =>
    [0, 1].map((half) => ({
      ...{ register, half, column: columns[register]![half]! },
      ...{ start: code.local("v128"), sum: code.local("v128") },
    })),
  );
  for (const { register, half, column, start, sum } of sums) {
    const given = c[register];
    if (isSlot(given)) code.get(at).memory("v128.load", given.slot + VECTOR_BYTES * half);
    else code.v128(Array<bigint>(2).fill(given === undefined ? 0n : given.constant), 64);
    code.tee(start).set(sum);
    for (const [k, factor] of factors.entries())
      code.get(factor).get(column[k]!).get(sum).op("f64x2.relaxed_madd").set(sum);
  }
  for (const [index, { sum }] of sums.entries()) {
    code.get(sum).get(sum).op("f64x2.ne");
    if (index > 0) code.op("v128.or");
  }
  code.op("v128.any_true").if();
  for (const { column, start, sum } of sums) {
    for (const lane of [0, 1]) {
      code.get(sum).get(start).lane("f64x2.extract_lane", lane);
      code.scratch("f64", (element) => {
        code.set(element);
        for (const [k, factor] of factors.entries()) {
          code.get(factor).lane("f64x2.extract_lane", 0).get(column[k]!).lane("f64x2.extract_lane", lane);
          code.get(element).call(module.fma64()).set(element);
        }
        code.get(element);
      });
      code.lane("f64x2.replace_lane", lane).set(sum);
    }
  }
  code.end();
  for (const { register, half, sum } of sums) {
    const target = d[register];
    if (isSlot(target))
      code
        .get(at)
        .get(sum)
        .memory("v128.store", target.slot + VECTOR_BYTES * half);
  }
  code
    .get(at)
    .i32(DEPTH * DOUBLE_BYTES)
    .op("i32.add")
    .set(at);
  code.get(row).i32(1).op("i32.add").tee(row).i32(ROWS).op("i32.lt_u").brIf(loop);
  code.end();
  return true;
}
