export { Translator } from "./translator.js";
