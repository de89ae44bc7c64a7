// `compile`: compiles PTX files to cubins concurrently. If a file fails, its old cubin is left as it is, and
// the other files are still compiled.

import { CODE_OPTIONS, type CodeOptions } from "../ptx/code-options.js";
import { PtxCompiler } from "../ptx/compiler.js";
import type { JobResult } from "../ptx/flow.js";
import type { CompileInfo } from "../ptx/info.js";
import type { TextJob } from "../ptx/job.js";
import { type PtxCompilerOptions, resolveOptions } from "../ptx/options.js";
import { filledKernelOf } from "./filled-kernel.js";
import {
  type Colors,
  findInputs,
  noMatch,
  type Outcome,
  printable,
  readInput,
  STANDARD,
  shownName,
  writeWhole,
} from "./framework.js";
import { type Output, planOutputs } from "./outputs.js";
import { type Problem, problemOf, problemText } from "./problems.js";
import { showProgress } from "./progress.js";
import { table } from "./text.js";

export interface CompileFlags extends Omit<CodeOptions, "arch"> {
  readonly arch: readonly string[];
  readonly out?: string;
  readonly asciiComments?: true;
  readonly backend?: NonNullable<PtxCompilerOptions["backend"]>;
  readonly workers?: number;
  readonly timeout?: number;
  readonly memoryLimitBytes?: number;
  readonly cache: boolean;
  readonly info?: true;
  readonly quiet?: true;
  readonly json?: true;
}

/** What is reported about a cubin. The bytes are not kept, because there may be thousands of cubins. */
interface CubinReport extends Pick<CompileInfo, "from" | "kernels" | "milliseconds" | "warnings"> {
  readonly bytes: number;
}

/** The outcome of one input for one architecture. */
type Made = Output &
  (
    | { readonly state: "unchanged" | "written"; readonly report: CubinReport }
    | { readonly state: "printed"; readonly report: CubinReport; readonly cubin: Uint8Array }
    | { readonly state: "failed"; readonly problem: Problem }
  );

/** @throws UsageError, or PtxCompileError for invalid options and if no backend is available */
export async function compile(words: readonly string[], flags: CompileFlags): Promise<Outcome> {
  const arches = [...new Set(flags.arch.map((arch) => resolveOptions({ arch }).arch))];
  const { paths, unmatched } = findInputs(words);
  const outputs = planOutputs(paths, arches, flags.out);
  const compiler = new PtxCompiler(optionsOf(flags, arches[0]!));
  const isWatched = process.stderr.isTTY === true && flags.json === undefined && flags.quiet === undefined;
  const watched = isWatched ? showProgress(compiler, outputs.length) : undefined;
  let made: Made[];
  try {
    made = await compileOutputs(compiler, outputs);
  } finally {
    await compiler.disposeAsync();
    await watched;
  }
  const unfound = unmatched.map((pattern) => problemOf(noMatch(pattern), pattern));
  return {
    ok: unfound.length === 0 && made.every(({ state }) => state !== "failed"),
    help: [...unfound, ...made.flatMap((each) => (each.state === "failed" ? [each.problem] : []))][0]?.help,
    json: () => resultJson(compiler, made, unfound),
    complaints: (colors) => complaintsText(made, unfound, colors),
    text: (colors) => resultText(made, flags, colors),
  };
}

function optionsOf(flags: CompileFlags, arch: string): PtxCompilerOptions {
  const { asciiComments, backend, workers, timeout: timeoutMs, memoryLimitBytes, cache } = flags;
  const code = Object.keys(CODE_OPTIONS).map((name) => [name, flags[name as keyof CodeOptions]]);
  const given = { ...Object.fromEntries(code), asciiComments, backend, workers, timeoutMs, memoryLimitBytes };
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(known), arch, cache };
}

/** Compiles files while others are still being read, and writes each cubin as soon as it is ready. */
async function compileOutputs(compiler: PtxCompiler, outputs: readonly Output[]): Promise<Made[]> {
  const made = new Map<Output, Made>();
  const started: Output[] = [];
  async function* jobs(): AsyncGenerator<TextJob> {
    let read: { readonly input: string; readonly ptx: TextJob["ptx"] | Problem } | undefined;
    for (const output of outputs) {
      const { input, arch } = output;
      if (read?.input !== input) {
        read = {
          input,
          ptx: await readPtx(input).catch((error: unknown) => problemOf(error, input)),
        };
      }
      const { ptx } = read;
      if (isProblem(ptx)) made.set(output, { ...output, state: "failed", problem: ptx });
      else {
        started.push(output);
        yield { ptx, arch };
      }
    }
  }
  for await (const result of compiler.stream(jobs())) {
    const output = started[result.index]!;
    made.set(output, deliver(output, result));
  }
  return outputs.map((output) => made.get(output)!);
}

const isProblem = (ptx: TextJob["ptx"] | Problem): ptx is Problem =>
  typeof ptx === "object" && "message" in ptx && !("template" in ptx);

/** Reads PTX, or a filled kernel as JSON. @throws FileError */
async function readPtx(input: string): Promise<TextJob["ptx"]> {
  const bytes = await readInput(input, "*.ptx");
  return filledKernelOf(input, bytes) ?? bytes;
}

function deliver(output: Output, result: JobResult): Made {
  try {
    if (!result.ok) throw result.error;
    const { cubin, info } = result;
    const { from, kernels, milliseconds, warnings } = info;
    const report = { bytes: cubin.length, from, milliseconds, kernels, warnings };
    if (output.output === STANDARD) return { ...output, state: "printed", report, cubin };
    return { ...output, state: writeWhole(output.output, cubin) ? "written" : "unchanged", report };
  } catch (error) {
    return { ...output, state: "failed", problem: problemOf(error, output.input) };
  }
}

function complaintsText(made: readonly Made[], unfound: readonly Problem[], colors: Colors): string {
  const told = new Set<Problem>(unfound);
  const texts = unfound.map((problem) => problemText(problem, colors));
  for (const each of made) {
    if (each.state !== "failed") {
      for (const warning of each.report.warnings) {
        const file = colors.bold(printable(shownName(each.input)));
        texts.push(`${file}: ${colors.yellow("warning")}: ${printable(warning)}\n`);
      }
    } else if (!told.has(each.problem)) {
      // A file that cannot be read is reported once, not for each architecture.
      told.add(each.problem);
      texts.push(problemText(each.problem, colors));
    }
  }
  return texts.join("");
}

function resultText(
  made: readonly Made[],
  { info, quiet }: CompileFlags,
  colors: Colors,
): string | Uint8Array {
  const printed = made.find(({ state }) => state === "printed");
  if (printed?.state === "printed") return printed.cubin;
  const lines = made.map(({ state, output }) => {
    if (state === "failed" || quiet) return "";
    return `${state === "written" ? colors.green(state) : colors.dim(state)} ${printable(output)}\n`;
  });
  return lines.join("") + (info ? kernelTable(made, colors) : "");
}

const INFO_HEAD = [
  "file",
  "arch",
  "kernel",
  "registers",
  "spill stores",
  "spill loads",
  "stack",
  "shared",
  "constant",
  "barriers",
];

function kernelTable(made: readonly Made[], colors: Colors): string {
  const rows = made.flatMap((each) => {
    if (each.state === "failed") return [];
    return each.report.kernels.map((kernel) => [
      shownName(each.input),
      each.arch,
      kernel.name,
      kernel.registers,
      kernel.spillStores,
      kernel.spillLoads,
      kernel.stackFrame,
      kernel.sharedBytes,
      kernel.constantBytes,
      kernel.barriers,
    ]);
  });
  return rows.length === 0 ? "" : table(INFO_HEAD, rows, colors);
}

function resultJson(compiler: PtxCompiler, made: readonly Made[], unfound: readonly Problem[]): object {
  return {
    ok: unfound.length === 0 && made.every(({ state }) => state !== "failed"),
    backend: compiler.backend,
    version: compiler.version,
    cubins: made.map((each) => {
      const { input, arch, output, state } = each;
      const place = { input, arch, output, state };
      if (each.state === "failed") return { ...place, problem: each.problem };
      const content = each.state === "printed" ? { cubin: Buffer.from(each.cubin).toString("base64") } : {};
      return { ...place, ...each.report, ...content };
    }),
    problems: unfound,
  };
}
