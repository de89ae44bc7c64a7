// Hash functions of 32 bits that alternate between shifts and multiplications, and those that are known.
import { SearchError } from "../../../error.js";

/** `x ^= x >> shift; x *= multiplier`, as often as there are multipliers, and a last `x ^= x >> shift`. */
export interface HashFunction {
  /** From 1 to 31; one more than there are multipliers. */
  readonly shifts: readonly number[];
  /** Odd u32. */
  readonly multipliers: readonly number[];
}

/** A published function and its exact bias. */
export interface KnownHash extends HashFunction {
  readonly label: string;
  readonly bias: number;
}

/** The known functions whose bias is compared. */
export const KNOWN_HASHES: readonly KnownHash[] = [
  {
    // Appleby, the finalizer of MurmurHash3 for 32 bits.
    label: "MurmurHash3",
    shifts: [16, 13, 16],
    multipliers: [0x85ebca6b, 0xc2b2ae35],
    bias: 0.26398543281818287,
  },
  {
    // Wellons, "Prospecting for hash functions", 2018.
    label: "lowbias32",
    shifts: [16, 15, 16],
    multipliers: [0x7feb352d, 0x846ca68b],
    bias: 0.17353355999581582,
  },
  {
    // TheIronBorn in skeeto/hash-prospector, issue 19, 2022.
    label: "best known",
    shifts: [16, 15, 15],
    multipliers: [0x21f0aaad, 0xf35a2d97],
    bias: 0.10734781817103507,
  },
  {
    // Wellons, with three rounds.
    label: "triple32",
    shifts: [17, 11, 15, 14],
    multipliers: [0xed5ad4bb, 0xac4c1b51, 0x31848bab],
    bias: 0.020888578919738908,
  },
];

/** The hash of a u32. */
export function hash32({ shifts, multipliers }: HashFunction, input: number): number {
  let x = input | 0;
  for (const [round, multiplier] of multipliers.entries()) {
    x ^= x >>> shifts[round]!;
    x = Math.imul(x, multiplier);
  }
  return (x ^ (x >>> shifts[multipliers.length]!)) >>> 0;
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");

/** Shifts and multipliers in their order, multipliers in hexadecimal digits: `16 7feb352d 15 846ca68b 16`. */
export const hashText = ({ shifts, multipliers }: HashFunction): string =>
  shifts
    .map((shift, index) => (index === 0 ? `${shift}` : `${hex(multipliers[index - 1]!)} ${shift}`))
    .join(" ");

/** The function of such a text. @throws SearchError INVALID_ARGUMENT */
export function parseHash(text: string): HashFunction {
  const words = text.trim().split(/\s+/);
  const shifts = words.filter((_, index) => index % 2 === 0);
  const multipliers = words.filter((_, index) => index % 2 === 1);
  if (
    words.length % 2 === 0 ||
    !shifts.every((each) => /^([1-9]|[12]\d|3[01])$/.test(each)) ||
    !multipliers.every((each) => /^[\da-f]{0,7}[13579bdf]$/i.test(each))
  ) {
    throw new SearchError(
      "INVALID_ARGUMENT",
      `expected shifts from 1 to 31 and odd hexadecimal multipliers in turn, such as \`16 7feb352d 15 846ca68b 16\`, found \`${text}\``,
    );
  }
  return { shifts: shifts.map(Number), multipliers: multipliers.map((each) => Number.parseInt(each, 16)) };
}

/** The function as C and CUDA. */
export function hashC({ shifts, multipliers }: HashFunction, name: string): string {
  const rounds = shifts.flatMap((shift, index) => [
    `    x ^= x >> ${shift};`,
    ...(index < multipliers.length ? [`    x *= 0x${hex(multipliers[index]!)}u;`] : []),
  ]);
  return [`uint32_t ${name}(uint32_t x)`, "{", ...rounds, "    return x;", "}"].join("\n");
}

/** The function as a PTX stub that hashes the operand `x` in place. */
export function hashStub({ shifts, multipliers }: HashFunction): string {
  const rounds = shifts.flatMap((shift, index) => [
    `shr.u32 %t, %x, ${shift};`,
    "xor.b32 %x, %x, %t;",
    ...(index < multipliers.length ? [`mul.lo.u32 %x, %x, 0x${hex(multipliers[index]!)};`] : []),
  ]);
  return [`{`, ".reg .b32 %t;", ...rounds, "}"].join("\n");
}
