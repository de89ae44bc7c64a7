// Damaged PTX with sites: packing and expanding give a result or a typed error, and the result is PTX with
// the same sites.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { anywhere } from "../../../../tests/support/place.js";
import { type AnnotatedPtx, expandSites, PtxInjectError, pack, parsePtx } from "../../src/index.js";

const KERNELS = ["globals", "inlined", "line-info", "template"].map((name) =>
  readFileSync(new URL(`../../../../tests/kernels/${name}/macro.ptx`, import.meta.url), "latin1"),
);

/** What replaces a piece that was cut out: everything that structures PTX. */
const splices = fc.oneof(
  fc.constantFrom("{", "}", "(", ")", ";", ",", '"', "/*", "//", "\n", ":", "\0", "é", ""),
  fc.constantFrom(".entry k", ".func (", ".alias a, b;", ".global .u32 x", "$str", "\t// PTX_INJECT_END\n"),
  fc.string({ maxLength: 4 }),
);
const damaged = fc
  .tuple(
    fc.constantFrom(...KERNELS),
    fc.array(fc.tuple(anywhere, fc.nat(40), splices), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, edits]) =>
    edits.reduce((one, [where, length, splice]) => {
      const at = Math.floor(where * one.length);
      return one.slice(0, at) + splice + one.slice(at + length);
    }, text),
  );

function resultOf<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof PtxInjectError) return undefined;
    throw error;
  }
}

const emptyStubs = ({ injections }: AnnotatedPtx): Record<string, string> =>
  Object.fromEntries(injections.map(({ name }) => [name, ""]));

const seed = Date.now() & 0x7fffffff;

test(`damaged texts pack and expand, or say why not (seed ${seed})`, () => {
  let packed = 0;
  let expanded = 0;
  fc.assert(
    fc.property(damaged, (text) => {
      const annotated = resultOf(() => parsePtx(text));
      if (annotated === undefined) return;
      const stubs = emptyStubs(annotated);
      const two = resultOf(() => pack(annotated, [stubs, stubs]));
      if (two !== undefined) {
        packed++;
        expect(two.variants).toHaveLength(2);
        expect(two.locate(two.text.split("\n").length)).toBeDefined();
      }
      for (const { name, sites } of annotated.injections) {
        const alternatives = resultOf(() => expandSites(annotated, name, 2, { select: "%ctaid.x" }));
        if (alternatives === undefined) continue;
        expanded++;
        expect(alternatives.injection(`${name}_1`).sites).toHaveLength(sites.length);
      }
    }),
    { seed, numRuns: smoke(5000) },
  );
  // If damage always caused an error, there would be no results to check.
  expect(packed).toBeGreaterThan(0);
  expect(expanded).toBeGreaterThan(0);
});
