// The problems of ../search/hackers-delight.json: their programs as stubs and codes, checked at the points that they state.

import { readFileSync } from "node:fs";
import { evaluateBatch } from "@mm-ptx/columns";
import { parseStub } from "@mm-ptx/columns/stub";
import { operandsOf, operationParts, operationText, StraightLineCode } from "@mm-ptx/types/code";

export const { problems, core, all } = JSON.parse(
  readFileSync(new URL("../search/hackers-delight.json", import.meta.url), "utf8"),
);

/** The stub of a list of lines such as `a = sub.u32 x 1`. */
export function stubOf(lines) {
  const names = lines.map((line) => line.split(" = ")[0]).filter((name) => name !== "out");
  const registers = [...new Set(names)].map((name) => `.reg .b32 %t_${name};`);
  const operand = (name) => (/^[0-9]/.test(name) ? name : names.includes(name) ? `%t_${name}` : `%${name}`);
  const instructions = lines.map((line) => {
    const [name, rest] = line.split(" = ");
    const [instruction, ...operands] = rest.split(" ");
    return `${instruction} ${[operand(name), ...operands.map(operand)].join(", ")};`;
  });
  return `{\n${[...registers, ...instructions].join("\n")}\n}`;
}

/** The code of such lines. */
export function codeOf({ inputs }, lines) {
  const operands = [...inputs, "out"].map((name) => ({
    name,
    direction: name === "out" ? "out" : "in",
    register: name,
    registerType: "b32",
    type: "B32",
  }));
  return parseStub(stubOf(lines), operands);
}

/** Throws if a program of a problem does not have the outputs that its points state. */
export async function checkPoints(problem, code) {
  const { name, inputs, points } = problem;
  const columns = inputs.map((_, input) => Uint32Array.from(points, ([values]) => values[input]));
  columns.push(new Uint32Array(points.length));
  const { outputs } = await evaluateBatch(code, columns, { outputs: true });
  points.forEach(([values, expected], row) => {
    const found = outputs.column(0)[row] >>> 0;
    if (found !== expected) throw new Error(`${name}: expected ${expected} for ${values}, found ${found}`);
  });
}

/** The lines of a code, the opposite of `codeOf`. */
export function linesOf({ inputs }, { words, offsets }) {
  const values = [];
  const lines = [];
  let at = offsets[0] + StraightLineCode.headerWords;
  for (let item = words[offsets[0] + StraightLineCode.itemCount]; item > 0; item--) {
    const word = words[at];
    const operands = Array.from(words.subarray(at + 1, at + 1 + operandsOf(word)));
    at += 1 + operands.length;
    const { name } = operationParts(word);
    if (name === "input") values.push(inputs[operands[0]]);
    else if (name === "constant") {
      values.push(operands[0] < 1000 ? String(operands[0]) : `0x${operands[0].toString(16)}`);
    } else {
      const made = `v${lines.length + 1}`;
      lines.push(`${made} = ${[operationText(word), ...operands.map((value) => values[value])].join(" ")}`);
      values.push(made);
    }
  }
  const out = values[words[at] & StraightLineCode.valueMask];
  return lines.map((line) => (line.startsWith(`${out} = `) ? line.replace(out, "out") : line));
}

const FIELD_ROWS = 2 ** 20;

/** The rows on which a problem is defined, or undefined if it is defined on all inputs. */
export function columnsOf({ domain }) {
  if (domain === undefined) return undefined;
  // `fields`: m is a field of at least one bit at any place, and the other field is k bits further left and does not overlap it.
  const random = randomWords(1);
  const [x, m, k] = [0, 1, 2].map(() => new Uint32Array(FIELD_ROWS));
  for (let row = 0; row < FIELD_ROWS; row++) {
    x[row] = random();
    k[row] = 1 + (random() % 31);
    const width = 1 + (random() % Math.min(k[row], 32 - k[row]));
    m[row] = (2 ** width - 1) * 2 ** (random() % (33 - k[row] - width));
  }
  return [x, m, k];
}

/** A generator of 32-bit words: splitmix32. */
function randomWords(seed) {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}
