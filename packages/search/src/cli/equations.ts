// The equations of a regression as lines and as CSV.
import { grouped, significant } from "../pictures/drawing/words.js";
import { pickEquation } from "../regress/pick.js";
import type { Equation } from "../regress/regression.js";
import { columns } from "./framework.js";

/** The equations as lines, with `>>>>` at the one to pick. */
export function equationLines(equations: readonly Equation[]): string[] {
  const pick = pickEquation(equations);
  const hasHeldOut = equations.some(({ heldOut }) => heldOut !== undefined);
  const head = ["", "complexity", "1 - R²", ...(hasHeldOut ? ["held out"] : []), "equation"];
  const rows = equations.map(({ complexity, loss, heldOut, formula }, index) => [
    index === pick ? ">>>>" : "",
    grouped(complexity),
    significant(loss),
    ...(hasHeldOut ? [heldOut === undefined ? "" : significant(heldOut)] : []),
    formula,
  ]);
  return columns([head, ...rows], new Set([1, 2, ...(hasHeldOut ? [3] : [])]));
}

/** The equations as CSV. */
export function equationsCsv(equations: readonly Equation[]): string {
  const rows = equations.map(({ complexity, loss, heldOut, formula }) =>
    [complexity, loss, heldOut ?? "", `"${formula.replaceAll('"', '""')}"`].join(","),
  );
  return `${["complexity,loss,held_out,equation", ...rows].join("\n")}\n`;
}
