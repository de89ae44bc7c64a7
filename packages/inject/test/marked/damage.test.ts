// Damaged texts give a result or an error with a place, and never a changed byte outside sites.
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rare } from "../../../../tests/support/counts.js";
import { anywhere } from "../../../../tests/support/place.js";
import { AnnotatedPtx, type Injection, PtxInjectError, parsePtx, type Site } from "../../src/index.js";
import { site } from "../support/helpers.js";

const RUNS = rare(100_000);
const LONGEST = 6_000;
const vectors = new URL("../vectors/inject.json", import.meta.url);
const own = (JSON.parse(readFileSync(vectors, "utf8")) as { cases: { ptx: string }[] }).cases
  .map(({ ptx }) => ptx)
  .filter((ptx) => ptx.includes("PTX_INJECT_START"));

/** The output of nvcc for the corpus of kernels, in the form of 1.1 or 0.x. */
function corpus(style: "legacy" | "macro"): readonly string[] {
  const root = new URL("../../../../tests/kernels/", import.meta.url);
  return readdirSync(root)
    .map((kernel) => readFileSync(new URL(`${kernel}/${style}.ptx`, root), "utf8"))
    .filter((ptx) => ptx.length < LONGEST);
}

const [current, old] = [corpus("macro"), corpus("legacy")];
/** Both forms in one text, with distinct names. */
const mixed = old.map(
  (ptx, i) => ptx.replaceAll("PTX_INJECT_START ", "PTX_INJECT_START old ") + current[i % current.length],
);
const texts = [...own, ...current, ...old, ...mixed, ...old.map((ptx) => ptx.replaceAll("\n", "\r\n"))];

/** Splices that keep most of the text, usually near its sites. */
const damaged = fc
  .tuple(
    fc.constantFrom(...texts),
    fc.array(
      fc.record({
        kind: fc.constantFrom("flip", "cut", "splice", "repeat", "graft"),
        at: anywhere,
        length: fc.integer({ min: 0, max: 40 }),
        text: fc.oneof(
          fc.constantFrom(
            "\r",
            "\n",
            "\t",
            " ",
            "//",
            "// PTX_INJECT_START",
            "// PTX_INJECT_END\n",
            "_x0 o f32 F32 z\n",
            "%f1 mod f32 y\n",
            "3 in s32 k\n",
          ),
          fc.string({ maxLength: 6, unit: "binary" }),
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([text, damages]) =>
    damages.reduce((whole, { kind, at, length, text: other }) => {
      const center = whole.indexOf("PTX_INJECT_START") - 20;
      const near = at < 0.7 ? center + (at / 0.7) * 250 : ((at - 0.7) / 0.3) * whole.length;
      const start = Math.max(0, Math.floor(near));
      const [before, piece, after] = [
        whole.slice(0, start),
        whole.slice(start, start + length),
        whole.slice(start + length),
      ];
      if (kind === "cut") return before + after;
      if (kind === "graft") return before + texts[(start + length) % texts.length]!.slice(start);
      if (kind === "flip")
        return (
          before + String.fromCharCode(whole.charCodeAt(start) ^ (1 << (length % 8))) + whole.slice(start + 1)
        );
      return kind === "splice" ? before + other + after : before + piece + piece + after;
    }, text),
  );

/** Renders from the spans of the sites, independently of the library. */
function spliced(annotated: AnnotatedPtx, stubs: Readonly<Record<string, string>>): string {
  const { text, injections } = annotated;
  const sites = injections
    .flatMap((injection) => injection.sites.map((at) => ({ injection, at })))
    .sort((a, b) => a.at.span.start - b.at.span.start);
  let expected = "";
  let from = 0;
  for (const { injection, at } of sites) {
    expected += text.slice(from, at.span.start) + filled(text, injection, at, stubs[injection.name]!);
    from = at.span.end;
  }
  return expected + text.slice(from);
}

/**
 * The replacement for a site: the stub, or for a site of 0.x, whose lines name registers of the kernel, a
 * scope with moves around it.
 */
function filled(text: string, { operands }: Injection, { span }: Site, stub: string): string {
  const lines = text.slice(span.start, span.end).split("\n").slice(1, -1);
  const words = lines.map((line) => line.trim().split(/[ \t]+/));
  const isOld = words.some(([, , direction]) => ["in", "out", "mod"].includes(direction!));
  if (!isOld) return stub;
  const scope = ["{", ...operands.map(({ register, registerType }) => `.reg .${registerType} %${register};`)];
  const out: string[] = [];
  for (const [i, { direction, register, registerType }] of operands.entries()) {
    if (direction !== "out") scope.push(`mov.${registerType} %${register}, ${words[i]![1]};`);
    if (direction !== "in") out.push(`mov.${registerType} ${words[i]![1]}, %${register};`);
  }
  const tabbed = (list: readonly string[]) => list.map((line) => `\t${line}`);
  return [...tabbed(scope), stub, ...tabbed([...out, "}"])].join(text[span.end] === "\r" ? "\r\n" : "\n");
}

describe("damaged texts", () => {
  test(`give a result or a located error, ${RUNS} times`, { timeout: 600_000 }, () => {
    let results = 0;
    let oldOnes = 0;
    fc.assert(
      fc.property(damaged, (text) => {
        try {
          const annotated = parsePtx(text);
          const stubs = Object.fromEntries(annotated.injections.map(({ name }, i) => [name, `{${i}}`]));
          const expected = spliced(annotated, stubs);
          expect(annotated.render(stubs)).toBe(expected);
          if (expected.includes("\t.reg .") && text.includes(" mod ")) oldOnes++;
          // Serializing must not fail either, whatever the rest of the text is.
          if (results++ % 20 === 0 && !/\p{Surrogate}/u.test(text)) {
            const loaded = AnnotatedPtx.fromBytes(annotated.toBytes());
            expect(JSON.stringify(loaded)).toBe(JSON.stringify(annotated));
          }
        } catch (error) {
          if (!(error instanceof PtxInjectError)) throw error;
          expect(["FORMATTING", "INCONSISTENT_INJECTION", "UNKNOWN_TYPE"]).toContain(error.code);
          const { start, end } = error.span!;
          expect(0 <= start && start <= end && end <= text.length).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
    expect(results).toBeGreaterThan(RUNS / 20);
    expect(oldOnes).toBeGreaterThan(RUNS / 50);
    expect(results).toBeLessThan(RUNS);
  });
});

describe("well-formed texts", () => {
  const word = fc.stringMatching(/^[!-~]{1,12}$/).filter((text) => !text.startsWith("PTX_INJECT_"));
  // A name that begins with a percent sign is a register of the kernel, in a site of 0.x.
  const register = word.filter((text) => !text.startsWith("%"));
  const operand = fc
    .tuple(register, fc.constantFrom("m", "o", "i"), word, word, word)
    .map((parts) => parts.join(" "));
  const sites = fc.uniqueArray(fc.tuple(word, fc.array(operand, { maxLength: 6 })), {
    selector: ([name]) => name,
    minLength: 1,
  });
  const around = fc.string({ maxLength: 20, unit: fc.constantFrom("a", "\t", "\n", "\r\n", "/", " ", "é") });

  test("with n copies of sites render as n stubs, whatever their order and line ends", () => {
    const copies = fc.array(fc.record({ pick: fc.nat(), gap: around, crlf: fc.boolean() }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(sites, copies, around, (known, list, head) => {
        let text = head;
        let expected = head;
        const stubs: Record<string, string> = Object.create(null);
        for (const { pick, gap, crlf } of list) {
          const [name, operands] = known[pick % known.length]!;
          const lines = site(name, ...operands);
          stubs[name] = `<${name}>`;
          text += (crlf ? lines.replaceAll("\n", "\r\n") : lines) + gap;
          expected += `<${name}>${crlf ? "\r\n" : "\n"}${gap}`;
        }
        const annotated = parsePtx(text);
        expect(annotated.render(stubs, { check: false })).toBe(expected);
        expect(annotated.injections.reduce((sum, { sites: at }) => sum + at.length, 0)).toBe(list.length);
        for (const { name, operands } of annotated.injections) {
          expect(
            operands.map(({ register, direction, registerType, type, name: own }) =>
              [register, direction[0], registerType, type, own].join(" "),
            ),
          ).toEqual(known.find(([other]) => other === name)![1]);
        }
      }),
      { numRuns: Math.min(RUNS, 1_000) },
    );
  });
});
