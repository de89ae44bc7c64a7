// Shows the progress of a run: one line on a terminal that is redrawn and finally erased, or a line each second.
import type { KernelPipeline } from "../pipeline.js";
import type { PipelineProgress } from "../progress/events.js";
import { counted, grouped, significant, time } from "../report/figures.js";
import { colorsOf } from "./framework.js";

const CLEAR_LINE = "\r\x1b[2K";

/** Shows the progress until the signal is aborted. */
export async function showProgress(
  pipeline: KernelPipeline,
  { signal, asLines }: { readonly signal: AbortSignal; readonly asLines: boolean },
): Promise<void> {
  const { stderr, env } = process;
  const { dim } = colorsOf(stderr, env);
  const isRedrawn = stderr.isTTY && !asLines;
  for await (const event of pipeline.progress({ intervalMs: isRedrawn ? 100 : 1000, signal })) {
    const line = dim(words(event));
    stderr.write(isRedrawn ? `${CLEAR_LINE}${line}` : `${line}\n`);
  }
  if (isRedrawn) stderr.write(CLEAR_LINE);
}

function words({
  done,
  failed,
  screened,
  duplicates,
  stored,
  perSecond,
  packSize,
  secondsLeft,
}: PipelineProgress): string {
  return [
    counted(done + failed + screened, "program"),
    ...(failed === 0 ? [] : [`${grouped(failed)} failed`]),
    ...(screened === 0 ? [] : [`${grouped(screened)} screened`]),
    ...(duplicates === 0 ? [] : [`${grouped(duplicates)} equal to others`]),
    ...(stored === 0 ? [] : [`${grouped(stored)} from the store`]),
    `${significant(perSecond)}/s`,
    `packs of ${grouped(packSize)}`,
    ...(secondsLeft === undefined ? [] : [`${time(secondsLeft * 1000)} left`]),
  ].join(", ");
}
