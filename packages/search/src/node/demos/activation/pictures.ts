// Pictures of what the demo found: maps of errors, the front, and the outputs and errors of the chosen program.
import { evaluateBatch } from "@mm-ptx/columns";
import type { ArchiveRows } from "../../../archives/archive.js";
import type { PictureAxis } from "../../../pictures/axes.js";
import { archiveHeatmap } from "../../../pictures/heat-map.js";
import { eliteOutputs } from "../../../pictures/outputs.js";
import { paretoFront } from "../../../pictures/pareto.js";
import type { ActivationResult } from "./demo.js";
import { MOST_INSTRUCTIONS, MOST_SPECIAL } from "./evolution.js";
import { ExactProgram } from "./judge.js";
import type { JudgedProgram } from "./judged.js";

const AXES: readonly PictureAxis[] = [
  { name: "machine instructions", kind: "integer", from: 0, to: MOST_INSTRUCTIONS, width: 1 },
  { name: "special", kind: "integer", from: 0, to: MOST_SPECIAL, width: 1 },
];
/** The points of curves. */
const POINTS = 801;
const DISTURBANCES = 64;
/** Errors beyond have the colours of the ends. */
const LEAST_SHOWN = 1e-5;
const MOST_SHOWN = 1;

/** SVG texts by the names of their files. */
export async function activationPictures(result: ActivationResult): Promise<Record<string, string>> {
  const { target, cells, known, counted } = result;
  const how = "tools" in counted ? "" : ", counted by the cost model";
  const rows = rowsOf(cells);
  const texts = cells.map(({ formula }) => `y = ${formula}`);
  const marks = known.map(({ label, instructions, special, error }) => ({
    label,
    measures: [instructions, special],
    value: error,
  }));
  const permittedMarks = known.map(({ permitted }, index) => ({ ...marks[index]!, value: permitted }));
  const shown = { scale: "log", better: "less", range: [LEAST_SHOWN, MOST_SHOWN] } as const;
  const map = archiveHeatmap(rows, AXES, {
    title: `${target.title}: the largest error with exact functions${how}`,
    value: { ...shown, field: "error", name: "largest error" },
    marks,
    texts,
  });
  const permitted = archiveHeatmap(rows, AXES, {
    title: `${target.title}: the largest error seen within what PTX permits${how}`,
    value: { ...shown, field: "permitted", name: "permitted error" },
    marks: permittedMarks,
    texts,
  });
  const front = paretoFront(rows, {
    title: `${target.title}: errors by machine instructions${how}`,
    cost: { measure: 0, name: "machine instructions" },
    value: { field: "error", name: "largest error", scale: "log", better: "less" },
    texts: cells.map(({ formula }) => formula),
    marks: known.map(({ label, instructions, error }) => ({ label, cost: instructions, value: error })),
  });
  const outputs = await outputsPicture(result);
  return {
    "map.svg": map,
    "permitted.svg": permitted,
    "front.svg": front,
    ...(outputs !== undefined && { "outputs.svg": outputs }),
  };
}

/** The judged programs as rows of an archive. */
function rowsOf(programs: readonly JudgedProgram[]): ArchiveRows {
  const count = programs.length;
  const column = (of: (program: JudgedProgram) => number): Float64Array => Float64Array.from(programs, of);
  const offsets = new Uint32Array(count + 1);
  for (const [index, { genome }] of programs.entries()) offsets[index + 1] = offsets[index]! + genome.length;
  return {
    count,
    cell: Int32Array.from(
      programs,
      ({ instructions, special }) => instructions * (MOST_SPECIAL + 1) + special,
    ),
    objective: column(({ error }) => -error),
    measures: Float64Array.from(programs.flatMap(({ instructions, special }) => [instructions, special])),
    serial: Float64Array.from(programs, (_, index) => index),
    genomes: { words: Uint32Array.from(programs.flatMap(({ genome }) => [...genome])), offsets },
    fields: { error: column(({ error }) => error), permitted: column(({ permitted }) => permitted) },
  };
}

/** The output of the kernel with the chosen program and with known ones, and what PTX permits the first. */
async function outputsPicture({ target, chosen, known }: ActivationResult): Promise<string | undefined> {
  if (chosen === undefined) return undefined;
  const { range, exact, slope } = target;
  const x = Float32Array.from({ length: POINTS }, (_, row) => range * ((2 * row) / (POINTS - 1) - 1));
  const wanted = Float64Array.from(x, exact);
  const slopes = Float64Array.from(x, slope);
  // All kernels add to an output a multiple of what is added to y.
  const base = Float64Array.from(x, (each, row) => outputOf(target.output, each, wanted[row]!));
  const outputOfY = (y: ArrayLike<number>): Float64Array =>
    base.map((each, row) => each + slopes[row]! * (y[row]! - wanted[row]!));
  const exactly = ({ code }: JudgedProgram): Float64Array =>
    outputOfY(new ExactProgram(code).run(Float64Array.from(x)));
  const [low, high] = [base.map(() => Number.POSITIVE_INFINITY), base.map(() => Number.NEGATIVE_INFINITY)];
  for (let seed = 0; seed < DISTURBANCES; seed++) {
    const { outputs } = await evaluateBatch(chosen.code, [x], { outputs: true, bounds: "ptx", seed });
    for (const [row, each] of outputOfY(outputs!.column(0) as Float32Array).entries()) {
      low[row] = Math.min(low[row]!, each);
      high[row] = Math.max(high[row]!, each);
    }
  }
  return eliteOutputs(
    {
      name: `evolved, ${chosen.instructions} instructions`,
      x,
      outputs: exactly(chosen),
      target: base,
      targetName: target.title,
      others: known
        .filter(({ error }) => error < 10 * known[0]!.error)
        .slice(0, 1)
        .map((program) => ({
          name: `${program.label}, ${program.instructions} instructions`,
          outputs: exactly(program),
        })),
      band: { name: "what PTX permits for the evolved one", low, high },
    },
    { title: `${target.title}: y = ${chosen.formula}` },
  );
}

/** What the kernel computes: see the targets. */
const outputOf = (output: string, x: number, y: number): number =>
  output === "y" ? y : output === "x y" ? x * y : 0.5 * x * (1 + y);
