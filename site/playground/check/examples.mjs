// The eight examples: clicked through, with the results that the packages compute in Node.

import { after, clickTab, drawn, fill, paste, resultsOf, settled, textOf, until } from "./page.mjs";

/** @typedef {import("./test.mjs").Check} Check */

/**
 * What the page has to show for an example, as CSV.
 *
 * @param {import("./build.mjs").Model} model
 * @param {import("../src/model/examples/index.js").Example} example
 */
async function expectedOf({ compile, kernels, results, run }, { name, state }) {
  const compiled = await compile.compile(await kernels.kernelText(name), state.sites);
  if (compiled.filled === undefined) throw new Error(`expected ${name} to compile`);
  const outcome = await run.run({
    kernel: compiled.filled,
    launch: state.launch,
    arguments: state.arguments,
    checks: state.checks,
    counts: false,
  });
  if (!outcome.ok) throw new Error(`expected ${name} to run, found ${outcome.problems[0]?.message}`);
  return results.resultsCsv(outcome.buffers);
}

/**
 * One check for each example, which clicks its link, compares the results and takes a picture.
 *
 * @param {import("./build.mjs").Model} model
 * @returns {Record<string, Check>}
 */
export function exampleChecks(model) {
  return Object.fromEntries(
    model.examples.EXAMPLES.map((example) => [
      `the example ${example.title}`,
      async ({ page, picture }) => {
        await page.click(`nav a[href="#${example.name}"]`);
        await drawn(page);
        await until(page, "the example", (title) => document.title.startsWith(title), example.title);
        await settled(page);
        await until(page, "a lit stub", () => document.querySelector(".kernel .cm-line.lit") !== null);
        await clickTab(page, "Form of the result", "picture");
        await until(
          page,
          "a picture",
          () => document.querySelector("#result-panel :is(canvas, .cells)") !== null,
        );
        await picture(example.name);
        const found = await resultsOf(page);
        const expected = await expectedOf(model, example);
        await clickTab(page, "Form of the result", "picture");
        return found === expected ? [] : [difference(found, expected)];
      },
    ]),
  );
}

/**
 * @param {string} found
 * @param {string} expected
 */
function difference(found, expected) {
  const wanted = expected.split("\n");
  const lines = found.split("\n");
  const at = wanted.findIndex((line, i) => line !== lines[i]);
  return `expected \`${wanted[at]}\` in line ${at + 1} of the results, found \`${lines[at]}\``;
}

/** @type {Record<string, Check>} */
export const RACE_CHECKS = {
  "a race is shown at its lines, and a barrier removes it": async ({ page, url, open }) => {
    await open(`${url}#reduction`);
    await settled(page);
    await until(
      page,
      "a note in the kernel",
      () => document.querySelector(".kernel .cm-line.place") !== null,
    );
    await until(page, "both lines", () => document.querySelector(".kernel .cm-line.other-place") !== null);
    const found = await textOf(page, ".findings");
    await after(page, () => paste(page, ".source", "bar.sync 0;"));
    await until(page, "no findings", () => document.querySelector(".findings") === null);
    return found.includes("RACE") ? [] : [`expected a race, found \`${found}\``];
  },
  "an access out of bounds is shown at its line": async ({ page, url, open }) => {
    await open(`${url}#median`);
    await settled(page);
    await after(page, () => fill(page, "count, as a number", "170"));
    await until(
      page,
      "a finding",
      () => document.querySelector(".findings")?.textContent?.includes("OUT_OF_BOUNDS") === true,
    );
    await until(page, "a note in the kernel", () => document.querySelector(".kernel .note") !== null);
    return [];
  },
};
