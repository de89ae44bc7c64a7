// Archives, and the loop of a search over vectors without evaluation, beside pyribs: CPU time of one thread.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runPython } from "./lib/python.mjs";

const SCRIPT = fileURLToPath(new URL("lib/archiving.mjs", import.meta.url));
const CANDIDATES = 1_000_000;
const CELLS = 10_000;

/** @param {(string | number)[]} args */
const measured = (...args) =>
  JSON.parse(execFileSync(process.execPath, [SCRIPT, ...args.map(String)], { encoding: "utf8" }));

/** What pyribs takes, if it can be installed. */
const theirs = (...args) => runPython("pyribs.py", args);

const row = (name, ours, bar, unit) => ({
  name,
  ours,
  yardstick: bar,
  ratio: ours / bar,
  budget: 1,
  unit,
  pass: ours <= bar,
  hard: true,
});

const other = (name, figure, unit) => (figure === undefined ? [] : [{ name, ours: figure, unit }]);

export async function run() {
  const grid = measured("grid", CANDIDATES);
  const gridTheirs = theirs("grid", CANDIDATES);
  const cvt = measured("cvt", CELLS, CANDIDATES);
  const cvtTheirs = theirs("cvt", CELLS, CANDIDATES);
  const loops = [100, 540].map((batch) => {
    const { microseconds } = measured("loop", 20, batch, 270_000);
    const anchor = theirs("loop", 20, batch, 54_000);
    const name = `loop over vectors of 20 numbers, batches of ${batch}, iso+line, without evaluation, a candidate`;
    return [
      row(`${name} (yardstick: 1 us)`, microseconds, 1, "us"),
      ...other(`${name}: pyribs`, anchor?.microseconds, "us"),
    ];
  });
  const speed = (1 / grid.microseconds).toFixed(1);
  return [
    row(
      `grid of 10^6 cells, one batch of 10^6: ${speed} M/s (yardstick: 10 M/s)`,
      grid.microseconds,
      0.1,
      "us",
    ),
    ...other("grid of 10^6 cells, one batch of 10^6: pyribs", gridTheirs?.microseconds, "us"),
    row("CVT archive of 10,000 cells is made (yardstick: 1 s)", 1000 * cvt.seconds, 1000, "ms"),
    ...other("CVT archive of 1,000 cells is made: pyribs", cvtTheirs && 1000 * cvtTheirs.seconds, "ms"),
    row("CVT archive of 10,000 cells, a candidate (yardstick: 1 M/s)", cvt.microseconds, 1, "us"),
    ...other("CVT archive of 10,000 cells, a candidate: pyribs", cvtTheirs?.microseconds, "us"),
    ...loops.flat(),
  ];
}
