// Runs a CUDA program on the emulator: the program loads the emulator's CUDA runtime, which talks to this process.
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { EmulatorError } from "../error.js";
import { type Executable, fileOf, readExecutable, refuseOwnRuntime } from "./executable.js";
import { gpuLibraryOf, refuseMissing } from "./gpu-libraries.js";
import { libraryFolder } from "./library.js";
import { ProgramServer } from "./server.js";
import type { SessionOptions } from "./session.js";

export interface ProgramOptions extends SessionOptions {
  /**
   * What happens to the program's output: `inherit` passes it on, `stderr` passes all of it to standard error, and
   * `pipe` returns it.
   */
  readonly output: "inherit" | "stderr" | "pipe";
  /** The folder that the program runs in. */
  readonly folder?: string | undefined;
}

export interface ProgramOutcome {
  /** The exit code of the program; 128 plus the number of the signal if a signal ended it. */
  readonly exitCode: number;
  /** The signal that has ended the program; undefined if it has ended by itself. */
  readonly signal: NodeJS.Signals | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program until it ends.
 * @throws EmulatorError NOT_FOUND if there is no such program, UNSUPPORTED if it needs a library that is not installed,
 * INVALID_ARGUMENT if it can't be started
 */
export async function runProgram(
  program: string,
  words: readonly string[],
  options: ProgramOptions,
): Promise<ProgramOutcome> {
  const file = fileOf(program);
  const executable = readExecutable(file);
  if (executable !== undefined) refuseOwnRuntime(program, executable);
  const env = environmentOf(executable);
  const needed = executable && gpuLibraryOf(executable);
  if (needed !== undefined) refuseMissing(program, { file, loader: executable?.loader }, needed, env);
  const server = await ProgramServer.listen(options);
  try {
    const { output } = options;
    const child = spawn(file, words, {
      stdio: output === "stderr" ? ["inherit", 2, 2] : ["inherit", output, output],
      argv0: program,
      cwd: options.folder,
      env: { ...env, MM_PTX_EMULATE_SOCKET: server.path },
    });
    const outcome = await outcomeOf(child, program);
    const { signal } = outcome;
    if (signal !== undefined && !QUIET.has(signal))
      options.complain(
        `expected \`${program}\` to end by itself, found that ${signalWords(signal)} ended it`,
      );
    if (needed !== undefined && outcome.exitCode !== 0)
      options.complain(
        `expected a program that needs only the CUDA runtime, found \`${program}\` with exit code ${outcome.exitCode}, which is linked with ${needed.library}, ${needed.reason}`,
      );
    return outcome;
  } finally {
    await server.close();
  }
}

/** Signals that a shell does not mention either. */
const QUIET: ReadonlySet<NodeJS.Signals> = new Set(["SIGINT", "SIGPIPE"]);

const REASONS: Partial<Record<NodeJS.Signals, string>> = {
  SIGABRT: "an abort, such as a failed assertion",
  SIGBUS: "an access to memory that the program does not have",
  SIGFPE: "such as an integer division by 0",
  SIGKILL: "such as for lack of memory",
  SIGSEGV: "an access to memory that the program does not have",
};

/** `SIGSEGV (an access to memory that the program does not have)` */
function signalWords(signal: NodeJS.Signals): string {
  const reason = REASONS[signal];
  return reason === undefined ? signal : `${signal} (${reason})`;
}

/** The environment in which a program finds the emulator's CUDA runtime. */
function environmentOf(executable: Executable | undefined): NodeJS.ProcessEnv {
  const { env } = process;
  const folder = libraryFolder();
  const before = env.LD_LIBRARY_PATH;
  const own = executable?.libraries.find((library) => library.startsWith("libcudart.so"));
  // The folders that an old linker has put into a program come before LD_LIBRARY_PATH.
  const preload = executable?.hasOldPath === true && own !== undefined ? [join(folder, own)] : [];
  return {
    ...env,
    LD_LIBRARY_PATH: before ? `${folder}${delimiter}${before}` : folder,
    ...(preload.length === 0 ? {} : { LD_PRELOAD: [...preload, env.LD_PRELOAD ?? ""].join(" ").trim() }),
  };
}

async function outcomeOf(child: ChildProcess, program: string): Promise<ProgramOutcome> {
  const stop = () => child.kill("SIGKILL");
  process.on("exit", stop);
  const parts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      parts[name] += text;
    });
  }
  try {
    const outcome = await new Promise<Pick<ProgramOutcome, "exitCode" | "signal">>((resolve, reject) => {
      child.on("error", ({ message }) =>
        reject(
          new EmulatorError(
            "INVALID_ARGUMENT",
            `expected a program that can be started, found \`${program}\`: ${message}`,
          ),
        ),
      );
      child.on("close", (code, signal) =>
        resolve({
          exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
          signal: signal ?? undefined,
        }),
      );
    });
    return { ...outcome, ...parts };
  } finally {
    process.off("exit", stop);
  }
}
