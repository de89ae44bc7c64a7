// Damaged description files: whatever happened to the text, the parser returns a table or throws an error
// that says where.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import {
  DescriptionError,
  parseAstDescription,
  parseDescription,
  parseInjectDescription,
  parseStackDescription,
} from "../src/index.js";

const HEAD = { $schema: "./stack.schema.json", abi_version: 1 };
const FILES = [
  {
    ...HEAD,
    stack_types: [
      { name: "F32", literal_prefix: "f32", constant_type: "f32", encoder_type: "f32" },
      { name: "PRED", literal_prefix: "pred" },
    ],
    arg_types: [
      { name: "F32", stack_type: "F32" },
      { name: "V4", stack_type: "F32", num_vec_elems: 4 },
      { name: "PRED", stack_type: "PRED" },
    ],
    instructions: [
      { ptx: "add.f32", args: ["F32", "F32"], rets: ["F32"], aligned: false },
      { ptx: "tanh.approx.f32", args: ["F32"], rets: ["F32"], requires: { target: "sm_75", ptx: "7.0" } },
      { ptx: "setp.lt.f32", args: ["F32", "F32"], rets: ["PRED", "PRED"], name: "setp2", display: "<" },
    ],
    special_registers: [{ ptx: "tid", arg_type: "V4", name: "thread" }],
  },
  {
    ...HEAD,
    data_type_infos: [
      {
        name: "F16",
        register_type: "b16",
        mov_postfix: "b16",
        register_char: "h",
        register_cast_str: "*(unsigned short*)&",
      },
      { name: "F32", register_type: "f32", mov_postfix: "f32", register_char: "f", register_cast_str: "" },
    ],
  },
  {
    ...HEAD,
    extends: ["base"],
    instructions: [
      { ptx: "mul.f32", args: 2 },
      { ptx: "fma.rn.f32", args: 3, name: "fma", requires: { ptx: "2.0" } },
    ],
  },
];
const PARSERS = [parseStackDescription, parseInjectDescription, parseAstDescription, parseDescription];
const resolve = () => ({
  name: "base.json",
  json: { abi_version: 1, instructions: [{ ptx: "add.f32", args: 2 }] },
});

type Damage = (text: string) => string;

/**
 * Replaces a value of the file, found by steps from the root; where a step leads nowhere, replaces the value
 * reached so far.
 */
function replaced(
  value: unknown,
  [step, ...rest]: readonly number[],
  put: (old: unknown) => unknown,
): unknown {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (step === undefined || keys.length === 0) return put(value);
  const copy = structuredClone(value) as Record<string, unknown>;
  const key = keys[step % keys.length]!;
  copy[key] = replaced(copy[key], rest, put);
  return copy;
}

const onData =
  (path: readonly number[], put: (old: unknown) => unknown): Damage =>
  (text) =>
    JSON.stringify(replaced(JSON.parse(text), path, put), null, 1) ?? "";

const path = fc.array(fc.nat({ max: 12 }), { maxLength: 5 });
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    "F32",
    "F23",
    "",
    "add.f32",
    "add_f32",
    -1,
    0.5,
    5,
    65536,
    1e300,
    null,
    true,
    [],
    {},
    ["F32"],
  ),
);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  // Replaces a value, deletes it, renames a key, or repeats an entry.
  fc.tuple(path, value).map(([at, put]): Damage => onData(at, () => put)),
  path.map((at): Damage => onData(at, () => undefined)),
  fc
    .tuple(path, fc.constantFrom("name", "prx", "args", "__proto__", "extends"))
    .map(
      ([at, key]): Damage =>
        onData(at, (old) =>
          typeof old === "object" && old !== null && !Array.isArray(old)
            ? Object.fromEntries(Object.entries(old).map(([name, inner], i) => [i === 0 ? key : name, inner]))
            : old,
        ),
    ),
  path.map((at): Damage => onData(at, (old) => (Array.isArray(old) ? [...old, ...old] : old))),
  // Deletes, inserts or moves characters.
  fc.tuple(fc.nat(), fc.nat({ max: 20 }), fc.string({ maxLength: 4, unit: "binary" })).map(
    ([at, length, put]): Damage =>
      (text) => {
        const start = at % (text.length + 1);
        return text.slice(0, start) + put + text.slice(start + length);
      },
  ),
  fc.tuple(fc.nat(), fc.constantFrom(...'{}[],:"\\/01e-. \n\ufeff')).map(
    ([at, sign]): Damage =>
      (text) =>
        text.slice(0, at % text.length) + sign + text.slice((at % text.length) + 1),
  ),
  fc.nat().map(
    (at): Damage =>
      (text) =>
        text.slice(0, at % text.length),
  ),
  fc.tuple(fc.nat(), fc.nat(), fc.nat({ max: 99 })).map(
    ([from, to, length]): Damage =>
      (text) =>
        text.slice(0, to % text.length) +
        text.substr(from % text.length, length) +
        text.slice(to % text.length),
  ),
);
/** Damage that needs JSON leaves a text that is no longer JSON unchanged. */
const damages = fc.array(damage, { minLength: 1, maxLength: 3 });

function damagedBy(all: readonly Damage[], file: object): string {
  return all.reduce(
    (text, apply) => {
      try {
        return apply(text);
      } catch {
        return text;
      }
    },
    JSON.stringify(file, null, 1),
  );
}

const WORDS_OF_ZOD = /Invalid|Unrecognized|Too (?:big|small)|\[object|undefined/;

describe("damaged files", () => {
  it("give a table, or an error with the place of every problem", () => {
    const seen = { tables: 0, codes: new Set<string>() };
    fc.assert(
      fc.property(damages, fc.constantFrom(...FILES), fc.constantFrom(...PARSERS), (all, file, parse) => {
        const text = damagedBy(all, file);
        try {
          parse(text, { name: "file.json", resolve });
          seen.tables++;
        } catch (error) {
          if (!(error instanceof DescriptionError)) throw error;
          seen.codes.add(error.code);
          expect(error.message).toContain("problem");
          expect(error.problems.length).toBeGreaterThan(0);
          const lines = text.replace(/^\ufeff/, "").split("\n");
          for (const problem of error.problems) {
            expect(problem.file).toBe("file.json");
            expect(problem.message).toMatch(/^expected .+, found .+/s);
            expect(`${problem.expected} ${problem.message}`.replace(/`[^`]*`/g, "")).not.toMatch(
              WORDS_OF_ZOD,
            );
            const line = lines[problem.line! - 1];
            expect(line).toBeDefined();
            expect(problem.column).toBeGreaterThan(0);
            expect(problem.column).toBeLessThanOrEqual(line!.length + 1);
            expect(problem.frame).toContain("^");
          }
        }
      }),
      { numRuns: cases(20_000), verbose: 1 },
    );
    // Damage that is always refused for the same reason would test little.
    expect(seen.tables).toBeGreaterThan(0);
    expect([...seen.codes]).toEqual(expect.arrayContaining(["REFERENCE", "SCHEMA", "SYNTAX"]));
  });

  it.each<[string, (index: number) => object]>([
    // More problems than zod can report.
    ["malformed", (index) => ({ ptx: index, arguments: [], rets: index })],
    // Each name is compared with all others to suggest the nearest.
    ["wrong", (index) => ({ ptx: `name${index}`, args: [`nam${index}`], rets: [] })],
    // All names become the same identifier.
    [
      "alike",
      (index) => ({
        ptx: "add.f32",
        name: index.toString(2).replaceAll("0", "+").replaceAll("1", "-"),
        args: [],
        rets: [],
      }),
    ],
  ])("report tens of thousands of %s entries in reasonable time", (_, make) => {
    const instructions = Array.from({ length: 60_000 }, (_, index) => make(index));
    const arg_types = instructions.map((_, index) => ({ name: `name${index}`, stack_type: "F32" }));
    const stack_types = [{ name: "F32", literal_prefix: "f32" }];
    const file = { abi_version: 1, stack_types, arg_types, instructions };
    expect(() => parseStackDescription(JSON.stringify(file))).toThrow(DescriptionError);
  });
});
