// The memory of a compile: regions keep their content when others grow, and running out of memory throws an
// `AstPtxError`.
import fc from "fast-check";
import { expect, it } from "vitest";
import { Region } from "../../src/compile/addresses.js";
import { Arena } from "../../src/compile/arena.js";
import { raised } from "../support/small-table.js";

/** The regions that a compile writes; only the control region comes before them. */
const REGIONS = Array.from({ length: Region.output - Region.heads + 1 }, (_, index) => Region.heads + index);

const memories: [string, () => WebAssembly.Memory | undefined][] = [
  ["a buffer of its own", () => undefined],
  ["a WebAssembly memory", () => new WebAssembly.Memory({ initial: 1 })],
];

it.each(memories)("keeps the content of %s while regions grow", (_, memory) => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...REGIONS), fc.integer({ min: 1, max: 300_000 })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(steps, (list) => {
      const arena = new Arena(memory());
      const sizes = new Map<number, number>();
      for (const [region, size] of list) {
        arena.reserve(region, size);
        sizes.set(region, Math.max(size, sizes.get(region) ?? 0));
        // The first and the last byte of the reserved size.
        for (const at of [0, size - 1]) arena.bytes[arena.start(region) + at] = region + 1;
        for (const [other, reserved] of sizes) {
          expect(arena.bytes[arena.start(other)]).toBe(other + 1);
          const next = other === Region.output ? arena.size : arena.start(other + 1);
          expect(arena.start(other) + reserved).toBeLessThanOrEqual(next);
        }
      }
    }),
    { numRuns: 100 },
  );
});

it("keeps the names of registers, whatever grows before them", () => {
  const arena = new Arena();
  const textAt = (number: number) => {
    const at = arena.start(Region.registers) + 16 * number;
    const length = arena.bytes[at + 15]!;
    return new TextDecoder().decode(arena.bytes.subarray(at, at + length));
  };
  arena.reserveRegisters(12);
  arena.reserve(Region.inputs, 100_000);
  arena.reserveRegisters(100_002);
  for (const number of [0, 9, 10, 11, 99, 100, 99_999, 100_001]) {
    expect(textAt(number)).toBe(`%ast${number}, `);
  }
});

it("reports insufficient memory and stays unchanged", () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 4 });
  const arena = new Arena(memory);
  const { size } = arena;
  expect(raised(() => arena.reserve(Region.output, 2 ** 20)).code).toBe("INSUFFICIENT_BUFFER");
  expect(raised(() => arena.reserve(Region.code, 2 ** 31)).code).toBe("INSUFFICIENT_BUFFER");
  expect(arena.size).toBe(size);
  arena.reserve(Region.values, 17_000);
  expect(arena.start(Region.output)).toBeGreaterThan(arena.start(Region.values) + 17_000);
});
