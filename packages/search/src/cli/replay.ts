// `mm-ptx-search replay`: a run is computed again from its seed and compared with its log.
import { endWorkers } from "@mm-ptx/columns";
import { replayRun } from "../node/open.js";
import { counted } from "../pictures/drawing/words.js";
import { colorsOf, Interrupted, Interruption, interruptible, type Outcome, printable } from "./framework.js";
import { type RecordFlags, workersOf } from "./run.js";
import { Screen } from "./screen.js";
import { countedBatches } from "./status.js";
import { subjectOfRun } from "./subject.js";

export interface ReplayFlags extends RecordFlags {
  readonly check?: true;
  readonly config?: string;
}

const PAUSE = 100;

/** @throws FileError, FileProblem, Interruption, SearchError */
export async function replay(folder: string, flags: ReplayFlags): Promise<Outcome> {
  const { search } = await subjectOfRun(folder, workersOf(flags), flags);
  const check = flags.check === true;
  const { stderr, env } = process;
  const screen = stderr.isTTY && flags.quiet !== true ? new Screen(stderr) : undefined;
  const { dim } = colorsOf(stderr, env);
  let next = 0;
  try {
    const { batches, hash, divergence } = await interruptible(async (signal) => {
      try {
        return await replayRun(folder, search, {
          ...{ check, signal },
          ...(flags.batches !== undefined && { batches: flags.batches }),
          onBatch: ({ batch, evaluations }) => {
            if (screen === undefined || performance.now() < next) return;
            next = performance.now() + PAUSE;
            screen.draw([`${countedBatches(batch + 1)}, ${counted(evaluations, "evaluation")}`], dim);
          },
        });
      } catch (error) {
        if (signal.reason instanceof Interrupted)
          throw new Interruption(
            signal.reason.exitCode,
            `interrupted after ${countedBatches(search.batches)}`,
          );
        throw error;
      }
    });
    const same = check ? ", equal to the log" : "";
    return {
      ok: divergence === undefined,
      json: () => ({
        ok: divergence === undefined,
        batches,
        evaluations: search.evaluations,
        hash,
        ...(divergence && { divergence }),
      }),
      complaints: ({ red }) =>
        divergence === undefined
          ? ""
          : `${printable(folder)}: ${red("error")}: batch ${divergence.batch} differs: \`${printable(divergence.path)}\` is ${printable(divergence.expected)} in the log, and ${printable(divergence.found)} now\n`,
      text: () =>
        divergence === undefined
          ? `${countedBatches(batches)} computed again${same}: ${counted(search.evaluations, "evaluation")}, hash ${hash}\n`
          : `${countedBatches(batches)} equal to the log\n`,
    };
  } finally {
    screen?.clear();
    endWorkers();
  }
}
