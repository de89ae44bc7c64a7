// Tries the instances of every row of the instruction table with ptxas, and prints those that it refuses.
import { formsOf, instructionRows } from "../dist/isa/table.js";
import { instruction, matchOf, opcodesOf } from "./lib/instances.mjs";
import { askPtxas } from "./lib/ptxas.mjs";

const TARGET = "sm_100a";
/** What needs more than a line: labels of lists, functions. */
const SKIPPED = new Set(["call", "brx"]);
const only = process.argv[2];

const tried = [];
for (const mnemonic of instructionRows().keys()) {
  if (SKIPPED.has(mnemonic) || (only !== undefined && only !== mnemonic)) continue;
  for (const form of formsOf(mnemonic)) {
    for (const opcode of opcodesOf(form)) {
      const match = matchOf(form, opcode);
      if (match === undefined) continue;
      tried.push({ form, text: instruction(opcode, match, false) });
      if (form.operands.some(({ optional }) => optional))
        tried.push({ form, text: instruction(opcode, match, true) });
    }
  }
}
const answers = askPtxas(
  tried.map(({ text }) => text),
  TARGET,
);
let refused = 0;
tried.forEach(({ text }, index) => {
  if (answers[index] === undefined) return;
  refused++;
  console.log(`${text}  // ${answers[index]}`);
});
console.log(`${tried.length} instructions, ${refused} refused`);
