// The main command converts comment annotations of CUDA files to inline assembly, in separate files. If an input fails,
// its old output stays as it is, and the others are still written.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { InjectTypes } from "@mm-ptx/types/core";
import { type AnnotateCudaOptions, annotateCuda, type CudaInjection } from "../annotated-cuda.js";
import { depfileText, type Rule } from "./depfile.js";
import { decode, encode, type FileState, type SourceText, stateOf } from "./files.js";
import {
  type Delivery,
  findInputs,
  isFolder,
  noMatch,
  readInput,
  refuseClashes,
  STANDARD,
  shownName,
  writeWhole,
} from "./framework.js";
import { type Destination, planOutputs } from "./outputs.js";
import { type Problem, problemsAt, problemsOf } from "./problems.js";
import { loadTypes } from "./types-file.js";

export interface AnnotateOptions extends Destination {
  readonly types?: string;
  readonly mode?: NonNullable<AnnotateCudaOptions["mode"]>;
  readonly alternatives?: NonNullable<AnnotateCudaOptions["alternatives"]>;
  readonly depfile?: string;
  readonly check?: true;
  readonly quiet?: true;
}

/** The outcome of one input. */
export interface FileResult {
  readonly input: string;
  readonly output: string;
  readonly state: FileState | "failed" | "printed" | "unchanged" | "written";
  readonly injections: readonly CudaInjection[];
  /** The contents of the input; empty if it has not been read. */
  readonly text: string;
  readonly problems: readonly Problem[];
  /** The output for stdout. */
  readonly printed?: Uint8Array;
}

/** The outcome of all inputs. */
export interface Round {
  readonly ok: boolean;
  readonly files: readonly FileResult[];
  /** All files besides the inputs that were read, or should have been. */
  readonly types: readonly string[];
}

const BAD_STATES: ReadonlySet<FileResult["state"]> = new Set(["failed", "missing", "stale"]);

/** @throws UsageError, DescriptionError, FileError for failures that concern no single input */
export async function annotateOnce(
  words: readonly string[],
  options: AnnotateOptions,
  commands: readonly string[],
): Promise<Round> {
  const { out, depfile } = options;
  const { paths, unmatched } = findInputs(words, out !== undefined && isFolder(out) ? out : undefined);
  const loaded = await loadTypes(options.types);
  const jobs = planOutputs(paths, options);
  refuseClashes(
    jobs,
    new Map(loaded.files.map((file) => [file, "a description of types"])),
    new Map(depfile === undefined ? [] : [[depfile, "`--depfile`"]]),
  );
  const dependencies = depfile === undefined ? undefined : depfileText(rulesOf(jobs, loaded.files));
  const files = unmatched.map(unmatchedResult);
  for (const job of jobs) {
    files.push(await annotateFile(job, options, loaded.types, commands));
    // Lets a signal end the program between two files.
    await nextTurn();
  }
  const ok = !files.some(({ state }) => BAD_STATES.has(state));
  if (ok && depfile !== undefined && dependencies !== undefined) {
    writeWhole(depfile, encode(dependencies, "utf8"));
  }
  return { ok, files, types: loaded.files };
}

function rulesOf(jobs: readonly Delivery[], types: readonly string[]): Rule[] {
  return jobs.map(({ input, output }) => ({
    target: output,
    dependencies: [...(input === STANDARD ? [] : [input]), ...types],
  }));
}

async function annotateFile(
  job: Delivery,
  options: AnnotateOptions,
  types: InjectTypes,
  commands: readonly string[],
): Promise<FileResult> {
  const { input } = job;
  let source: SourceText | undefined;
  try {
    source = decode(await readInput(input, "*.cu", commands), input);
    return annotateSource(job, source, options, types);
  } catch (error) {
    const problems = problemsOf(error, shownName(input), source?.text);
    return { ...job, state: "failed", injections: [], text: "", problems };
  }
}

/** @throws PtxInjectError, FileError */
function annotateSource(
  job: Delivery,
  { text, encoding }: SourceText,
  { mode = "asm", alternatives = {}, check }: AnnotateOptions,
  types: InjectTypes,
): FileResult {
  const { input, output } = job;
  const annotated = annotateCuda(text, { types, mode, alternatives });
  const made = encode(annotated.text, encoding);
  const problems = problemsAt("warning", annotated.warnings, shownName(input), text);
  const result = { ...job, injections: annotated.injections, text, problems };
  if (output === STANDARD) return { ...result, state: "printed", printed: made };
  if (check) return { ...result, state: stateOf(output, made) };
  return { ...result, state: writeWhole(output, made) ? "written" : "unchanged" };
}

function unmatchedResult(pattern: string): FileResult {
  const problems = problemsOf(noMatch(pattern), pattern);
  return { input: pattern, output: "", state: "failed", injections: [], text: "", problems };
}
