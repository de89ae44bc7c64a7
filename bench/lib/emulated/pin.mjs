// Gives the busiest threads of this process a processor each. Some machines run two threads that were woken together on one
// processor for many milliseconds, which says nothing about what the threads could do.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

const TASKS = "/proc/self/task";

/** Ticks of the processors that each thread has had, by its id. */
function ticks() {
  return new Map(
    readdirSync(TASKS).map((id) => {
      const stat = readFileSync(`${TASKS}/${id}/stat`, "utf8");
      // Behind the name, which may hold anything: the 12th and 13th are its time in user mode and in the kernel.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [Number(id), Number(fields[11]) + Number(fields[12])];
    }),
  );
}

/**
 * Pins the threads that work keeps busy, without the main one. Does nothing where there is no /proc or no `taskset`.
 *
 * @param {() => Promise<unknown>} work
 * @param {number} count of threads
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
      // Without it the figures are those of the system's scheduler.
    }
  });
}
