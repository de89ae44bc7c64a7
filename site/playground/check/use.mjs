// What readers do: edit, complete, vary, share, trace, stop, and write nonsense.

import { after, clickTab, drawn, fill, load, paste, settled, textOf, type, until } from "./page.mjs";

/** @typedef {import("./test.mjs").Check} Check */

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
      await paste(page, ".source", "input x\n");
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
      await after(page, () => paste(page, ".source", "input x\nnonsense"), "failed");
      const text = await textOf(page, ".problems");
      await until(
        page,
        "a mark in the editor",
        () => document.querySelector(".source .cm-lintRange") !== null,
      );
      const help = await page.$eval(".problems a", (link) => link.href);
      await after(page, () => paste(page, ".source", "input x"));
      return [
        ...(/^Line 2, column 1: /.test(text) ? [] : [`expected a problem in line 2, found \`${text}\``]),
        ...(/errors\.html#stackptxerror-[a-z_]+$/.test(help)
          ? []
          : [`expected a link to the code, found ${help}`]),
      ];
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
      await after(page, () => fill(page, "center_x, as a number", "-0.75"));
      // The button writes the address at once, which otherwise follows a moment after the last change.
      await page.click(".share button");
      await until(page, "a link", () => document.querySelector(".share [role=status]")?.textContent !== "");
      const link = page.url();
      await load(page, link);
      await settled(page);
      const center = 'input[aria-label="center_x, as a number"]';
      const shown = await page.$eval(center, (input) => /** @type {HTMLInputElement} */ (input).value);
      return shown === "-0.75" ? [] : [`expected -0.75 after opening ${link}, found ${shown}`];
    },
    "broken links end in a sentence and an example": async ({ page, url }) => {
      /** @type {string[]} */
      const problems = [];
      const expectNotice = async (/** @type {string} */ broken) => {
        await until(page, `a sentence for #${broken}`, () => document.querySelector(".notice") !== null);
        await settled(page);
        const said = await page.$eval(".notice", (notice) => notice.textContent ?? "");
        if (!said.startsWith("This link can't be opened: "))
          problems.push(`expected a sentence for #${broken}, found \`${said}\``);
      };
      await load(page, `${url}#gelu/AAAA`);
      await expectNotice("gelu/AAAA");
      for (const broken of [
        "nothing",
        "gelu/%25%25",
        "gelu/%FF%C0",
        "gelu/a/b",
        "gelu/q1YqzkgtSlWyUkpLzClOBQA",
      ]) {
        await page.click(".notice button");
        await page.evaluate((fragment) => {
          location.hash = fragment;
        }, broken);
        await expectNotice(broken);
      }
      return problems;
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
      await paste(page, ".source", "L: bra L;");
      await until(page, "a button", () => {
        const button = document.querySelector("button.stop");
        return button !== null && getComputedStyle(button).visibility === "visible";
      });
      await page.click("button.stop");
      await settled(page, "failed");
      const said = await textOf(page, ".findings");
      // The next launch replaces the one that runs.
      await paste(page, ".source", "M: bra M;");
      await until(page, "a launch", () => document.querySelector("button.stop") !== null);
      await after(page, () => paste(page, ".source", "bar.sync 0;"));
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
      const data = await textOf(page, ".findings");
      await page.click('nav a[href="#gelu"]');
      await drawn(page);
      await settled(page);
      await clickTab(page, "Form of the kernel", "marked");
      await until(
        page,
        "the marked kernel",
        () => document.querySelector('[aria-label="Marked kernel, PTX"]') !== null,
      );
      await after(page, () => paste(page, ".kernel", "__global__ void f() {}"), "failed");
      const kernel = await textOf(page, ".kernel .problems");
      await clickTab(page, "Form of the kernel", "rendered");
      await page.click('nav a[href="#hash"]');
      await drawn(page);
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
