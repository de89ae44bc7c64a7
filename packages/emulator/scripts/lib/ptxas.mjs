// Finds out which instructions ptxas accepts. It compiles many of them in one module, because ptxas names the lines of
// errors, and repeats this without the rejected lines, because ptxas does not report all errors at once.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The number of instructions in one module. */
const BATCH = 400;

/** Registers of every register type, such as `%b32_1` to `%b32_8`. */
export const REGISTER_TYPES =
  "pred b8 u8 s8 b16 u16 s16 f16 b32 u32 s32 f32 f16x2 b64 u64 s64 f64 b128".split(" ");

const HEAD = `.version 9.0
.target TARGET
.address_size 64
.global .align 16 .b8 inGlobal[64];
.const .align 16 .b8 inConst[64];
.shared .align 16 .b8 inShared[64];
.visible .entry kernel(.param .align 16 .b8 inParam[64])
{
.local .align 16 .b8 inLocal[64];
${REGISTER_TYPES.map((type) => `.reg .${type} %${type}_<9>;`).join(" ")}
`;

/**
 * A module with each instruction on its own line; the first is on line `FIRST_LINE`.
 *
 * @param {readonly string[]} instructions
 * @param {string} target
 */
export function moduleOf(instructions, target) {
  return `${HEAD.replace("TARGET", target)}${instructions.join("\n")}\nlabel:\nret;\n}\n`;
}

export const FIRST_LINE = HEAD.split("\n").length;

/**
 * The error that ptxas reports for each instruction; undefined if ptxas accepts it.
 *
 * @param {readonly string[]} instructions one line each
 * @param {string} target such as `sm_100a`
 * @returns {(string | undefined)[]}
 */
export function askPtxas(instructions, target) {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-coverage-"));
  try {
    /** @type {(string | undefined)[]} */
    const answers = [];
    for (let at = 0; at < instructions.length; at += BATCH) {
      answers.push(...askBatch(instructions.slice(at, at + BATCH), target, join(folder, "forms.ptx")));
    }
    return answers;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An error with its line. For 32-bit addresses, only a warning names the line. */
const MISTAKE = /line (\d+); (?:error|fatal) *: (.*)|32-bit address on line '(\d+)'/g;

/**
 * @param {readonly string[]} instructions
 * @param {string} target
 * @param {string} path where to write the module
 * @returns {(string | undefined)[]}
 */
function askBatch(instructions, target, path) {
  /** @type {(string | undefined)[]} */
  const answers = instructions.map(() => undefined);
  const asked = [...instructions];
  for (;;) {
    writeFileSync(path, moduleOf(asked, target));
    const log = run(path, target);
    if (log === undefined) return answers;
    let found = false;
    for (const [, place, message, narrow] of log.matchAll(MISTAKE)) {
      const index = Number(place ?? narrow) - FIRST_LINE;
      // Some errors are reported for a line even after it was emptied.
      if (!asked[index]) continue;
      answers[index] ??= message ?? "address of 32 bits";
      asked[index] = "";
      found = true;
    }
    if (!found)
      return instructions.length === 1
        ? [`crashes ptxas ${log.trim()}`]
        : askHalves(instructions, target, path);
  }
}

/**
 * Tries both halves separately, until the instruction that crashes ptxas is isolated.
 *
 * @type {typeof askBatch}
 */
function askHalves(instructions, target, path) {
  const middle = instructions.length >> 1;
  const halves = [instructions.slice(0, middle), instructions.slice(middle)];
  return halves.flatMap((half) => askBatch(half, target, path));
}

/**
 * The log if ptxas rejects the module.
 *
 * @param {string} path
 * @param {string} target
 */
function run(path, target) {
  const options = ["-O0", "-arch", target, "-o", `${path}.cubin`, path];
  try {
    execFileSync("ptxas", options, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", timeout: 120_000 });
    return undefined;
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    return `${stdout}${stderr}`;
  }
}
