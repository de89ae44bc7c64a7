// The entry `@mm-ptx/cuda/fetch`: fetches a library or a program from a Python wheel, for packages whose command lines do.
export {
  type FetchedWheel,
  type FetchOptions,
  fetchWheels,
  type WheelContent,
  type WheelPlace,
} from "./fetch/fetch-wheel.js";
export { FetchProblem } from "./fetch/problem.js";
export { type Terminal, type Watch, watchOn } from "./fetch/watch.js";
export { type Distribution, type Wheel, type WheelFile, wheelFor } from "./fetch/wheel.js";
