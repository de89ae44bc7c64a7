export { Interpreter } from "./interpreter.js";
