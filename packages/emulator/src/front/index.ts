export { checkProgram, renderedPtx } from "./check.js";
