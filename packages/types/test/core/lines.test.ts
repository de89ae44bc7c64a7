// The lines of a text, counted once for many places, are those that `positionAt` and `codeFrame` count for one.
import fc from "fast-check";
import { expect, test } from "vitest";
import { codeFrame, positionAt } from "../../src/core/index.js";
import { TextLines } from "../../src/internal/index.js";

test("any place of any text", () => {
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
