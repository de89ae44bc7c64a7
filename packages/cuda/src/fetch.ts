// The entry `@mm-ptx/cuda/fetch`: fetches a library or a program from a Python wheel, for packages whose command lines do.
export { download as downloadWheel } from "./fetch/download.js";
export { type Installed, install as installWheel } from "./fetch/install.js";
export { FetchProblem } from "./fetch/problem.js";
export type { Wheel } from "./fetch/wheel.js";
