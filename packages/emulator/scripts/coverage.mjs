// Compares what the emulator's checker accepts with what ptxas accepts: every row of the instruction table, then
// variations of its opcodes and operands. Prints the differences, or writes docs/emulator-coverage.md with --write.
import { writeFileSync } from "node:fs";
import { EmulatorError } from "../dist/error.js";
import { checkProgram } from "../dist/front/index.js";
import { formsOf, instructionRows } from "../dist/isa/table.js";
import { instruction, matchOf, opcodesOf, register } from "./lib/instances.mjs";
import { askPtxas, moduleOf, REGISTER_TYPES } from "./lib/ptxas.mjs";

const TARGET = "sm_100a";
/** Instructions that need more than one line: labels of lists, functions. */
const SKIPPED = new Set(["call", "brx"]);
/** Operands to try in the place of a register or a constant. */
const OTHERS = [
  ..."1 -1 300 5000000000 1.0 0f3F800000 0d3FF0000000000000 WARP_SZ %tid.x %clock64 %laneid inGlobal inShared".split(
    " ",
  ),
  ..."inLocal inConst inParam inGlobal+4 _ !%pred_1 %pred_1|%pred_2 {%b32_1,%b32_2} [%b64_1] label".split(
    " ",
  ),
];

/** @type {{ form: import("../dist/isa/notation.js").Form, opcodes: string[] }[]} */
const rows = [];
for (const mnemonic of instructionRows().keys()) {
  if (!SKIPPED.has(mnemonic))
    for (const form of formsOf(mnemonic)) rows.push({ form, opcodes: opcodesOf(form) });
}

/** Instructions by suite. */
const suites = { rows: instancesOfRows(), opcodes: variedOpcodes(), operands: variedOperands() };

function instancesOfRows() {
  const texts = [];
  for (const { form, opcodes } of rows) {
    for (const opcode of opcodes) {
      const match = matchOf(form, opcode);
      if (match === undefined) continue;
      texts.push(instruction(opcode, match, false));
      if (match.operands.some((operand) => operand.form.optional))
        texts.push(instruction(opcode, match, true));
    }
  }
  return texts;
}

/** The first and the last instance of each row, with a modifier added, removed or replaced. */
function variedOpcodes() {
  /** @type {string[]} */
  const texts = [];
  for (const { form, opcodes } of rows) {
    const words = new Set(
      formsOf(form.mnemonic).flatMap(({ elements }) =>
        elements.flatMap((element) => [...element.words.keys()]),
      ),
    );
    // ptxas ignores a meaningless `.pred`.
    for (const type of REGISTER_TYPES) if (type !== "pred") words.add(type);
    for (const word of ["bf16", "bf16x2", "u16x2", "s16x2", "f32x2", "v2", "v8", "sat", "ftz", "rn"])
      words.add(word);
    for (const opcode of [opcodes[0], opcodes.at(-1)]) {
      const match = matchOf(form, opcode);
      if (match === undefined) continue;
      const parts = opcode.split(".");
      const vary = (/** @type {string[]} */ changed) =>
        texts.push(instruction(changed.join("."), match, false));
      for (let at = 1; at < parts.length; at++) {
        vary(parts.toSpliced(at, 1));
        for (const word of words) if (!parts.includes(word)) vary(parts.with(at, word));
      }
      for (const word of words) if (!parts.includes(word)) vary(parts.toSpliced(1, 0, word));
    }
  }
  return texts;
}

/** One instance of each row for each of its types, with other registers and other kinds of operands. */
function variedOperands() {
  /** @type {string[]} */
  const texts = [];
  for (const { form, opcodes } of rows) {
    /** @type {Map<string, { opcode: string, match: import("../dist/isa/match.js").Match }>} */
    const byTypes = new Map();
    for (const opcode of opcodes) {
      const match = matchOf(form, opcode);
      if (match === undefined) continue;
      const key = match.operation.types.join();
      if (!byTypes.has(key)) byTypes.set(key, { opcode, match });
    }
    for (const { opcode, match } of byTypes.values()) {
      match.operands.forEach((operand, index) => {
        if (operand.form.kind === "address" || operand.form.optional) return;
        for (const other of REGISTER_TYPES) {
          texts.push(instruction(opcode, match, false, index, (_, number) => register(other, number)));
        }
        for (const other of OTHERS) texts.push(instruction(opcode, match, false, index, () => other));
      });
      if (match.operands.some((operand) => operand.form.kind === "address")) {
        for (const address of [
          "[inGlobal+-4]",
          "[inShared]",
          "[inConst]",
          "[inLocal]",
          "[inParam]",
          "[16]",
          "[%b32_1]",
          "[%f64_1]",
        ]) {
          texts.push(instruction(opcode, match, false).replace(/\[[^\]]*\]/, address));
        }
      }
    }
  }
  return texts;
}

/**
 * The checker's message for an instruction; undefined if it accepts it.
 *
 * @param {string} text
 * @returns {{ code: string, message: string } | undefined}
 */
function check(text) {
  try {
    const [note] = checkProgram(moduleOf([text], TARGET)).notes;
    return note && { code: note.code, message: note.message };
  } catch (error) {
    if (!(error instanceof EmulatorError) || error.problems.length === 0) throw error;
    return { code: error.code, message: error.problems[0].message };
  }
}

/** @type {import("./lib/coverage-document.mjs").Report} */
const report = {};
for (const [name, all] of Object.entries(suites)) {
  const texts = [...new Set(all)];
  const theirs = askPtxas(texts, TARGET);
  /** @type {import("./lib/coverage-document.mjs").Difference[]} */
  const refused = [];
  /** @type {import("./lib/coverage-document.mjs").Difference[]} */
  const taken = [];
  texts.forEach((text, index) => {
    const ours = check(text);
    const crashed = theirs[index]?.startsWith("crashes");
    if (crashed) return;
    if (theirs[index] === undefined && ours !== undefined) refused.push({ text, ...ours });
    const message = theirs[index];
    if (message !== undefined && ours === undefined) taken.push({ text, message });
  });
  report[name] = { count: texts.length, refused, taken };
}
if (process.argv.includes("--write")) {
  const { coverageDocument } = await import("./lib/coverage-document.mjs");
  writeFileSync(
    new URL("../../../docs/emulator-coverage.md", import.meta.url),
    coverageDocument(report, TARGET),
  );
} else {
  for (const [name, { count, refused, taken }] of Object.entries(report)) {
    for (const { text, message } of refused)
      console.log(`${name}: only ptxas accepts ${text}  // ${message}`);
    for (const { text, message } of taken)
      console.log(`${name}: only the emulator accepts ${text}  // ${message}`);
    console.log(
      `${name}: ${count} instructions, ${refused.length} rejected by the emulator alone, ${taken.length} by ptxas alone`,
    );
  }
}
