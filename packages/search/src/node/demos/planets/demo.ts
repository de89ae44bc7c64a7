// The demo of equations: how long planets take around the sun, from a table of their distances, masses and radii.
import { readFileSync } from "node:fs";
import { eliteOutputs } from "../../../pictures/outputs.js";
import { pickEquation } from "../../../regress/pick.js";
import { type Equation, Regression } from "../../../regress/regression.js";
import { columnOf, readTable } from "../../../regress/table.js";
import { formulaOf } from "../../../yardsticks/formulas.js";

/** What the demo is given. */
export interface PlanetsDemoOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly workers: number;
  readonly progress: (seconds: number, programs: number, elites: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** What the demo prints and writes. */
export interface PlanetsResult {
  readonly lines: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Mercury to Neptune: mass in 10^24 kg, mean radius in km and the time around the sun in years of 365.256 days (NASA's Planetary Fact Sheet);
 * semi-major axis in astronomical units (Standish and Williams, "Approximate positions of the planets", J2000).
 */
const TABLE = new URL("../../../../data/planets.csv", import.meta.url);
const INPUTS = ["mass", "radius", "distance"];
const TARGET = "period";
const FUNCTIONS = ["+", "-", "*", "/", "square", "sqrt"];
/** Longer equations of eight rows say nothing. */
const LONGEST = 9;
/** More do not find anything else. */
const MOST_EVALUATIONS = 40_000;
const PROGRESS_SECONDS = 1;

/** Finds the equation of the time around the sun. */
export async function planetsDemo(options: PlanetsDemoOptions): Promise<PlanetsResult> {
  const { seconds, seed, workers, progress, signal } = options;
  const text = readFileSync(TABLE, "utf8");
  const table = readTable(text);
  const columns = INPUTS.map((name) => columnOf(table, name));
  const target = columnOf(table, TARGET);
  const regression = new Regression({
    ...{ inputs: INPUTS, columns, target, functions: FUNCTIONS, maxLength: LONGEST, seed, workers },
    // In years and astronomical units, laws have no factors.
    scaling: false,
  });
  const limits = { seconds, evaluations: MOST_EVALUATIONS, ...(signal && { signal }) };
  let next = PROGRESS_SECONDS;
  for await (const event of regression.search.run(limits)) {
    if (event.type === "end" || event.seconds < next) continue;
    next = event.seconds + PROGRESS_SECONDS;
    progress(event.seconds, event.evaluations, event.elites);
  }
  const equations = await regression.front();
  const pick = pickEquation(equations);
  const picked = equations[pick];
  const lines = [
    `${table.rows} planets, Mercury to Neptune: mass (10^24 kg), radius (km), distance to the sun (astronomical units), ${TARGET} (years)`,
    `${regression.search.evaluations.toLocaleString("en")} equations compared, seed ${seed}`,
    "",
    "      complexity    1 - R²  equation",
    ...equations.map((equation, index) => lineOf(equation, index === pick)),
  ];
  if (picked === undefined)
    return { lines: [...lines, "no equation was found"], files: { "planets.csv": text } };
  const formula = formulaOf(picked.formula, INPUTS);
  const outputs = Float64Array.from(target, (_, row) => formula(columns.map((column) => column[row]!)));
  const distance = columns[INPUTS.indexOf("distance")]!;
  return {
    lines: [...lines, "", ...lawLines(picked, outputs, distance, target)],
    files: {
      "planets.csv": text,
      "planets.svg": eliteOutputs(
        {
          name: picked.formula,
          x: distance,
          outputs,
          target,
          inputName: "distance (astronomical units)",
          targetName: "period (years)",
        },
        { title: `The time around the sun: ${picked.formula}` },
      ),
    },
  };
}

const lineOf = ({ complexity, loss, formula }: Equation, isPicked: boolean): string =>
  `${isPicked ? ">>>>" : "    "}  ${String(complexity).padStart(10)}  ${loss.toExponential(1).padStart(8)}  ${formula}`;

/** Cubes of distances and squares of periods have the same ratio for all planets if they differ by less. */
const NEAR = 1.001;

/** What the squares and cubes say. */
function lawLines(
  { formula }: Equation,
  outputs: Float64Array,
  distance: Float64Array,
  period: Float64Array,
): string[] {
  const ratios = (years: Float64Array): { least: number; most: number; text: string } => {
    const all = years.map((each, row) => (each * each) / (distance[row]! * distance[row]! * distance[row]!));
    const [least, most] = [Math.min(...all), Math.max(...all)];
    return { least, most, text: `from ${least.toFixed(4)} to ${most.toFixed(4)}` };
  };
  const [measured, found] = [ratios(period), ratios(outputs)];
  return [
    `period = ${formula}`,
    `period^2 / distance^3: ${measured.text} for the planets, ${found.text} for the equation`,
    found.most <= NEAR * found.least
      ? "period^2 = distance^3: Kepler's third law, 1619."
      : "This is not Kepler's third law, period^2 = distance^3: another seed or more time may find it.",
  ];
}
