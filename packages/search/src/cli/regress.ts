// `mm-ptx-search regress`: equations for a column of a table.
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { quoted } from "@mm-ptx/types/internal";
import { type Outcome, printable, UsageError } from "./framework.js";
import { limitsOf } from "./limits.js";
import { type RegressionSource, readColumnNames, regressionOf } from "./regression-source.js";
import { type RunFlags, start, workersOf } from "./run.js";
import { pathFrom } from "./subject.js";

export interface RegressFlags extends Omit<RunFlags, "out" | "target"> {
  readonly out?: string;
  readonly target?: string;
  readonly inputs?: readonly string[];
  readonly functions?: readonly string[];
  readonly maxLength?: number;
  readonly heldOut?: number;
  readonly dropMissing?: true;
}

/** Seconds, if no limit is given. */
const SECONDS = 60;

/** @throws UsageError, FileError, FileProblem, SearchError */
export async function regress(data: string, flags: RegressFlags): Promise<Outcome> {
  const { seed = 0, inputs, functions, maxLength, heldOut, dropMissing } = flags;
  const twice = inputs?.find((name, index) => inputs.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(`expected each column once after \`--inputs\`, found ${quoted(twice)} twice`);
  const target = flags.target ?? (await readColumnNames(data)).at(-1)!;
  const out = flags.out ?? newFolder(data, target);
  const source: RegressionSource = {
    ...{ kind: "regress", data: pathFrom(out, data), target, seed },
    ...(inputs && { inputs }),
    ...(functions && { functions }),
    ...(maxLength !== undefined && { maxLength }),
    ...(heldOut !== undefined && { heldOut }),
    ...(dropMissing && { missing: "drop" }),
  };
  const { regression, renamings, digest } = await regressionOf(source, data, workersOf(flags));
  const { notices, training, heldOut: unseen } = regression.data;
  if (!flags.quiet) {
    const rows = `${training.target.length} rows${unseen ? ` and ${unseen.target.length} held out` : ""}`;
    const lines = [...renamings, ...notices, `${target} of ${regression.data.inputs.join(", ")}: ${rows}`];
    process.stderr.write(lines.map((line) => `${printable(line)}\n`).join(""));
  }
  const { target: _, ...others } = flags;
  const limits = limitsOf(others);
  return start(
    { search: regression.search, regression, source: { ...source, digest } },
    { ...others, ...(Object.keys(limits).length === 0 && { seconds: SECONDS }), out },
  );
}

/** A folder beside the caller that does not exist yet. */
function newFolder(data: string, target: string): string {
  const stem = basename(data)
    .replace(/\.gz$/i, "")
    .replace(/\.\w+$/, "");
  const name = `${stem}-${target}`.replace(/[^\w.-]+/g, "_");
  for (let number = 1; ; number++) {
    const folder = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(folder)) return folder;
  }
}
