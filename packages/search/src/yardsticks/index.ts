// The entry `@mm-ptx/search/yardsticks`: problems with published results, and searches for them. For Node.
export { type FormulaFunction, formulaOf } from "./formulas.js";
export {
  functions,
  isEqualFormula,
  type ProblemRows,
  type PublishedProblem,
  type PublishedSet,
  problems,
  problemsOf,
  rowsOf,
  sets,
  sources,
} from "./problems.js";
export { MOST_EVALUATIONS, type Recovery, recover } from "./recovery.js";
export {
  type IlluminationProblem,
  type MeanAndDeviation,
  SPHERE_SEARCHES,
  SPHERE_SEEDS,
  type SphereResult,
  type SphereSearch,
  searchSphere,
  sphere,
} from "./sphere.js";
