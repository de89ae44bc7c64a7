// Runs a built command line in a temporary folder.

import { type ChildProcess, execFile, execFileSync, fork, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runResident } from "./resident.js";
import { ROOT } from "./workspace.js";

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** The contents of stdin. */
  readonly input?: string | Uint8Array;
  /** The encoding of stdout, UTF-8 by default. */
  readonly encoding?: BufferEncoding;
}

/** A program, and a temporary folder that it runs in. */
export class ProgramFolder {
  readonly folder = mkdtempSync(join(tmpdir(), "mm-ptx-command-"));
  /** The built program. */
  readonly main: string;
  #installed: ChildProcess | undefined;

  /** @param main relative to the root of the workspace */
  constructor(main: string) {
    this.main = join(ROOT, main);
  }

  /** What every command line finds in its environment. */
  protected variables(): NodeJS.ProcessEnv {
    return {};
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  modified(name: string): Date {
    return statSync(this.path(name)).mtime;
  }

  /**
   * Runs a command line in the folder, without a terminal. All command lines of a program share a process, as long as they
   * have the same variables: programs and native libraries may read those once.
   */
  async run(words: readonly string[], env: NodeJS.ProcessEnv = {}, options: RunOptions = {}): Promise<Ended> {
    if (Object.keys(env).length > 0) return this.runAlone(words, env, options);
    const { input = "", encoding = "utf8" } = options;
    const line = { main: this.main, words, folder: this.folder, env: this.environment({}), input };
    const { code, stdout, stderr } = await runResident(line);
    return { code, stdout: Buffer.from(stdout).toString(encoding), stderr: Buffer.from(stderr).toString() };
  }

  /** The same in a process of its own. */
  runAlone(words: readonly string[], env: NodeJS.ProcessEnv = {}, options: RunOptions = {}): Promise<Ended> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [this.main, ...words],
        { cwd: this.folder, env: this.environment(env), encoding: options.encoding ?? "utf8" },
        (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
      child.stdin?.end(options.input ?? "");
    });
  }

  /** Starts a command line in the folder, which the caller has to end. */
  start(words: readonly string[]): ChildProcess {
    return spawn(process.execPath, [this.main, ...words], { cwd: this.folder, env: this.environment({}) });
  }

  /**
   * Writes a command for shells and build tools that runs the program in a process that this folder keeps, and that loads a
   * user's module only once.
   *
   * @param path where the command goes in the folder
   */
  install(path: string): void {
    const calls = this.path(".calls");
    mkdirSync(calls);
    const pipe = join(calls, "pipe");
    execFileSync("mkfifo", [pipe]);
    this.#installed = fork(join(ROOT, "tests/support/resident-process.mjs"), [pipe, this.main], {
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.write(
      path,
      `#!/bin/sh
call=$(mktemp -d '${calls}/XXXXXX')
printf '%s\\0' "$PWD" "$@" >"$call/words"
env -0 >"$call/env"
cat >"$call/input"
mkfifo "$call/answered"
if ! timeout 60 sh -c 'echo "$0" >"$1"; cat "$0/answered"' "$call" '${pipe}' >/dev/null; then
  echo "expected an answer of the process that runs ${this.main}, found none" >&2
  exit 70
fi
. "$call/answer"
`,
    );
    chmodSync(this.path(path), 0o755);
  }

  remove(): void {
    this.#installed?.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** This process's environment, without variables that request colours. */
  environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = process.env;
    return { ...inherited, ...this.variables(), ...more };
  }
}
