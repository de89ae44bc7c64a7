// Damaged lists of generated files give targets or an error with places, and nothing else.

import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { readTargetList } from "../../src/cli/target-list.js";
import { DescriptionError } from "../../src/index.js";
import { CommandLine } from "../support/command-line.js";

let line: CommandLine;
beforeAll(() => {
  line = new CommandLine();
});
afterAll(() => line.remove());

const value = fc.oneof(
  fc.constantFrom<unknown>(
    "c",
    "python",
    "typescript",
    "stack",
    "out/",
    ".",
    "",
    "\0",
    "__proto__",
    null,
    1,
    [],
    {},
  ),
  fc.string({ unit: "binary" }),
);
const key = fc.constantFrom("from", "language", "out", "schema", "prefix", "encoders", "__proto__", "x");
const entry = fc.oneof(fc.dictionary(key, value), value);
const list = fc.oneof(
  fc.array(entry).map((generated) => JSON.stringify({ generated })),
  fc.json(),
  fc.tuple(fc.array(entry), fc.nat(), fc.string()).map(([generated, at, text]) => {
    const json = JSON.stringify({ generated });
    const place = at % json.length;
    return json.slice(0, place) + text + json.slice(place + 1);
  }),
);

it("are read or refused", () => {
  let refused = 0;
  fc.assert(
    fc.property(list, (text) => {
      line.write("list.json", text);
      try {
        for (const target of readTargetList(line.path("list.json"))) expect(target.out).toBeTypeOf("string");
      } catch (error) {
        refused++;
        expect(error).toBeInstanceOf(DescriptionError);
        const { problems } = error as DescriptionError;
        expect(problems.length).toBeGreaterThan(0);
        for (const { line: row, column } of problems)
          expect([row, column]).toEqual([expect.any(Number), expect.any(Number)]);
      }
    }),
    { numRuns: smoke(10_000) },
  );
  expect(refused).toBeGreaterThan(smoke(10_000) / 10);
});

it("are refused when the file does not exist or cannot be read", () => {
  const refusal = expect.objectContaining({ code: "FILE" });
  expect(() => readTargetList(line.path("gone.json"))).toThrow(refusal);
  expect(() => readTargetList(line.folder)).toThrow(refusal);
  expect(() => readTargetList("\0")).toThrow(refusal);
});
