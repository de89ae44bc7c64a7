// The map of the packages: which one needs which, read from their manifests. A package that is needed through another
// one has no line of its own.

import { ROOT, readManifest } from "../../scripts/lib/workspace.mjs";
import { arrow, card, legend, picture, text } from "./svg.mjs";

/**
 * Each package with its place (a row from below, and a lane from the left) and what it is for.
 *
 * @type {Readonly<Record<string, { row: number, lane: number, words: string, ink: "kernel" | "program" | "result" | "muted" }>>}
 */
const MAP = {
  types: { row: 0, lane: 1.7, words: "descriptions, plain values", ink: "kernel" },
  ptx: { row: 1, lane: 2.6, words: "reads PTX", ink: "kernel" },
  stack: { row: 3, lane: 0, words: "programs to stubs", ink: "program" },
  columns: { row: 2, lane: 1.5, words: "programs on data, CPU", ink: "result" },
  inject: { row: 3, lane: 2.9, words: "sites of kernels", ink: "kernel" },
  cuda: { row: 2, lane: 4, words: "PTX to cubins, GPUs", ink: "result" },
  ast: { row: 3, lane: 0.96, words: "formulas to stubs", ink: "program" },
  emulator: { row: 3, lane: 1.92, words: "kernels on the CPU", ink: "result" },
  learn: { row: 1, lane: 0, words: "small models", ink: "program" },
  farm: { row: 4, lane: 4, words: "compiles on machines", ink: "result" },
  pipeline: { row: 4, lane: 3, words: "programs in, results out", ink: "result" },
  search: { row: 5, lane: 1, words: "finds programs", ink: "program" },
  cli: { row: 1, lane: 4, words: "frame of command lines", ink: "muted" },
  "mm-ptx": { row: 6, lane: 2.4, words: "one command for all", ink: "muted" },
};

const [WIDTH, BOX, HIGH, GAP] = [960, 172, 52, 44];
const ROWS = 7;
const TOP = 70;
const LEFT = 24;

/** @param {string} name */
function placeOf(name) {
  const { row, lane } = MAP[name] ?? { row: 0, lane: 0 };
  return { x: LEFT + lane * ((WIDTH - 2 * LEFT - BOX) / 4), y: TOP + (ROWS - 1 - row) * (HIGH + GAP) };
}

/** The packages of ours that a package needs. @param {string} name @param {"dependencies" | "peerDependencies"} kind */
const needs = (name, kind) =>
  Object.keys(readManifest(ROOT, `packages/${name}`)[kind] ?? {})
    .filter((each) => each.startsWith("@mm-ptx/"))
    .map((each) => each.slice("@mm-ptx/".length))
    .filter((each) => Object.hasOwn(MAP, each));

/** Everything that a package needs, directly or not. @param {string} name @returns {Set<string>} */
const reached = (name) => new Set(needs(name, "dependencies").flatMap((each) => [each, ...reached(each)]));

/** Without those that another one of them needs. @param {readonly string[]} names */
const direct = (names) => names.filter((name) => !names.some((other) => reached(other).has(name)));

export function drawPackages() {
  const names = Object.keys(MAP);
  const lines = names.flatMap((name) => {
    const solid = direct(needs(name, "dependencies"));
    const optional = direct(needs(name, "peerDependencies")).filter((each) => !reached(name).has(each));
    const from = placeOf(name);
    return [...solid, ...optional].map((each) => {
      const to = placeOf(each);
      const shift = (to.x - from.x) * 0.12;
      return arrow(
        [
          [from.x + BOX / 2 + shift, from.y + HIGH],
          [to.x + BOX / 2 - shift, to.y],
        ],
        { dashed: optional.includes(each) },
      );
    });
  });
  const height = TOP + ROWS * (HIGH + GAP) + 10;
  return picture(WIDTH, height, "The packages, and which one needs which", [
    text(LEFT, 32, "The packages", { size: 16, weight: 700 }),
    text(
      LEFT,
      54,
      "An arrow leads to what a package needs; a dashed one, to what it uses if it is installed.",
      {
        size: 12,
        ink: "muted",
      },
    ),
    ...lines,
    ...names.map((name) => {
      const { words, ink } = MAP[name] ?? { words: "", ink: "kernel" };
      return card({
        ...placeOf(name),
        width: BOX,
        height: HIGH,
        title: name,
        lines: [words],
        ink,
        soft: ink === "muted" ? "card" : `${ink}Soft`,
      });
    }),
    ...legend(LEFT, height - 14, [
      { ink: "kernel", words: "about kernels and PTX" },
      { ink: "program", words: "about programs" },
      { ink: "result", words: "compiles or runs" },
      { ink: "muted", words: "command lines" },
    ]),
  ]);
}
