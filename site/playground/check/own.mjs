// What readers do with kernels of their own, and what the page says when something does not work.

import { readFileSync } from "node:fs";
import { after, clickTab, drawn, fill, paste, resultsOf, settled, textOf, until } from "./page.mjs";

/** @typedef {import("./test.mjs").Check} Check */

const HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n";

/** A kernel that is not among the examples, with a site. */
const MARKED = readFileSync(new URL("../../../apps/quickstart/kernel.ptx", import.meta.url), "utf8");

/** Squares the elements of an s32 buffer into one of u64. */
const SQUARES = `${HEAD}.visible .entry squares(.param .u64 squares_param_0, .param .u64 squares_param_1)
.reqntid 128, 1, 1
{
	.reg .b32 %r<6>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [squares_param_0];
	ld.param.u64 %rd2, [squares_param_1];
	mov.u32 %r3, %tid.x;
	mov.u32 %r4, %ctaid.x;
	mov.u32 %r5, %ntid.x;
	mad.lo.s32 %r1, %r4, %r5, %r3;
	cvta.to.global.u64 %rd3, %rd1;
	mul.wide.u32 %rd4, %r1, 4;
	add.s64 %rd5, %rd3, %rd4;
	ld.global.u32 %r2, [%rd5];
	mul.wide.s32 %rd6, %r2, %r2;
	mul.wide.u32 %rd7, %r1, 8;
	add.s64 %rd8, %rd2, %rd7;
	st.global.u64 [%rd8], %rd6;
	ret;
}
`;

/** Each thread of a warp writes a word of shared memory, and reads that of its neighbor without a barrier. */
const WARP = `${HEAD}.visible .entry shift(.param .u64 shift_param_0)
.reqntid 32, 1, 1
{
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;
	.shared .align 4 .b8 words[128];
	ld.param.u64 %rd1, [shift_param_0];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, words;
	shl.b32 %r3, %r1, 2;
	add.u32 %r4, %r2, %r3;
	st.shared.u32 [%r4], %r1;
	xor.b32 %r3, %r3, 4;
	add.u32 %r4, %r2, %r3;
	ld.shared.u32 %r5, [%r4];
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r5;
	ret;
}
`;

/**
 * @param {import("puppeteer-core").Page} page
 * @param {string} kernel
 */
async function pasteKernel(page, kernel) {
  await clickTab(page, "Form of the kernel", "marked");
  await until(
    page,
    "the marked kernel",
    () => document.querySelector('[aria-label="Marked kernel, PTX"]') !== null,
  );
  await after(page, () => paste(page, ".kernel", kernel));
}

/**
 * @param {string} what
 * @param {unknown} found
 * @param {unknown} expected
 */
const same = (what, found, expected) =>
  found === expected ? [] : [`expected ${what} to be \`${expected}\`, found \`${found}\``];

/** The names of the current entry of the navigation, and what stands above the program. Runs in the page. */
function heading() {
  const current = [...document.querySelectorAll("nav [aria-current]")].map(({ textContent }) => textContent);
  return {
    current: current.join(),
    about: document.querySelector(".about")?.textContent ?? "",
    title: document.title,
  };
}

/** @type {Record<string, Check>} */
export const OWN_CHECKS = {
  "a pasted kernel replaces the example, and the example comes back": async ({ page, url, open }) => {
    await open(`${url}#mandelbrot`);
    await settled(page);
    await pasteKernel(page, MARKED);
    await until(
      page,
      "a program for the site",
      () => document.querySelector(".source .cm-content")?.textContent?.includes("input w") === true,
    );
    await until(page, "its arguments", () => document.querySelector('input[aria-label="param_4"]') !== null);
    await after(page, () => paste(page, ".source", "input x\nneg.ftz.f32"));
    await until(
      page,
      "the stub",
      () => document.querySelector(".stub .cm-content")?.textContent?.includes("neg") === true,
    );
    const own = await page.evaluate(heading);
    const plot = await page.$eval('select[aria-label="Kind of plot"]', (select) => select.value);
    await page.click(".kernel .hint button");
    await drawn(page);
    await settled(page);
    const example = await page.evaluate(heading);
    await clickTab(page, "Form of the kernel", "rendered");
    return [
      ...same("the current entry", own.current, "Your kernel"),
      ...same("the plot", plot, "line"),
      ...(own.about.includes("`") || !own.about.startsWith("Your own kernel, evaluate.")
        ? [`expected a sentence about the kernel, found \`${own.about}\``]
        : []),
      ...(own.title.startsWith("Your kernel")
        ? []
        : [`expected the kernel in the title, found ${own.title}`]),
      ...same("the current entry afterwards", example.current, "Mandelbrot set"),
    ];
  },
  "buffers have the types that a kernel accesses, and others on request": async ({ page, url, open }) => {
    await open(`${url}#gelu`);
    await settled(page);
    await pasteKernel(page, SQUARES);
    const csv = await resultsOf(page);
    const heads = await page.$$eval(".values thead th", (cells) =>
      cells.map(({ textContent }) => textContent),
    );
    const launch = await page.$eval('input[aria-label="Blocks x"]', (input) => input.value);
    await after(page, () => page.select('select[aria-label="Type of param_1"]', "f64"));
    const changed = await page.$$eval(".values thead th", (cells) =>
      cells.map(({ textContent }) => textContent),
    );
    const wrong = page.select('select[aria-label="Content of param_0"]', "csv");
    await after(page, () => wrong);
    await after(page, () => typeCsv(page, "1.5, 3000000000, two"), "failed");
    const refused = await textOf(page, ".findings");
    await after(page, () => typeCsv(page, "1.5, 3000000000, 2"));
    const notes = await textOf(page, ".notes");
    return [
      ...same("the columns", heads.join(), "index,param_0 s32,param_1 u64"),
      ...same("the row of 255", csv.split("\n")[256], "255,255,65025"),
      ...same("the blocks", launch, "2"),
      ...same("the columns of another type", changed.join(), "index,param_0 s32,param_1 f64"),
      ...(refused.includes("found two") ? [] : [`expected the word in the CSV, found \`${refused}\``]),
      ...same("the note", notes, "2 values of param_0 do not fit s32: 1.5 became 1."),
    ];
  },
  "code that needs warps in step gets them": async ({ page, url, open }) => {
    await open(`${url}#reduction`);
    await settled(page);
    await pasteKernel(page, WARP);
    const found = await textOf(page, ".findings");
    const help = await page.evaluate(() => document.querySelector(".findings a")?.getAttribute("href"));
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    await after(page, () => clickBox(page, "Warps in step"));
    await until(page, "no findings", () => document.querySelector(".findings") === null);
    return [
      ...(/RACE/.test(found) && found.includes("Warps in step") && !found.includes("lockstep")
        ? []
        : [`expected advice that the page can follow, found \`${found}\``]),
      ...same("the explanation", help, "../guide/emulator.html#finding-race"),
    ];
  },
  "a text without a kernel is not named after the one before": async ({ page, url, open }) => {
    await open(`${url}#gelu`);
    await settled(page);
    await clickTab(page, "Form of the kernel", "marked");
    await until(
      page,
      "the marked kernel",
      () => document.querySelector('[aria-label="Marked kernel, PTX"]') !== null,
    );
    await after(page, () => paste(page, ".kernel", ""), "failed");
    const { about } = await page.evaluate(heading);
    return about.startsWith("Your own kernel. ") ? [] : [`expected no name, found \`${about}\``];
  },
  "a failed launch says that the plot is the previous one": async ({ page, url, open }) => {
    await open(`${url}#gelu`);
    await settled(page);
    const before = await textOf(page, ".previous");
    await after(page, () => paste(page, ".source", "nonsense"), "failed");
    const mistake = await textOf(page, ".previous");
    await after(page, () => paste(page, ".source", "input x"));
    const fixed = await textOf(page, ".previous");
    return [
      ...same("the sentence before", before, ""),
      ...same("the sentence after a mistake", mistake, "Below is the previous result."),
      ...same("the sentence after the correction", fixed, ""),
    ];
  },
  "the editor is named after its language": async ({ page, url, open }) => {
    await open(`${url}#gelu`);
    await settled(page);
    const labelOf = () => page.$eval(".source .cm-content", (content) => content.getAttribute("aria-label"));
    const stack = await labelOf();
    await after(page, () => page.select('select[aria-label="Language"]', "formula"));
    const formula = await labelOf();
    await after(page, () => page.select('select[aria-label="Language"]', "ptx"));
    const ptx = await labelOf();
    return [
      ...same("the label", stack, "Stack PTX program of the site activation"),
      ...same("the label of a formula", formula, "Formula program of the site activation"),
      ...same("the label of PTX", ptx, "PTX program of the site activation"),
    ];
  },
  "a number that a field refuses is named": async ({ page, url, open }) => {
    await open(`${url}#gelu`);
    await settled(page);
    const label = "count, as a number";
    await fill(page, label, "2.5");
    await drawn(page);
    const during = await page.evaluate(fieldState, label);
    await page.click("#data-title");
    await drawn(page);
    const afterwards = await page.evaluate(fieldState, label);
    await fill(page, label, "200");
    await drawn(page);
    await settled(page);
    const accepted = await page.evaluate(fieldState, label);
    const sentence = "Expected an integer from 0 to 4294967295, found 2.5; it is still 2.";
    return [
      ...same(
        "the field",
        JSON.stringify(during),
        JSON.stringify({ value: "2.5", invalid: "true", sentence }),
      ),
      ...same(
        "the field afterwards",
        JSON.stringify(afterwards),
        JSON.stringify({ value: "2", invalid: "false", sentence }),
      ),
      ...same(
        "the field with 200",
        JSON.stringify(accepted),
        JSON.stringify({ value: "200", invalid: "false", sentence: "" }),
      ),
    ];
  },
};

/** A field with the sentence that describes it. Runs in the page. @param {string} label */
function fieldState(label) {
  const input = document.querySelector(`input[aria-label="${label}"]`);
  const id = input?.getAttribute("aria-describedby");
  return {
    value: /** @type {HTMLInputElement | null} */ (input)?.value,
    invalid: input?.getAttribute("aria-invalid"),
    sentence: id ? document.getElementById(id)?.textContent : "",
  };
}

/**
 * @param {import("puppeteer-core").Page} page
 * @param {string} text
 */
async function typeCsv(page, text) {
  await page.focus('textarea[aria-label="Content of param_0 as CSV"]');
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type(text);
}

/**
 * @param {import("puppeteer-core").Page} page
 * @param {string} text
 */
async function clickBox(page, text) {
  await page.evaluate((wanted) => {
    const labels = [...document.querySelectorAll("label")];
    labels
      .find(({ textContent }) => textContent?.trim() === wanted)
      ?.querySelector("input")
      ?.click();
  }, text);
}
