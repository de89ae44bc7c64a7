// Arithmetic on the bytes and halves of words (PTX ISA, SIMD Video Instructions). All lanes are computed; each stays in
// its place.
import { clamp, greater, lesser, wrap } from "./integer.js";
import { type Mnemonic, numbers, type ScalarOperation } from "./operation.js";

/** Combines one lane of each operand. */
type LaneFunction = (a: bigint, b: bigint) => bigint;

const holds = (compare: (a: bigint, b: bigint) => boolean): LaneFunction => {
  return (a, b) => (compare(a, b) ? 1n : 0n);
};

/** Functions by the name without its number of lanes, plus the comparison if there is one. */
const LANE_FUNCTIONS: Readonly<Record<string, LaneFunction>> = {
  vadd: (a, b) => a + b,
  vsub: (a, b) => a - b,
  // Averages are rounded away from zero.
  vavrg: (a, b) => (a + b >= 0n ? (a + b + 1n) >> 1n : (a + b) >> 1n),
  vabsdiff: (a, b) => (a > b ? a - b : b - a),
  vmin: lesser,
  vmax: greater,
  "vset.eq": holds((a, b) => a === b),
  "vset.ne": holds((a, b) => a !== b),
  "vset.lt": holds((a, b) => a < b),
  "vset.le": holds((a, b) => a <= b),
  "vset.gt": holds((a, b) => a > b),
  "vset.ge": holds((a, b) => a >= b),
};

/** Instructions by name: the function to apply to each lane, and the number of lanes. */
const NAMES: ReadonlyMap<string, readonly [base: string, lanes: 2 | 4]> = new Map(
  ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset"].flatMap((base) =>
    ([2, 4] as const).map((lanes) => [`${base}${lanes}`, [base, lanes]] as const),
  ),
);

const COMPARISON = /^(eq|ne|lt|le|gt|ge)$/;

/**
 * The operation of a SIMD video instruction. `.add` adds all lanes to the third operand, which is otherwise ignored.
 */
export function videoOperation({ name, words: modifiers, types }: Mnemonic): ScalarOperation | undefined {
  const [base, lanes] = NAMES.get(name) ?? [];
  if (base === undefined || lanes === undefined) return undefined;
  const comparison = [...modifiers].find((word) => COMPARISON.test(word));
  const compute = LANE_FUNCTIONS[comparison === undefined ? base : `${base}.${comparison}`];
  if (compute === undefined) return undefined;
  const [aType = "", bType = ""] = types.slice(-2);
  const bits = 32 / lanes;
  const laneType = (type: string) => ({ bits, width: BigInt(bits), signed: type === "s32" });
  const [a, b] = [laneType(aType), laneType(bType)];
  const result = laneType(base === "vset" ? "u32" : types[0]!);
  const saturates = modifiers.has("sat");
  const lane = (x: number, y: number, index: number): bigint => {
    const shift = bits * index;
    const value = compute(wrap(a, BigInt(x >>> shift)), wrap(b, BigInt(y >>> shift)));
    return saturates ? clamp(result, value) : value;
  };
  const indices = Array.from({ length: lanes }, (_, index) => index);
  const adds = modifiers.has("add");
  return {
    args: ["i32", "i32", "i32"],
    result: "i32",
    bits: 32,
    signed: false,
    evaluate: numbers((x, y, z) => {
      if (adds)
        return Number(
          BigInt.asUintN(
            32,
            indices.reduce((sum, index) => sum + lane(x, y, index), BigInt(z)),
          ),
        );
      return indices.reduce(
        (word, index) => word | (Number(BigInt.asUintN(bits, lane(x, y, index))) << (bits * index)),
        0,
      );
    }),
  };
}
