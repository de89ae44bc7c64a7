export { checkProgram } from "./check.js";
