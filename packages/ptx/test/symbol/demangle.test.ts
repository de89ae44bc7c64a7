// Mangled names of C++: names of nvcc with what c++filt makes of them, and names that are damaged.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases, SOAK } from "../../../../tests/support/counts.js";
import { demangle, demangled } from "../../src/symbol/demangle.js";

/** Names of CUB, Thrust, libcu++ and of templates of all kinds, from nvcc 13.0 and c++filt 2.44. */
const SYMBOLS = JSON.parse(readFileSync(new URL("symbols.json", import.meta.url), "utf8")) as Record<
  string,
  string
>;

/** What c++filt shows and this package leaves out, or the other way around. */
const alike = (words: string) => words.replace(/_INTERNAL_[0-9a-f]{8}_\w*?::/g, "").replace(/ +>/g, ">");

describe("a demangled name", () => {
  it("is that of c++filt", () => {
    const found = Object.keys(SYMBOLS).map((symbol) => [symbol, demangle(symbol)]);
    expect(Object.fromEntries(found)).toEqual(SYMBOLS);
  });

  it.each([
    ["_Z5scalePff", "scale(float*, float)", "scale", "scale"],
    [
      "_ZN2ns5scaleIfEEvPT_S1_i",
      "void ns::scale<float>(float*, float, int)",
      "ns::scale<float>",
      "ns::scale",
    ],
    [
      "_ZN36_GLOBAL__N__c6070fe2_4_t_cu_ba88ac676hiddenILi3EEEvP6__half",
      "void (anonymous namespace)::hidden<3>(__half*)",
      "(anonymous namespace)::hidden<3>",
      "(anonymous namespace)::hidden",
    ],
    [
      "_Z5applyIZ4mainEUliE_EvT_Pi",
      "void apply<main::{lambda(int)#1}>(main::{lambda(int)#1}, int*)",
      "apply<main::{lambda(int)#1}>",
      "apply",
    ],
    [
      "_ZN34_INTERNAL_c6070fe2_4_t_cu_ba88ac676__haddE6__halfS0_",
      "__hadd(__half, __half)",
      "__hadd",
      "__hadd",
    ],
    ["_ZN1A1fEv.part.0", "A::f() [clone .part.0]", "A::f", "A::f"],
    ["_ZN1AD1Ev", "A::~A()", "A::~A", "A::~A"],
    ["_ZZ1fvE5table", "f()::table", "f()::table", "f()::table"],
    ["_ZplRK6__halfS1_", "operator+(__half const&, __half const&)", "operator+", "operator+"],
    // c++filt expands this pack once only.
    ["_Z1fIJLi0ELi1EEEvN1a3seqIiJXT_EEEE", "void f<0, 1>(a::seq<int, 0, 1>)", "f<0, 1>", "f"],
    ["_ZTV1A", "vtable for A", "vtable for A", "vtable for A"],
  ])("%s has all its forms", (symbol, text, name, path) => {
    expect(demangled(symbol)).toEqual({ text, name, path });
  });

  it.each([
    "",
    "scale",
    "_Z",
    "_Z5scal",
    "_Z5scaleQ",
    "_ZN",
    "_Z1fS_",
    "_Z1fT_",
    `_Z1f${"P".repeat(15_000)}i`,
    "_Z1fI".repeat(3000),
  ])("is the symbol itself if that is not one: %#", (symbol) => expect(demangle(symbol)).toBe(symbol));

  it("takes bounded time for names that repeat their parts", () => {
    const doubled = Array.from(
      { length: 30 },
      (_, i) => `1BIS${i === 0 ? "0" : (2 * i).toString(36).toUpperCase()}_S_E`,
    );
    const packs = `_Z1fIJ${"i".repeat(2000)}EEv${"DpT_".repeat(2000)}`;
    for (const symbol of [`_Z1f1AIiiE${doubled.join("")}`, packs])
      expect(demangle(symbol).length).toBeLessThan(600_000);
  });

  it("never throws for damaged names", () => {
    const symbols = Object.keys(SYMBOLS);
    const character = fc.constantFrom(..."_ZNSTIEJXLPKRODUpdtclsrv0123456789aif$.");
    const damage = fc.tuple(fc.nat(400), fc.nat(6), fc.string({ unit: character, maxLength: 3 }));
    fc.assert(
      fc.property(
        fc.constantFrom(...symbols),
        fc.array(damage, { minLength: 1, maxLength: 4 }),
        (symbol, damages) => {
          const damaged = damages.reduce((words, [at, count, more]) => {
            return words.slice(0, at) + more + words.slice(at + count);
          }, symbol);
          expect(typeof demangle(damaged)).toBe("string");
        },
      ),
      { numRuns: cases(20_000) },
    );
  });

  const hasTools = SOAK && ["c++filt", "nvcc"].every((tool) => spawnSync(tool, ["--version"]).status === 0);
  it.runIf(hasTools)(
    "is that of c++filt for what nvcc makes of CUB, Thrust and many templates",
    { timeout: 300_000 },
    () => {
      const source = fileURLToPath(new URL("templates.cu", import.meta.url));
      const flags = [
        "-arch=sm_75",
        "-std=c++17",
        "-lineinfo",
        "--extended-lambda",
        "--expt-relaxed-constexpr",
      ];
      const run = (tool: string, words: readonly string[], input = "") =>
        spawnSync(tool, words, { input, encoding: "utf8", maxBuffer: 2 ** 28 }).stdout;
      const text = run("nvcc", [...flags, "-w", "-ptx", "-o", "-", source]);
      const bytes = [...text.slice(text.indexOf(".debug_str")).matchAll(/^\.b8 (.*)$/gm)];
      const strings = String.fromCharCode(...bytes.flatMap(([, numbers]) => numbers!.split(",").map(Number)));
      const found = [...strings.split("\0"), ...(text.match(/\b_Z[\w$]+(?=\s*\()/g) ?? [])];
      // c++filt expands packs of values once only, and does not read parameters of an outer function.
      const isRead = (symbol: string) => symbol.startsWith("_Z") && !/JXT|fL\d/.test(symbol);
      const symbols = [...new Set(found)].filter(isRead);
      expect(symbols.length).toBeGreaterThan(500);
      const shown = run("c++filt", [], symbols.join("\n")).trimEnd().split("\n");
      expect(symbols.map((symbol) => alike(demangle(symbol)))).toEqual(shown.map(alike));
    },
  );
});
