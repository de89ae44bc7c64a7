// The entry `@mm-ptx/search/regress`: symbolic regression.
export type { RegressionData, RegressionRows } from "./data.js";
export { DEFAULT_FUNCTIONS, type Equation, Regression, type RegressionOptions } from "./regression.js";
export { columnOf, type DataTable, readTable, type TableOptions } from "./table.js";
