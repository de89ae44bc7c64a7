export { type EntryFunction, type ModuleDirectives, readDirectives } from "./directives.js";
export { ARCHITECTURES, type Architecture, architecture } from "./isa.js";
