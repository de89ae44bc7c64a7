// The reader of JSON text accepts what JSON.parse accepts, and knows the place of every value.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { type JsonNode, MAX_DEPTH } from "../../src/json/document.js";
import { readJsonText } from "../../src/json/text.js";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a text, read through the places that the reader returned. */
function toldBy(text: string, node: JsonNode): unknown {
  if (node.items !== undefined) return node.items.map((item) => toldBy(text, item));
  if (node.members !== undefined) {
    return Object.fromEntries(
      Array.from(node.members, ([key, member]) => {
        expect(JSON.parse(text.slice(member.key.start, member.key.end))).toBe(key);
        return [key, toldBy(text, member.value)];
      }),
    );
  }
  return JSON.parse(text.slice(node.start, node.end));
}

/** JSON written in many ways, and pieces of it in the wrong order. */
const blanks = fc.stringMatching(/^[ \t\r\n]{0,2}$/);
const written = fc
  .tuple(fc.json({ maxDepth: 4 }), blanks, fc.constantFrom(undefined, 1, "\t", " \r\n"))
  .map(([json, around, indent]) => around + JSON.stringify(JSON.parse(json), null, indent) + around);
const piece = fc.constantFrom(
  ...`{ } [ ] , : " \\ / // 'a' a true false null nul tru NaN Infinity -0 0 01 1. .5 1e5 1e 1E+2 -1 - + 1e999 "a" "a"
  "\\u00e9" "\\ud800" "\\u12" "\\x" "\\n" "" "__proto__" é \u{1f600}`.split(/\s+/),
  "\n",
  "\r\n",
  "\t",
  " ",
  '"\t"',
  "\u0000",
  "\ufeff",
  "\u00a0",
);
const broken = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

describe("readJsonText", () => {
  it("accepts what JSON.parse accepts, with the same value, and knows where each part is", () => {
    fc.assert(
      fc.property(fc.oneof(written, broken), (text) => {
        const expected = parsed(text);
        const { value, problems, root } = readJsonText(text);
        expect(value).toEqual(expected);
        expect(root === undefined).toBe(expected === undefined);
        if (expected === undefined) expect(problems.at(-1)?.span).toBeDefined();
        if (root !== undefined) expect(toldBy(text, root)).toEqual(expected);
      }),
      { numRuns: smoke(20_000), verbose: 1 },
    );
  });

  it("finds every duplicate key", () => {
    const text = '{"a": 1, "b": {"a": 2, "\\u0061": 3}, "a": 4, "__proto__": 5, "__proto__": 6}';
    const { problems, value } = readJsonText(text);
    expect(problems.map(({ path, span }) => [path.join("."), text.slice(span!.start, span!.end)])).toEqual([
      ["b.a", '"\\u0061"'],
      ["a", '"a"'],
      ["__proto__", '"__proto__"'],
    ]);
    expect(value).toEqual(JSON.parse(text));
  });

  it("does not mistake strings with colons for keys", () => {
    const text = JSON.stringify({ 'a": ': '": 1, "b": ', "\\": '\\": "' });
    expect(readJsonText(text).problems).toEqual([]);
  });

  it("survives texts that are deep, long or huge", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(readJsonText(nested(MAX_DEPTH)).problems).toEqual([]);
    expect(readJsonText(nested(MAX_DEPTH + 1)).problems).toHaveLength(1);
    for (const text of [nested(1_000_000), '{"a":'.repeat(1_000_000), "[".repeat(1_000_000)]) {
      expect(readJsonText(text)).toMatchObject({ value: undefined, problems: [{ path: [] }] });
    }
    const long = 5_000_000;
    expect(readJsonText(`[${"9".repeat(long)}x]`).problems).toHaveLength(1);
    expect(
      readJsonText(`["${"a".repeat(long)}", 1.${"9".repeat(long)}, "${"\\n".repeat(long)}", ]`).problems,
    ).toHaveLength(1);
  });
});
