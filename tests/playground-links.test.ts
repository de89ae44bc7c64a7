// Links to the playground: a state becomes a fragment and back, and whatever else a fragment contains ends in a sentence.

import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EXAMPLES, exampleState } from "../site/playground/src/model/examples/index.js";
import { readFragment, writeFragment } from "../site/playground/src/model/fragment.js";
import { StateError } from "../site/playground/src/model/shape.js";
import {
  type Argument,
  CHECKS,
  ELEMENT_TYPES,
  type Fill,
  LANGUAGES,
  NUMBER_TYPES,
  PICTURES,
  type PlaygroundState,
} from "../site/playground/src/model/state.js";
import { cases } from "./support/counts.js";

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const text = fc.string({ unit: "grapheme", maxLength: 40 });
const axis = fc.integer({ min: 1, max: 1000 });
const dimensions = fc.tuple(axis, axis, axis);

const fill: fc.Arbitrary<Fill> = fc.oneof(
  fc.constant({ from: "zeros" as const }),
  fc.record({ from: fc.constant("range" as const), first: number, last: number }),
  fc.record({ from: fc.constant("noise" as const), seed, low: number, high: number }),
  fc.record({ from: fc.constant("csv" as const), text }),
);

const argument: fc.Arbitrary<Argument> = fc.oneof(
  fc.record({
    kind: fc.constant("buffer" as const),
    name: text,
    type: fc.constantFrom(...ELEMENT_TYPES),
    length: axis,
    fill,
    shown: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("number" as const),
    name: text,
    type: fc.constantFrom(...NUMBER_TYPES),
    value: number,
    least: number,
    most: number,
    step: number,
  }),
  fc.record({ kind: fc.constant("bytes" as const), name: text, length: fc.integer({ min: 0, max: 4096 }) }),
);

const state: fc.Arbitrary<PlaygroundState> = fc.record({
  example: fc.constantFrom(...EXAMPLES.map(({ name }) => name)),
  kernel: fc.option(text, { nil: undefined }),
  sites: fc.dictionary(
    fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== "__proto__"),
    fc.record({ language: fc.constantFrom(...LANGUAGES), text }),
    { noNullPrototype: true },
  ),
  launch: fc.record({
    entry: text,
    grid: dimensions,
    block: dimensions,
    sharedBytes: axis,
    lockstep: fc.boolean(),
    cooperative: fc.boolean(),
  }),
  arguments: fc.array(argument, { maxLength: 6 }),
  checks: fc.subarray([...CHECKS]),
  picture: fc.record({ kind: fc.constantFrom(...PICTURES), x: text, width: axis }),
  seed,
});

/** A fragment whose data is this value. */
const fragmentOf = (value: unknown) => `gelu/${deflateRawSync(JSON.stringify(value)).toString("base64url")}`;

describe("links", () => {
  it.each(EXAMPLES.map(({ name }) => name))("of the unchanged example %s are its name", async (name) => {
    const start = exampleState(name);
    expect(start).toBeDefined();
    expect(await writeFragment(start!, exampleState)).toBe(name);
    expect(await readFragment(`#${name}`, exampleState)).toEqual(start);
  });

  it("have everything in them", async () => {
    await fc.assert(
      fc.asyncProperty(state, async (given) => {
        expect(await readFragment(await writeFragment(given, exampleState), exampleState)).toEqual(given);
      }),
      { numRuns: cases(300) },
    );
  });

  it("of a program with a change are short", async () => {
    const start = exampleState("gelu")!;
    const changed = await writeFragment({ ...start, seed: 2 }, exampleState);
    expect(changed.length).toBeLessThan(40);
  });

  it.each([
    ["nothing", "there is no example `nothing`"],
    ["gelu/a/b", "expected one `/` in the address, found more"],
    ["gelu/%", "its data contains characters that no link has"],
    ["gelu/AAAA", "its data is cut off or damaged"],
    [fragmentOf({ seed: 2 }).slice(0, -6), "its data is cut off or damaged"],
    [fragmentOf({ seed: -1 }), "`state.seed`: expected an integer from 0 to 4294967295, found -1"],
    [fragmentOf({ launch: {} }), "`state.launch.entry`: expected a text, found nothing"],
    [
      fragmentOf({ arguments: [{ kind: "pointer" }] }),
      /^`state\.arguments\[0\]\.kind`: expected one of buffer/,
    ],
    [fragmentOf({ checks: "all" }), '`state.checks`: expected a list of at most 4 entries, found "all"'],
    [fragmentOf({ example: "other" }), "its data names another example"],
    [fragmentOf({ kernel: "x".repeat(9 << 20) }), "its data is longer than 8 MiB"],
  ])("that are broken say why (case %#)", async (fragment, message) => {
    await expect(readFragment(fragment, exampleState)).rejects.toThrow(StateError);
    await expect(readFragment(fragment, exampleState)).rejects.toThrow(message);
  });

  it("never fail in another way", async () => {
    const data = fc.oneof(
      fc.string(),
      fc.jsonValue().map(fragmentOf),
      fc.base64String().map((one) => `gelu/${one}`),
    );
    await fc.assert(
      fc.asyncProperty(data, async (fragment) => {
        const error: unknown = await readFragment(fragment, exampleState).then(
          () => undefined,
          (thrown) => thrown,
        );
        if (error !== undefined) expect(error).toBeInstanceOf(StateError);
      }),
      { numRuns: cases(500) },
    );
  });
});
