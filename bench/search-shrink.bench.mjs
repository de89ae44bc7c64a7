// Shrinks the 25 problems of Hacker's Delight: with the core set of instructions, from longer programs to the known length or less, and
// with all of PTX, from what the core set gave. Each finished problem is stored; the named benchmark goes on with the others:
//   npm run bench -- search-shrink
// SHRINK_SECONDS is the time for each problem (60), SHRINK_ONLY a list of names. In the end, programs of one operand are compared with the
// reference on all 2^32 inputs, which SHRINK_EXHAUSTIVE=0 leaves out; others are compared on 2^20 random rows when they are found.

import { comparePrograms, shrink } from "@mm-ptx/search";
import { all, checkPoints, codeOf, columnsOf, core, linesOf, problems } from "./lib/shrink-problems.mjs";
import { isNamed, stored } from "./lib/stored.mjs";

const NAME = "search-shrink";
const SECONDS = Number(process.env.SHRINK_SECONDS ?? 60);
const ONLY = process.env.SHRINK_ONLY?.split(",");
const EXHAUSTIVE = process.env.SHRINK_EXHAUSTIVE !== "0";
/** How many problems have to reach the known length with the core set, and be shorter with all of PTX. */
const CORE_BUDGET = 22;
const PTX_BUDGET = 8;

async function shrunk(problem, set, start) {
  const code = codeOf(problem, start);
  await checkPoints(problem, code);
  const columns = columnsOf(problem);
  const began = performance.now();
  let seconds = 0;
  const found = await shrink(code, {
    instructions: [...new Set([...(set === "core" ? core : all), ...(problem.instructions ?? [])])],
    ...(problem.constants && { constants: problem.constants }),
    ...(columns && { columns }),
    seconds: SECONDS,
    exhaustive: false,
    progress: () => {
      seconds = (performance.now() - began) / 1000;
    },
  });
  await checkPoints(problem, found.code);
  const { length, before, equality, excluded } = found;
  return {
    length,
    before,
    excluded,
    equality,
    seconds,
    limit: SECONDS,
    program: linesOf(problem, found.code),
  };
}

/** Compares the programs of a problem with its reference on all inputs, if there is only one operand. */
async function compareAll(problem, results) {
  if (problem.inputs.length > 1 || (ONLY !== undefined && !ONLY.includes(problem.name))) return;
  for (const set of ["core", "ptx"]) {
    const found = results.get(`${set}/${problem.name}`);
    const key = `all/${problem.name}/${found?.program.join("; ")}`;
    if (found === undefined || results.get(key) !== undefined) continue;
    const equality = await comparePrograms(
      codeOf(problem, problem.reference),
      codeOf(problem, found.program),
    );
    if ("difference" in equality) throw new Error(`${key}: differs for ${equality.difference}`);
    results.put(key, equality);
    console.error(`${set}/${problem.name}: equal on ${equality.kind}`);
  }
}

const said = ({ kind, rows }) => (rows === undefined ? kind : `${kind} ${rows}`);

export async function run() {
  const results = stored(NAME);
  if (isNamed(NAME)) {
    for (const set of ["core", "ptx"]) {
      for (const problem of problems) {
        const key = `${set}/${problem.name}`;
        if (results.get(key) !== undefined || (ONLY !== undefined && !ONLY.includes(problem.name))) continue;
        await checkPoints(problem, codeOf(problem, problem.reference));
        const start = set === "core" ? problem.start : results.get(`core/${problem.name}`)?.program;
        if (start === undefined) continue;
        results.put(key, await shrunk(problem, set, start));
        const { length, seconds } = results.get(key);
        console.error(`${key}: known ${problem.length}, found ${length} after ${seconds.toFixed(1)} s`);
      }
    }
  }
  if (isNamed(NAME) && EXHAUSTIVE) {
    for (const problem of problems) await compareAll(problem, results);
  }
  const withAll = (result, problem) => {
    if (result === undefined) return undefined;
    const equality = results.get(`all/${problem.name}/${result.program.join("; ")}`);
    return equality === undefined ? result : { ...result, equality };
  };
  const rows = problems.map((problem) => ({
    problem,
    core: withAll(results.get(`core/${problem.name}`), problem),
    ptx: withAll(results.get(`ptx/${problem.name}`), problem),
  }));
  for (const { problem, core: one, ptx } of rows) {
    if (one === undefined) continue;
    const others =
      ptx === undefined
        ? ""
        : `, all of PTX ${ptx.length} (${said(ptx.equality)}): ${ptx.program.join("; ")}`;
    console.error(
      `${problem.name} ${problem.statement}: known ${problem.length}, start ${one.before}, core ${one.length} ` +
        `in ${one.seconds.toFixed(1)} s (${said(one.equality)}): ${one.program.join("; ")}${others}`,
    );
  }
  const done = rows.filter((row) => row.core !== undefined);
  const reached = done.filter(({ problem, core: one }) => one.length <= problem.length).length;
  const tried = rows.filter((row) => row.ptx !== undefined);
  const longer = tried.filter(({ problem, ptx }) => ptx.length > problem.length).length;
  const shorter = tried.filter(({ problem, ptx }) => ptx.length < problem.length).length;
  return [
    {
      name: `shrink, Hacker's Delight: problems of ${done.length} at the known length with the core set`,
      ours: reached,
      yardstick: problems.length,
      ratio: reached / problems.length,
      budget: CORE_BUDGET,
      pass: done.length < problems.length ? undefined : reached >= CORE_BUDGET,
      hard: false,
    },
    {
      name: `the same with all of PTX: problems of ${tried.length} shorter than known (${longer} longer)`,
      ours: shorter,
      yardstick: problems.length,
      ratio: shorter / problems.length,
      budget: PTX_BUDGET,
      pass: tried.length < problems.length ? undefined : shorter >= PTX_BUDGET && longer === 0,
      hard: false,
    },
  ];
}
