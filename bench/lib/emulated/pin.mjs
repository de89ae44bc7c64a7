// Pins each of the busiest threads of this process to a processor. Some schedulers run two threads that were
// woken together on one processor for many milliseconds, which would distort the figures.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

const TASKS = "/proc/self/task";

/** The CPU time of each thread in ticks, by thread id. */
function ticks() {
  return new Map(
    readdirSync(TASKS).map((id) => {
      const stat = readFileSync(`${TASKS}/${id}/stat`, "utf8");
      // Fields after the name, which may contain any character; the 12th and 13th are user and system time.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [Number(id), Number(fields[11]) + Number(fields[12])];
    }),
  );
}

/**
 * Pins the threads that `work` keeps busy, except for the main thread. Does nothing without /proc or
 * `taskset`.
 *
 * @param {() => Promise<unknown>} work
 * @param {number} count the number of threads
 */
export async function pinBusiest(work, count) {
  if (!existsSync(TASKS)) return;
  const before = ticks();
  await work();
  const spent = [...ticks()].map(([id, now]) => ({ id, time: now - (before.get(id) ?? 0) }));
  const busiest = spent.filter(({ id }) => id !== process.pid).sort((a, b) => b.time - a.time);
  busiest.slice(0, count).forEach(({ id }, processor) => {
    try {
      execFileSync("taskset", ["-cp", String(processor), String(id)], { stdio: "ignore" });
    } catch {
      // Without `taskset`, the figures depend on the system's scheduler.
    }
  });
}
