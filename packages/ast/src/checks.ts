// What a caller may get wrong besides the program itself: options, jobs and buffers of the wrong kind.
import { type AstTable, describeValue, didYouMean } from "@mm-ptx/types/core";
import type { AstCompileJob, AstCompilerOptions } from "./compiler.js";
import { AstPtxError } from "./error.js";
import { Packed } from "./layout.js";
import type { AstProgram } from "./program.js";

const OPTION_NAMES = ["routines", "limits", "webAssembly"];
const JOB_NAMES = ["inputs", "output"];

/** @throws AstPtxError INVALID_VALUE */
export function checkTable(table: AstTable): void {
  if (table?.kind !== "ast" || !Array.isArray(table.instructions)) throw invalid("an AST PTX table", table);
}

/** @throws AstPtxError INVALID_VALUE */
export function checkOptions(options: AstCompilerOptions): void {
  checkNames("option", options, OPTION_NAMES, "options as an object");
  const { routines = [], webAssembly = true } = options;
  if (!Array.isArray(routines)) throw invalid("`routines` as an array", routines);
  for (const routine of routines) checkProgram(routine, "a routine as an AstProgram");
  if (typeof webAssembly !== "boolean") throw invalid("a boolean as `webAssembly`", webAssembly);
}

/** @throws AstPtxError INVALID_VALUE when an object of options is none, or has a name that is not known */
export function checkNames(what: string, options: object, known: readonly string[], expected: string): void {
  // Arrays and maps have no names that could be unknown.
  if (Object.prototype.toString.call(options) !== "[object Object]") throw invalid(expected, options);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new AstPtxError("INVALID_VALUE", `unknown ${what} \`${name}\`${didYouMean(name, known)}`);
    }
  }
}

/** @throws AstPtxError INVALID_VALUE */
export function checkJob(program: AstProgram, job: AstCompileJob): void {
  checkProgram(program, "an AstProgram");
  if (typeof job !== "object" || job === null) throw invalid("a job with `inputs` and `output`", job);
  // Each compile comes here: comparing is cheaper than making a list of the names.
  for (const name in job) {
    if (name !== "inputs" && name !== "output") {
      throw new AstPtxError(
        "INVALID_VALUE",
        `unknown property \`${name}\` of a job${didYouMean(name, JOB_NAMES)}`,
      );
    }
  }
}

/** @throws AstPtxError INVALID_VALUE */
export function checkProgram(program: AstProgram, expected: string): void {
  const words: unknown = program?.words;
  if (!(words instanceof Uint32Array)) throw invalid(expected, program);
  if (words.length === 0) checkAttached(words);
  if (words.length % Packed.wordsPerInstruction !== 0) {
    throw invalidText("two words an instruction", `${words.length} words: the last instruction is cut`);
  }
}

/** Refuses a view whose memory went to another thread. @throws AstPtxError INVALID_VALUE */
export function checkAttached({ buffer }: Uint32Array | Uint8Array): void {
  try {
    new Uint8Array(buffer);
  } catch {
    throw invalidText("a program in memory of this thread", "one whose buffer was transferred");
  }
}

/** @throws AstPtxError INVALID_VALUE */
export function checkBytes(bytes: Uint8Array): void {
  if (!(bytes instanceof Uint8Array)) throw invalid("a Uint8Array to write to", bytes);
}

/** The error of a value that is not what was expected. */
export function invalid(expected: string, found: unknown): AstPtxError {
  return invalidText(expected, describeValue(found));
}

/** As `invalid`, of something described already. */
export function invalidText(expected: string, found: string): AstPtxError {
  return new AstPtxError("INVALID_VALUE", `expected ${expected}, found ${found}`);
}
