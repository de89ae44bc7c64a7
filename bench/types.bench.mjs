// Descriptions: the cost of importing @mm-ptx/types compared with zod, on which it depends, and the cost of
// checking 1,000 instructions, in a fresh process and in a warm one. Processes alternate, and the fastest of
// each kind counts, because other load on the machine only adds time.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseStackDescription } from "@mm-ptx/types";
import { medians } from "./lib/measure.mjs";

const PROCESSES = 15;
const IMPORT_BUDGET = 1.2;
/**
 * Relative to the import of zod, which takes 35 ms on a machine where the first parse must take at most 20
 * ms.
 */
const FIRST_PARSE_BUDGET = 0.6;
const FIRST_PARSE_MILLISECONDS = 20;
/** Relative to `JSON.parse` of the same text. */
const PARSE_BUDGET = 12;
const INSTRUCTIONS = 1000;

/** A folder from which both packages can be resolved. */
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

/** A program that prints the milliseconds of a statement. */
function timed(statement, before = "") {
  return `${before}
    const start = process.hrtime.bigint();
    ${statement}
    console.log(Number(process.hrtime.bigint() - start) / 1e6);`;
}

/** The minimum that each program printed. */
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

/** A realistic description with distinct instructions. */
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
