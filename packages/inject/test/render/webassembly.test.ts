// Rendering and checking give the same texts, bytes and errors with WebAssembly and without.
import fc from "fast-check";
import { afterAll, describe, expect, test, vi } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { site } from "../support/helpers.js";

/** The library, loaded with a replacement for `WebAssembly`. */
async function load(webAssembly: unknown): Promise<typeof import("../../src/index.js")> {
  vi.stubGlobal("WebAssembly", webAssembly);
  vi.resetModules();
  const library = await import("../../src/index.js");
  // The first rendering decides which loops run.
  library.parsePtx("").renderInto({}, new Uint8Array(0));
  vi.unstubAllGlobals();
  return library;
}

const Real = WebAssembly;
const withWebAssembly = await load(Real);
const without = await load(undefined);

afterAll(() => vi.unstubAllGlobals());

type Library = typeof withWebAssembly;
type Stubs = Readonly<Record<string, string>>;

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return (error as Error).message;
  }
}

/** The results of a text and stubs: the text and the bytes, each with and without checks. */
function outcomes({ parsePtx }: Library, text: string, stubs: Stubs, room: number): unknown[] {
  const annotated = parsePtx(text);
  return [{}, { check: false }].flatMap((options) => [
    outcome(() => annotated.render(stubs, options)),
    outcome(() => {
      const bytes = new Uint8Array(room);
      const written = annotated.renderInto(stubs, bytes, 1, options);
      return [written, ...bytes];
    }),
  ]);
}

const piece = fc.constantFrom(
  ...'{}/*"\n\r aé\0'.split(""),
  "//",
  "/*",
  "*/",
  "// PTX_INJECT_START",
  "// PTX_INJECT_END",
  "// PTX_I",
  "add.f32 %a, %b;",
  "{ }",
  " ".repeat(15),
  "x".repeat(31),
);
const stub = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
const kernel = fc
  .array(fc.constantFrom(site("f"), site("g"), site("h"), "é\n", "{\n", "x".repeat(40)), { maxLength: 8 })
  .map((pieces) => pieces.join(""));

test("random stubs give the same with and without WebAssembly", () => {
  let refused = 0;
  const runs = smoke(20_000);
  fc.assert(
    fc.property(kernel, fc.tuple(stub, stub, stub), fc.integer({ min: 1, max: 600 }), (text, texts, room) => {
      const all: Stubs = { f: texts[0], g: texts[1], h: texts[2] };
      const names = withWebAssembly.parsePtx(text).injections.map(({ name }) => name);
      const stubs = Object.fromEntries(names.map((name) => [name, all[name]!]));
      const expected = outcomes(without, text, stubs, room);
      if (String(expected[0]).startsWith("stub of")) refused++;
      expect(outcomes(withWebAssembly, text, stubs, room)).toEqual(expected);
    }),
    { numRuns: runs },
  );
  expect(refused).toBeGreaterThan(runs / 10);
  expect(refused).toBeLessThan(runs);
});

describe("one memory for all renderings", () => {
  const render = ({ parsePtx }: Library, text: string, stubs: Stubs): string => {
    const annotated = parsePtx(text);
    const bytes = new Uint8Array(annotated.render(stubs).length * 3);
    return new TextDecoder().decode(bytes.subarray(0, annotated.renderInto(stubs, bytes)));
  };

  test("serves templates and stubs that alternate, grow and shrink", () => {
    const first = withWebAssembly.parsePtx(`a${site("f")}b${site("f")}c`);
    const bytes = new Uint8Array(4_000_000);
    for (const length of [1, 100_000, 3, 1_000_000, 16]) {
      const stubs = { f: "s".repeat(length) };
      const written = first.renderInto(stubs, bytes);
      expect(new TextDecoder().decode(bytes.subarray(0, written))).toBe(first.render(stubs));
      const other = `${"k".repeat(length)}${site("g")}`;
      expect(render(withWebAssembly, other, { g: "t" })).toBe(`${"k".repeat(length)}t\n`);
      // `render` uses stubs alone and leaves the image of the other template in place.
      expect(first.render(stubs).length).toBe(written);
    }
  });

  test("is not used for renderings that would make it too large", () => {
    const annotated = withWebAssembly.parsePtx(site("f").repeat(80));
    const stubs = { f: `{}${"s".repeat(2 ** 20)}` };
    const bytes = new Uint8Array(81 * 2 ** 20);
    const written = annotated.renderInto(stubs, bytes);
    expect(written).toBe(80 * (stubs.f.length + 1));
    const last = new TextDecoder().decode(bytes.subarray(written - stubs.f.length - 1, written));
    expect(last === `${stubs.f}\n`).toBe(true);
    const large = { f: `}${"s".repeat(70 * 2 ** 20)}` };
    expect(outcome(() => annotated.render(large))).toMatch(/found one that would end the scope/);
  });

  test("is not used where WebAssembly is not allowed or has no memory", async () => {
    class Forbidden {
      constructor() {
        throw new Real.CompileError("forbidden by content security policy");
      }
    }
    const forbidden = await load({
      ...Real,
      Memory: Real.Memory,
      CompileError: Real.CompileError,
      Module: Forbidden,
    });
    expect(render(forbidden, site("f"), { f: "s" })).toBe("s\n");
  });
});
