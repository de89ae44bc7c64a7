// Packs: the names in them, and how names and lines map back.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import {
  type AnnotatedPtx,
  type PackNames,
  type PackOptions,
  pack,
  parsePtx,
  unpackName,
} from "../../src/index.js";
import { errorOf, site } from "../support/helpers.js";
import { call, declared, entry, func, packed, SITE, text } from "../support/pack-modules.js";

describe("names", () => {
  test("of C++ stay identifiers, and the author's own numbered names are not mistaken for variants", () => {
    const mangled = "_Z5scaleIfEvPT_";
    expect(packed(text(entry(mangled, SITE))).variants[1]!.entries).toEqual({ [mangled]: `${mangled}_1` });
    const numbered = packed(text(entry("k", SITE), entry("k_1", SITE), entry("k_12", "")));
    expect(declared(numbered.text)).toEqual(["k__0", "k_1__0", "k__1", "k_1__1", "k_12"]);
    expect(numbered.unpack("k_1__0")).toEqual({ variant: 0, entry: "k_1" });
    expect(numbered.unpack("k__1")).toEqual({ variant: 1, entry: "k" });
    for (const name of ["k", "k_1", "k_12", "k__2", "k__01", "k_1__", "x__1", "", "1"])
      expect(numbered.unpack(name)).toBeUndefined();
  });

  test("are found in the names of a cubin, with plain data too", () => {
    const { names } = packed(text(entry("k", SITE), entry("a$b", site("g"))));
    const plain = structuredClone(names);
    expect(plain).toEqual({ entries: ["k", "a$b"], separator: "_", count: 2 });
    for (const symbol of [
      "k_1",
      ".text.k_1",
      ".nv.info.k_1",
      ".rela.text.k_1",
      ".nv.shared.k_1",
      "$k_1$_Z6helperf",
    ])
      expect(unpackName(plain, symbol)).toEqual({ variant: 1, entry: "k" });
    expect(unpackName(plain, "$a$b_0$helper_1")).toEqual({ variant: 0, entry: "a$b" });
    for (const symbol of [".text", ".nv.constant4", "$str", "$__internal_0_$__cuda_sm20_div", "helper_1"])
      expect(unpackName(plain, symbol)).toBeUndefined();
  });

  const seed = Date.now() & 0x7fffffff;
  test(`of all kinds are distinct and map back (seed ${seed})`, () => {
    const word = fc.array(fc.constantFrom("k", "_", "__", "0", "1", "10", "$"), { maxLength: 4 });
    const name = word.map((pieces) => `k${pieces.join("")}`);
    const modules = fc.uniqueArray(fc.tuple(name, fc.boolean()), {
      minLength: 1,
      maxLength: 6,
      selector: ([n]) => n,
    });
    fc.assert(
      fc.property(modules, fc.integer({ min: 1, max: 12 }), (kernels, count) => {
        fc.pre(kernels.some(([, hasSite]) => hasSite));
        const source = text(...kernels.map(([kernel, hasSite]) => entry(kernel, hasSite ? SITE : "")));
        const { text: ptx, variants, names } = packed(source, {}, count);
        const inPack = declared(ptx);
        expect(new Set(inPack).size).toBe(inPack.length);
        const expected = new Map<string, unknown>(
          kernels.filter(([, own]) => !own).map(([kernel]) => [kernel, undefined]),
        );
        for (const { index, entries } of variants)
          for (const [original, own] of Object.entries(entries))
            expected.set(own, { variant: index, entry: original });
        expect(new Map(inPack.map((kernel) => [kernel, unpackName(names, kernel)]))).toEqual(expected);
      }),
      { seed, numRuns: cases(1000) },
    );
  });
});

/** Checks the origin of every line of a pack against the text of the line. */
function checkLines(
  annotated: AnnotatedPtx,
  stubs: readonly Record<string, string>[],
  options?: PackOptions,
): void {
  const variants = pack(annotated, stubs, options);
  const kernel = annotated.text.split("\n");
  const original = (line: string): string =>
    variants.variants.reduce(
      (all, { names }) => Object.entries(names).reduce((one, [name, own]) => one.replaceAll(own, name), all),
      line,
    );
  const lines = variants.text.split("\n");
  const found = new Set<string>();
  lines.forEach((line, i) => {
    const place = variants.locate(i + 1)!;
    if (place.kind === "kernel") {
      // An empty line may remain where a site was cut out or a part ends.
      if (line !== "") expect([i, original(line)]).toEqual([i, kernel[place.kernelLine - 1]]);
      return;
    }
    expect([i, line]).toEqual([i, stubs[place.variant!]![place.injection]!.split("\n")[place.stubLine - 1]]);
    const { line: siteLine } = annotated.injection(place.injection).sites[place.site]!;
    expect(place.kernelLine).toBe(siteLine);
    found.add(`${place.variant} ${place.injection} ${place.site} ${place.stubLine}`);
  });
  const expected = stubs.flatMap((own, variant) =>
    annotated.injections.flatMap(({ name, sites }) =>
      sites.flatMap((_, one) =>
        own[name]!.split("\n").map((__, line) => `${variant} ${name} ${one} ${line + 1}`),
      ),
    ),
  );
  expect(found).toEqual(new Set(expected));
  for (const line of [0, -1, 1.5, lines.length + 1, Number.NaN])
    expect(variants.locate(line)).toBeUndefined();
}

describe("lines", () => {
  const source = parsePtx(
    text(
      ".global .u32 n;",
      func("f", site("a") + site("b")),
      func("shared", ""),
      entry("k", `${site("a")}${call("f")}\tst.global.u32 [n], 1;\n`),
      entry("other", call("shared")),
      entry("l", site("b") + site("a")),
      '.file 1 "a.cu"',
    ),
  );
  const seed = Date.now() & 0x7fffffff;

  test(`map to where they were written (seed ${seed})`, () => {
    const stub = fc
      .nat(4)
      .map((count) => Array.from({ length: count + 1 }, (_, i) => `\t// ${i}`).join("\n"));
    fc.assert(
      fc.property(fc.array(fc.record({ a: stub, b: stub }), { minLength: 1, maxLength: 4 }), (stubs) => {
        checkLines(
          source,
          stubs.map(({ a, b }, i) => ({ a: `${a} a${i}`, b: `${b} b${i}` })),
        );
      }),
      { seed, numRuns: cases(300) },
    );
  });

  test("of shared declarations have no variant", () => {
    const variants = pack(source, [{ a: "", b: "" }]);
    expect(variants.locate(1)).toEqual({ kind: "kernel", kernelLine: 1, variant: undefined });
    const file = variants.text.split("\n").findIndex((line) => line.startsWith(".file")) + 1;
    expect(variants.locate(file)?.variant).toBeUndefined();
    const kernel = variants.text.split("\n").findIndex((line) => line.includes("k_0(")) + 1;
    expect(variants.locate(kernel)).toEqual({ kind: "kernel", kernelLine: expect.any(Number), variant: 0 });
  });
});

describe("refused", () => {
  const names = { entries: ["k"], separator: "_", count: 2 };

  test.each([
    undefined,
    null,
    "k",
    {},
    { ...names, entries: "k" },
    { ...names, separator: 1 },
    { ...names, count: "2" },
  ])("INVALID_ARGUMENT: %j as names", (found) => {
    const error = errorOf(() => unpackName(found as PackNames, "k_1"));
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toMatch(/^expected the names of a pack, found /);
  });

  test("INVALID_ARGUMENT: a value that is not a symbol", () => {
    const error = errorOf(() => unpackName(names, undefined as unknown as string));
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toBe("expected the name of a symbol or section, found undefined");
    expect(unpackName(names, "k_1")).toEqual({ variant: 1, entry: "k" });
  });
});
