// Recovers published formulas from their points.
import { Regression } from "../regress/regression.js";
import { functions, isEqualFormula, type PublishedProblem, rowsOf } from "./problems.js";

/** What became of one run. */
export interface Recovery {
  readonly isRecovered: boolean;
  /** The formula that was found, and its loss, 1 - R². */
  readonly formula: string | undefined;
  readonly loss: number | undefined;
  readonly evaluations: number;
  /** CPU time of the process. */
  readonly seconds: number;
}

/** The budget of the published figures. */
export const MOST_EVALUATIONS = 2_000_000;
/** A run ends when 1 - R² is below this. With constants, other formulas come near, and f32 has not much more. */
const EXACT = { formula: 1e-12, constants: 1e-13 };
/** Of formulas whose loss is at most this much greater than the least one, the simplest is taken. */
const SAME = 4;

/**
 * One run: draws the rows, searches on one thread, and compares what was found with the formula of the problem.
 * @throws the reason of the signal
 */
export async function recover(
  problem: PublishedProblem,
  seed: number,
  signal?: AbortSignal,
): Promise<Recovery> {
  const { names, columns, target } = rowsOf(problem, seed);
  const allowed = functions[problem.functions]!;
  const hasConstants = allowed.includes("constant");
  const exact = hasConstants ? EXACT.constants : EXACT.formula;
  const began = process.cpuUsage();
  const regression = new Regression({
    inputs: names,
    columns,
    target,
    functions: allowed.filter((name) => name !== "constant"),
    ...(!hasConstants && { constants: false }),
    constraints: { nesting: [{ outer: ["sin", "cos"], inner: ["sin", "cos"] }] },
    heldOut: 0,
    seed,
  });
  const { search } = regression;
  const limits = { evaluations: MOST_EVALUATIONS, target: -exact, ...(signal && { signal }) };
  for await (const event of search.run(limits)) void event;
  signal?.throwIfAborted();
  const front = await regression.front();
  const most = Math.max(exact, SAME * (front.at(-1)?.loss ?? 0));
  const found = front.find(({ loss }) => loss <= most);
  const { user, system } = process.cpuUsage(began);
  return {
    isRecovered: found !== undefined && isEqualFormula(problem, found.formula, seed),
    formula: found?.formula,
    loss: found?.loss,
    evaluations: search.evaluations,
    seconds: (user + system) / 1e6,
  };
}
