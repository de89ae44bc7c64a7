// Damaged and hostile texts: a code that can be evaluated, or a ColumnsError, and never anything else.
import fc from "fast-check";
import { expect, it } from "vitest";
import { rare } from "../../../../tests/support/counts.js";
import { ColumnsError, evaluateBatch } from "../../src/index.js";
import { parseStub, type SiteOperand } from "../../src/stub/index.js";

const OPERANDS = (["in f32 x", "in u32 u", "in b64 l", "in pred p", "mod f32 m", "mod s32 s"] as const).map(
  (text) => {
    const [direction, registerType, name] = text.split(" ") as [SiteOperand["direction"], string, string];
    return { direction, name, register: name, registerType, type: registerType };
  },
);

const LINES = [
  ".reg .f32 %f<8>;",
  ".reg .b32 %r<8>, %t;",
  ".reg .pred %q<3>;",
  ".reg .b64 %w;",
  "mov.f32 %f0, 0f3F800000;",
  "fma.rn.ftz.f32 %f1, %x, %f0, -1.5;",
  "setp.lt.and.f32 %q0|%q1, %f0, %x, !%p;",
  "@%q0 add.f32 %m, %m, %x;",
  "@!%q1 cvt.rzi.s32.f32 %s, %m;",
  "mov.b32 %r0, %x;",
  "lop3.b32 %r1, %r0, %u, %s, 0x1E;",
  "selp.b32 %r2, %r1, (3 << 2) | 1, %q0;",
  "cvt.u64.u16 %w, %r2;",
  "shl.b64 %w, %w, 3;",
  "cvt.u32.u64 %r3, %w;",
  "prmt.b32.f4e %r4, %r3, %r2, %u;",
  "dp4a.s32.u32 %s, %r4, %r3, %s;",
  "{ .reg .b32 %r0; mov.u32 %r0, 7; add.s32 %s, %s, %r0; }",
  "// a comment",
  "/* another */ ;",
  "ex2.approx.f32 %m, %m;",
] as const;
const PIECES =
  '{ } ; , @ ! | [ ] ( ) - + .f32 .b64 .pred %x %p %f0 %w _ 0f 0x 1 1.5 mov.u32 setp. L: " */'.split(" ");

/** Some of the lines with pieces removed, repeated, exchanged and inserted. */
const damaged = fc
  .tuple(
    fc.subarray([...LINES], { minLength: 2 }),
    fc.array(
      fc.record({
        at: fc.nat(600),
        length: fc.nat(12),
        piece: fc.oneof(fc.constantFrom("", ...PIECES), fc.string({ maxLength: 3 })),
      }),
      { maxLength: 3 },
    ),
  )
  .map(([lines, changes]) =>
    changes.reduce((text, { at, length, piece }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + length);
    }, lines.join("\n")),
  );

const columns = () => [
  Float32Array.of(1.5),
  Uint32Array.of(7),
  BigInt64Array.of(5n),
  Uint8Array.of(1),
  Float32Array.of(2),
  Int32Array.of(3),
];

it("gives codes that can be evaluated, or errors with their place", { timeout: 600_000 }, async () => {
  let read = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(damaged, async (text) => {
      try {
        await evaluateBatch(parseStub(text, OPERANDS), columns());
        read++;
      } catch (error) {
        if (!(error instanceof ColumnsError) || error.place !== undefined) throw error;
        expect(error.source).toBeDefined();
        expect(text.slice(0, error.source!.span.start).split("\n")).toHaveLength(error.source!.line);
        refused++;
      }
    }),
    { numRuns: rare(20_000) },
  );
  expect(read).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});

it.each<[string, (count: number) => string]>([
  ["open braces", (count) => "{".repeat(count)],
  ["nested registers", (count) => `${"{ .reg .b32 a; ".repeat(count)}mov.b32 a, %s;${"}".repeat(count)}`],
  [
    "instructions deep inside",
    (count) => `${"{".repeat(count)}${"add.s32 %s, %s, %s;".repeat(count)}${"}".repeat(count)}`,
  ],
  ["modifiers", (count) => `add${".rn".repeat(count)}.f32 %m, %m, %m;`],
  ["signs", (count) => `add.s32 %s, %s, ${"-".repeat(count)}1;`],
  ["operands", (count) => `add.s32 %s${", %s".repeat(count)};`],
  ["guards", (count) => "@%p".repeat(count)],
  ["selections", (count) => "@%p add.s32 %s, %s, 1;".repeat(count)],
])("ends for very many %s", (_, make) => {
  try {
    parseStub(make(50_000), OPERANDS);
  } catch (error) {
    expect(error).toBeInstanceOf(ColumnsError);
  }
});
