// A process that has loaded a built program and runs its command lines one after another.

import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./workspace.js";

/** A command line: the program, the folder and the environment that it runs in, and the contents of stdin. */
export interface Line {
  readonly main: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string | Uint8Array;
}

/** What a command line printed, and its exit code. */
interface Printed {
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

const residents = new Map<string, Resident>();

/** Runs a command line in the process that this one keeps for its program. */
export function runResident(line: Line): Promise<Printed> {
  let resident = residents.get(line.main);
  if (resident === undefined) {
    resident = new Resident();
    residents.set(line.main, resident);
  }
  return resident.run(line);
}

class Resident {
  #child: ChildProcess | undefined;
  /** What the process itself wrote to stderr, such as why it ended. */
  #errors = "";
  /** The end of the last command line. */
  #last: Promise<unknown> = Promise.resolve();

  run(line: Line): Promise<Printed> {
    const ended = this.#last.then(() => this.#runNow(line));
    this.#last = ended.catch(() => {});
    return ended;
  }

  #runNow(line: Line): Promise<Printed> {
    const child = this.#child ?? this.#start();
    return new Promise((resolve, reject) => {
      const end = () => {
        child.off("message", settle).off("exit", fail);
      };
      const settle = (printed: unknown) => {
        end();
        resolve(printed as Printed);
      };
      const fail = () => {
        end();
        this.#child = undefined;
        reject(new Error(`expected \`${line.words.join(" ")}\` to end, found a crash: ${this.#errors}`));
      };
      child.once("message", settle).once("exit", fail);
      child.send(line);
    });
  }

  /** Starts the process, which ends with this one. */
  #start(): ChildProcess {
    const child = fork(join(ROOT, "tests/support/resident-process.mjs"), {
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#errors = "";
    child.stderr!.setEncoding("utf8").on("data", (text) => {
      this.#errors += text;
    });
    child.unref();
    child.channel?.unref();
    (child.stderr as unknown as { unref(): void }).unref();
    this.#child = child;
    return child;
  }
}
