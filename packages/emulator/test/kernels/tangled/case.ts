import { kernelCase, numbers } from "../../support/kernel-case.js";

const next = numbers(71);
const THREADS = 192;
const input = Uint32Array.from({ length: THREADS }, () => next(2 ** 32));
const fields = BigUint64Array.from(
  { length: THREADS },
  () => (BigInt(next(2 ** 32)) << 32n) | BigInt(next(2 ** 32)),
);

type Place = "top" | "middle" | "other" | "end";

/** The same jumps as a table. */
function tangled(value: number): { s: number; v: number } {
  let [v, s, n] = [value, 0, 0];
  const steps: Record<Exclude<Place, "end">, () => Place> = {
    top: () => {
      s = (s + (v & 15)) >>> 0;
      v >>>= 1;
      if (++n > 40) return "end";
      return v % 3 === 0 ? "other" : "middle";
    },
    middle: () => {
      s = (Math.imul(s, 5) + 1) >>> 0;
      if (s & 64) v = (v ^ s) >>> 0;
      if (++n > 40) return "end";
      return v & 2 ? "top" : "other";
    },
    other: () => {
      s = (s ^ v) >>> 0;
      v = (Math.imul(v, 1103515245) + 12345) >>> 0;
      if (++n > 40) return "end";
      return v & 4 ? "middle" : v & 8 ? "top" : "other";
    },
  };
  let place: Place = v & 1 ? "middle" : "top";
  while (place !== "end") place = steps[place]();
  return { s, v };
}

/** Fields as compilers lay them out, from the lowest bit: 5, 7, 33 and 1 bits. */
function changed(bits: bigint, { s, v }: { s: number; v: number }): bigint {
  const a = BigInt.asUintN(5, bits + 7n);
  const b = BigInt.asUintN(7, (bits >> 5n) - BigInt(s));
  const c = BigInt.asUintN(33, (bits >> 12n) + BigInt(v));
  const d = BigInt.asUintN(1, ~(bits >> 45n));
  return ((bits >> 46n) << 46n) | (d << 45n) | (c << 12n) | (b << 5n) | a;
}

export default kernelCase({
  buffers: { input, out: new Uint32Array(THREADS), fields },
  launches: [
    {
      kernel: "tangled",
      grid: 2,
      block: 96,
      args: [{ buffer: "input" }, { buffer: "out" }, { buffer: "fields" }],
    },
  ],
  expected: {
    out: input.map((value) => tangled(value).s),
    fields: fields.map((bits, i) => changed(bits, tangled(input[i]!))),
  },
});
