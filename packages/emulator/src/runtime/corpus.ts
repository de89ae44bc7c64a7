// Runs the programs of a folder one after another and reports the result of each.
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { EmulatorError } from "../error.js";
import { type ProgramOptions, runProgram } from "./run-program.js";

/** The result of a program. */
export interface CorpusRow {
  /** The name of its file. */
  readonly program: string;
  readonly words: readonly string[];
  /**
   * `right` if it exited with 0 and no launch failed except by a trap, `refused` if it needs something that the
   * emulator does not support, otherwise `wrong`.
   */
  readonly result: "right" | "wrong" | "refused";
  readonly exitCode: number | undefined;
  /** Why it was rejected, or the last line of its standard error. */
  readonly reason: string;
  readonly milliseconds: number;
  readonly kernels: number;
}

/** The file with the arguments of programs: `{ "name": ["argument", …] }`. */
const ARGUMENTS = "arguments.json";

/** Messages of CUDA calls that return cudaErrorNotSupported, and of kernels and programs that are rejected. */
const REFUSED = /expected (?:a CUDA call|a kernel|an instruction|PTX|a program)\b.*/;

export async function* runCorpus(
  folder: string,
  options: Omit<ProgramOptions, "output" | "complain" | "onLaunch">,
): AsyncGenerator<CorpusRow> {
  const given = argumentsOf(folder);
  const programs = programsOf(folder);
  const unknown = Object.keys(given).find((name) => !programs.includes(name));
  if (unknown !== undefined)
    throw new EmulatorError(
      "NOT_FOUND",
      `expected programs of \`${folder}\` in its \`${ARGUMENTS}\`, found \`${unknown}\``,
    );
  if (programs.length === 0)
    throw new EmulatorError("NOT_FOUND", `expected executable files in \`${folder}\`, found none`);
  for (const program of programs) yield await rowOf(folder, program, given[program] ?? [], options);
}

async function rowOf(
  folder: string,
  program: string,
  words: readonly string[],
  options: Omit<ProgramOptions, "output" | "complain" | "onLaunch">,
): Promise<CorpusRow> {
  const complaints: string[] = [];
  let stopped = false;
  let kernels = 0;
  const started = performance.now();
  const row = (result: CorpusRow["result"], exitCode: number | undefined, reason: string): CorpusRow => ({
    program,
    words,
    result,
    exitCode,
    reason,
    milliseconds: Math.round(performance.now() - started),
    kernels,
  });
  try {
    const { exitCode, stderr } = await runProgram(resolve(folder, program), words, {
      ...options,
      folder,
      output: "pipe",
      complain: (message, error) => {
        complaints.push(message);
        // Programs that demonstrate assertions and traps continue after them.
        stopped ||= error instanceof EmulatorError && error.code !== "TRAP";
      },
      onLaunch: () => kernels++,
    });
    const told = [...complaints, ...stderr.trimEnd().split("\n")];
    const refusal = told.map((line) => REFUSED.exec(line)?.[0]).find((line) => line !== undefined);
    if (exitCode === 0 && !stopped) return row("right", 0, "");
    return row(
      refusal === undefined ? "wrong" : "refused",
      exitCode,
      refusal ?? complaints[0] ?? told.at(-1) ?? "",
    );
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error;
    return row("refused", undefined, error.message);
  }
}

function programsOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isFile() && isExecutable(join(folder, name)))
    .sort();
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws EmulatorError INVALID_ARGUMENT for a file of another form */
function argumentsOf(folder: string): Readonly<Record<string, readonly string[]>> {
  const file = join(folder, ARGUMENTS);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new EmulatorError("NOT_FOUND", `expected a folder with programs, found none at \`${folder}\``);
  if (!existsSync(file)) return {};
  const wrong = new EmulatorError(
    "INVALID_ARGUMENT",
    `expected \`{ "program": ["argument", …] }\` in \`${file}\`, found something else`,
  );
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw wrong;
  }
  const isObject = typeof found === "object" && found !== null && !Array.isArray(found);
  const lists = isObject ? Object.values(found as object) : [undefined];
  if (!lists.every((list) => Array.isArray(list) && list.every((word) => typeof word === "string")))
    throw wrong;
  return found as Record<string, string[]>;
}
