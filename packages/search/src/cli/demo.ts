// `mm-ptx-search demo`: a demo of what searches find.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { endWorkers } from "@mm-ptx/columns";
import { runDemo } from "../node/demos/demo.js";
import { colorsOf, Interrupted, Interruption, interruptible, type Outcome, printable } from "./framework.js";
import { watchKeys } from "./keys.js";
import { Screen } from "./screen.js";

export interface DemoFlags {
  readonly seconds?: number;
  readonly seed?: number;
  readonly workers?: number;
  readonly out?: string;
  readonly quiet?: true;
}

/** @throws FileError, Interruption, SearchError */
export async function demo(name: string, flags: DemoFlags): Promise<Outcome> {
  const { seconds, seed, workers = availableParallelism(), out = join("out", name), quiet } = flags;
  const { stderr, env } = process;
  const { dim } = colorsOf(stderr, env);
  const screen = stderr.isTTY ? new Screen(stderr) : undefined;
  const lines: string[] = [];
  const progress = (line: string): void => {
    if (quiet) return;
    if (screen === undefined) stderr.write(`${dim(printable(line))}\n`);
    else screen.draw([line], dim);
  };
  try {
    await interruptible(async (signal) => {
      const unwatch = watchKeys(() => process.emit("SIGINT"));
      try {
        await runDemo(name, {
          ...(seconds !== undefined && { seconds }),
          ...(seed !== undefined && { seed }),
          ...{ workers, out, signal, progress },
          print: (line) => lines.push(line),
        });
      } catch (error) {
        if (signal.reason instanceof Interrupted)
          throw new Interruption(signal.reason.exitCode, "interrupted");
        throw error;
      } finally {
        unwatch();
      }
    });
  } finally {
    screen?.clear();
    endWorkers();
  }
  return {
    ok: true,
    json: () => ({ ok: true, out, lines }),
    text: () => lines.map((line) => `${printable(line)}\n`).join(""),
  };
}
