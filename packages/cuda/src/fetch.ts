// The entry `@mm-ptx/cuda/fetch`: fetches a library or a program from a Python wheel, for packages whose command lines do.
export { fetchWheels } from "./fetch/fetch-wheel.js";
export { FetchProblem } from "./fetch/problem.js";
export { watchOn } from "./fetch/watch.js";
export { type Distribution, wheelFor } from "./fetch/wheel.js";
