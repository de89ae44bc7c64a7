// What readers do: edit, complete, vary, share, trace, stop, and write nonsense.

import { readFileSync } from "node:fs";
import { after, clickTab, settled, type, until } from "./page.mjs";

/** @typedef {import("./test.mjs").Check} Check */

/** A kernel that is not among the examples. */
const KERNEL = readFileSync(new URL("../../../apps/quickstart/kernel.ptx", import.meta.url), "utf8");

/**
 * @param {import("./build.mjs").Model} model
 * @returns {Record<string, Check>}
 */
export function useChecks({ compile, evolve, examples, fragment, kernels }) {
  return {
    "a program is edited, with its stacks beside it": async ({ page, url, open }) => {
      await open(`${url}#gelu`);
      await settled(page);
      await after(page, () => type(page, ".source", "const F32 7\ninput x\nneg.ftz.f32"));
      await until(
        page,
        "the stub",
        () => document.querySelector(".stub .cm-content")?.textContent?.includes("neg") === true,
      );
      await until(page, "stacks", () => document.querySelectorAll(".source .stacks").length === 3);
      await until(page, "a dead line", () => document.querySelector(".source .cm-line.dead") !== null);
      await until(page, "the lit kernel", () => document.querySelector(".cm-line.lit") !== null);
      return [];
    },
    "instructions are completed": async ({ page, url, open }) => {
      await open(`${url}#gelu`);
      await settled(page);
      await type(page, ".source", "input x\n");
      await page.keyboard.type("tanh");
      await until(page, "completions", () => document.querySelector(".cm-tooltip-autocomplete li") !== null);
      // The list ignores keys for a moment, so that a word that is being written is not replaced.
      await new Promise((resolve) => setTimeout(resolve, 150));
      await after(page, () => page.keyboard.press("Enter"));
      await until(
        page,
        "the instruction",
        () => document.querySelector(".stub .cm-content")?.textContent?.includes("tanh.approx") === true,
      );
      return [];
    },
    "a mistake is named with its line": async ({ page, url, open }) => {
      await open(`${url}#gelu`);
      await settled(page);
      await after(page, () => type(page, ".source", "input x\nnonsense"), "failed");
      const text = await page.$eval(".problems", (list) => list.textContent ?? "");
      await after(page, () => type(page, ".source", "input x"));
      return /^Line 2, column 1: /.test(text) ? [] : [`expected a problem in line 2, found \`${text}\``];
    },
    "a seed makes the same mutant and the same child as in Node": async ({ page, url, open }) => {
      await open(`${url}#gelu`);
      await settled(page);
      const state = examples.exampleState("gelu");
      const compiled = await compile.compile(await kernels.kernelText("gelu"), state?.sites ?? {});
      const stack = compiled.sites[0]?.stack;
      const text = state?.sites.activation?.text;
      if (state === undefined || stack === undefined || text === undefined) return ["expected the example"];
      const mutant = evolve.mutate(stack, text, state.seed);
      const first = await afterClick("Mutate", state.seed + 1);
      const child = evolve.cross(stack, mutant, text, state.seed + 1);
      const second = await afterClick("Cross over", state.seed + 2);
      return [
        ...(first === mutant ? [] : [`expected the mutant \`${mutant}\`, found \`${first}\``]),
        ...(second === child ? [] : [`expected the child \`${child}\`, found \`${second}\``]),
      ];

      /**
       * The program after a click, from the address.
       *
       * @param {string} name
       * @param {number} seed
       */
      async function afterClick(name, seed) {
        await page.evaluate((wanted) => {
          const buttons = [...document.querySelectorAll("button")];
          buttons.find(({ textContent }) => textContent === wanted)?.click();
        }, name);
        for (let i = 0; i < 100; i++) {
          const shown = await fragment.readFragment(new URL(page.url()).hash, examples.exampleState);
          if (shown.seed === seed) return shown.sites.activation?.text;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return `no link with seed ${seed}`;
      }
    },
    "a link has everything in it": async ({ page, url, open }) => {
      await open(`${url}#mandelbrot`);
      await settled(page);
      const center = 'input[aria-label="center_x, as a number"]';
      await page.click(center, { count: 3 });
      await after(page, () => page.type(center, "-0.75"));
      await until(page, "a link", () => location.hash.startsWith("#mandelbrot/"));
      // The address is written a moment after the last change.
      await new Promise((resolve) => setTimeout(resolve, 400));
      const link = page.url();
      await open(link);
      await settled(page);
      const shown = await page.$eval(center, (input) => /** @type {HTMLInputElement} */ (input).value);
      return shown === "-0.75" ? [] : [`expected -0.75 after opening ${link}, found ${shown}`];
    },
    "broken links end in a sentence and an example": async ({ page, url, open }) => {
      /** @type {string[]} */
      const problems = [];
      const expectNotice = async (/** @type {string} */ broken) => {
        await until(page, `a sentence for #${broken}`, () => document.querySelector(".notice") !== null);
        await settled(page);
        const said = await page.$eval(".notice", (notice) => notice.textContent ?? "");
        if (!said.startsWith("This link can't be opened: "))
          problems.push(`expected a sentence for #${broken}, found \`${said}\``);
      };
      await open(`${url}#gelu/AAAA`);
      await expectNotice("gelu/AAAA");
      for (const broken of ["nothing", "gelu/%25%25", "gelu/a/b", "gelu/q1YqzkgtSlWyUkpLzClOBQA"]) {
        await page.click(".notice button");
        await page.evaluate((fragment) => {
          location.hash = fragment;
        }, broken);
        await expectNotice(broken);
      }
      return problems;
    },
    "a kernel of one's own gets programs and arguments": async ({ page, url, open }) => {
      const state = examples.exampleState("gelu");
      if (state === undefined) return ["expected the example"];
      const own = { ...state, kernel: KERNEL, sites: {} };
      await open(`${url}#${await fragment.writeFragment(own, examples.exampleState)}`);
      await settled(page);
      await until(
        page,
        "a program for the site",
        () => document.querySelector(".source .cm-content")?.textContent?.includes("input w") === true,
      );
      await until(
        page,
        "its arguments",
        () => document.querySelector('input[aria-label="param_4"]') !== null,
      );
      await after(page, () => type(page, ".source", "input x\nneg.ftz.f32"));
      await until(
        page,
        "the stub",
        () => document.querySelector(".stub .cm-content")?.textContent?.includes("neg") === true,
      );
      return [];
    },
    "the heat map counts instructions": async ({ page, url, open }) => {
      await open(`${url}#semiring`);
      await settled(page);
      await after(page, () => page.click(".kernel input[type=checkbox]"));
      await until(page, "counts", () => /\d/.test(document.querySelector(".cm-counts")?.textContent ?? ""));
      await until(page, "heat", () => document.querySelector(".cm-line.heat6") !== null);
      await page.click(".kernel input[type=checkbox]");
      return [];
    },
    "a thread is stepped through": async ({ page, url, open }) => {
      await open(`${url}#gelu`);
      await settled(page);
      await clickTab(page, "Form of the kernel", "steps");
      await until(page, "a step", () => document.querySelector(".step-now") !== null);
      await page.click('button[aria-label="Next step"]');
      await until(
        page,
        "the second step",
        () => document.querySelector(".steps")?.textContent?.includes("2 of ") === true,
      );
      await until(page, "its line", () => document.querySelector(".kernel .cm-line.step") !== null);
      await clickTab(page, "Form of the kernel", "rendered");
      return [];
    },
    "a kernel that does not end is stopped": async ({ page, url, open }) => {
      await open(`${url}#reduction`);
      await settled(page);
      await page.click(".source .cm-content");
      await type(page, ".source", "L: bra L;");
      await until(page, "a button", () => {
        const button = document.querySelector("button.stop");
        return button !== null && getComputedStyle(button).visibility === "visible";
      });
      await page.click("button.stop");
      await settled(page, "failed");
      const said = await page.$eval(".findings", (list) => list.textContent ?? "");
      // The next launch replaces the one that runs.
      await type(page, ".source", "M: bra M;");
      await new Promise((resolve) => setTimeout(resolve, 500));
      await type(page, ".source", "bar.sync 0;");
      await settled(page);
      return said.includes("You stopped the kernel") ? [] : [`expected a sentence, found \`${said}\``];
    },
    "nonsense in any field leaves the page usable": async ({ page, url, open }) => {
      await open(`${url}#median`);
      await settled(page);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
      });
      await page.focus('textarea[aria-label="Content of values as CSV"]');
      await page.keyboard.down("Control");
      await page.keyboard.press("Home");
      await page.keyboard.up("Control");
      await after(page, () => page.keyboard.type("1, two, 3\n"), "failed");
      const data = await page.$eval(".findings", (list) => list.textContent ?? "");
      await page.click('nav a[href="#gelu"]');
      await settled(page);
      await clickTab(page, "Form of the kernel", "marked");
      await until(
        page,
        "the marked kernel",
        () => document.querySelector('[aria-label="Marked kernel, PTX"]') !== null,
      );
      await after(page, () => type(page, ".kernel", "__global__ void f() {}"), "failed");
      const kernel = await page.$eval(".kernel .problems", (list) => list.textContent ?? "");
      await clickTab(page, "Form of the kernel", "rendered");
      await page.click('nav a[href="#hash"]');
      await settled(page);
      return [
        ...(/data of values: line 1: expected a number, found two/.test(data)
          ? []
          : [`expected the line of the data, found \`${data}\``]),
        ...(/nvcc/.test(kernel) ? [] : [`expected a sentence about CUDA, found \`${kernel}\``]),
      ];
    },
  };
}
