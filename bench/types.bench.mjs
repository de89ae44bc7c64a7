// Descriptions: what importing @mm-ptx/types costs beside zod, which it is made with, and what it costs to check 1,000
// instructions, in a process that has done nothing yet and in one that is warm. Processes take turns; of each the fastest
// counts, because whatever else the machine does only adds.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseStackDescription } from "@mm-ptx/types";
import { medians } from "./lib/measure.mjs";

const PROCESSES = 15;
const IMPORT_BUDGET = 1.2;
/** Times the import of zod, which takes 35 ms where the first parse has to be done in 20. */
const FIRST_PARSE_BUDGET = 0.6;
const FIRST_PARSE_MILLISECONDS = 20;
/** Times `JSON.parse` of the same text. */
const PARSE_BUDGET = 12;
const INSTRUCTIONS = 1000;

/** A folder from which both packages are found. */
const PACKAGE = dirname(dirname(fileURLToPath(import.meta.resolve("@mm-ptx/types"))));

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  try {
    const text = description();
    const file = join(folder, "stack.json");
    writeFileSync(file, text);
    const [zod, types, first] = fastest([
      timed('await import("zod");'),
      timed('await import("@mm-ptx/types");'),
      timed(
        "parseStackDescription(text);",
        `import { readFileSync } from "node:fs";
         import { parseStackDescription } from "@mm-ptx/types";
         const text = readFileSync(${JSON.stringify(file)}, "utf8");`,
      ),
    ]);
    const [parse, json] = (
      await medians([() => parseStackDescription(text), () => JSON.parse(text)], { calls: 1 })
    ).map((microseconds) => microseconds / 1000);
    return [
      row("import @mm-ptx/types (yardstick: import zod)", types, zod, IMPORT_BUDGET, true),
      row(
        `first parse of ${INSTRUCTIONS} instructions (yardstick: import zod)`,
        first,
        zod,
        FIRST_PARSE_BUDGET,
      ),
      row(
        `first parse of ${INSTRUCTIONS} instructions (yardstick: ${FIRST_PARSE_MILLISECONDS} ms)`,
        first,
        FIRST_PARSE_MILLISECONDS,
        1,
      ),
      row(`parse ${INSTRUCTIONS} instructions (yardstick: JSON.parse)`, parse, json, PARSE_BUDGET),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(name, ours, yardstick, budget, hard = false) {
  const ratio = ours / yardstick;
  return { name, ours, yardstick, ratio, budget, unit: "ms", pass: ratio <= budget, hard };
}

/** A program that prints how many milliseconds a statement takes. */
function timed(statement, before = "") {
  return `${before}
    const start = process.hrtime.bigint();
    ${statement}
    console.log(Number(process.hrtime.bigint() - start) / 1e6);`;
}

/** The least that each program printed. */
function fastest(programs) {
  const printed = programs.map(() => []);
  for (let turn = 0; turn < PROCESSES; turn++) {
    programs.forEach((program, i) => {
      const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
        cwd: PACKAGE,
        encoding: "utf8",
      });
      printed[i].push(Number(output));
    });
  }
  return printed.map((times) => Math.min(...times));
}

/** A description as people write it, of instructions that differ. */
function description() {
  const types = ["F32", "U32", "S32", "B32"];
  const file = {
    abi_version: 1,
    stack_types: types.map((name) => ({ name, literal_prefix: name.toLowerCase() })),
    arg_types: types.map((name) => ({ name, stack_type: name })),
    instructions: Array.from({ length: INSTRUCTIONS }, (_, i) => ({
      ptx: `operation.number${i}.ftz.f32`,
      args: Array.from({ length: 1 + (i % 3) }, (_, arg) => types[(i + arg) % types.length]),
      rets: [types[i % types.length]],
      ...(i % 4 === 0 ? { requires: { target: "sm_90", ptx: "7.8" } } : {}),
    })),
    special_registers: [{ ptx: "tid.x", arg_type: "U32" }],
  };
  return JSON.stringify(file, null, 2);
}
