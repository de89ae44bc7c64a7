// A demo as a command: runs it, prints what it found, and writes it into a folder.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFunction, isText } from "@mm-ptx/types/internal";
import { SearchError } from "../../error.js";
import { invalid, readOptions } from "../../options.js";
import { type ActivationDemoOptions, activationDemo } from "./activation/demo.js";
import { activationPictures } from "./activation/pictures.js";
import { ACTIVATION_TARGETS } from "./activation/targets.js";
import { activationLines, progressLine } from "./activation/text.js";

/** Options of `runDemo`. */
export interface DemoOptions extends Omit<ActivationDemoOptions, "target" | "progress"> {
  /** The folder for pictures and results; by default, nothing is written. */
  readonly out?: string;
  /** Receives lines of the result. */
  readonly print?: (line: string) => void;
  /** Receives a line about once a second while the demo runs. */
  readonly progress?: (line: string) => void;
}

const DEFAULT_SECONDS = 60;

/** The names of the demos. */
export const DEMOS: readonly string[] = ACTIVATION_TARGETS.map(({ name }) => name);

/**
 * Runs a demo: `gelu`, `erf`, `silu`, `softplus` or `tanh`.
 * @throws SearchError NOT_FOUND: there is no such demo; INVALID_ARGUMENT: an option is wrong; RECORD: the folder can't be written
 */
export async function runDemo(name: string, options: DemoOptions = {}): Promise<void> {
  if (!DEMOS.includes(name)) {
    throw new SearchError(
      "NOT_FOUND",
      `expected one of the demos ${DEMOS.join(", ")}, found ${String(name)}`,
    );
  }
  const { out, print = () => {}, progress = () => {}, ...others } = options;
  for (const [key, value] of Object.entries({ print, progress })) {
    if (isFunction(value, key) !== undefined) throw invalid(`option \`${key}\` as a function`, value);
  }
  readOptions({ out: out ?? "." }, { out: isText });
  const { seconds = DEFAULT_SECONDS } = others;
  const result = await activationDemo({
    ...others,
    target: name,
    progress: (each) => progress(progressLine(each, seconds)),
  });
  const lines = activationLines(result);
  for (const line of lines) print(line);
  if (out === undefined) return;
  const { chosen } = result;
  const files: Record<string, string> = {
    ...(await activationPictures(result)),
    "result.txt": `${lines.join("\n")}\n`,
    ...(chosen?.stub !== undefined && { "stub.ptx": `${chosen.stub}\n` }),
  };
  try {
    await mkdir(out, { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(join(out, file), text);
  } catch (error) {
    throw new SearchError("RECORD", `the results can't be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
  print("");
  print(`written to ${out}: ${Object.keys(files).join(", ")}`);
}
