// `TextLines` counts the lines of a text once for many places, and agrees with `positionAt` and `codeFrame`.
import fc from "fast-check";
import { expect, test } from "vitest";
import { codeFrame, positionAt } from "../../src/core/index.js";
import { TextLines } from "../../src/internal/index.js";

test("agrees with `positionAt` and `codeFrame` at any place of any text", () => {
  const text = fc.array(fc.constantFrom("a", "\t", "\n", "\r\n", "é")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.nat(40), fc.nat(5), (source, start, length) => {
      const lines = new TextLines(source);
      expect(lines.positionAt(start)).toEqual(positionAt(source, start));
      const span = { start: Math.min(start, source.length), end: start + length };
      expect(lines.codeFrame(span)).toBe(codeFrame(source, span));
    }),
  );
});
