export {
  EmulatorError,
  type EmulatorErrorCode,
  type Problem,
  type ProblemCode,
  type RunErrorCode,
} from "./error.js";
export { checkProgram } from "./front/index.js";
