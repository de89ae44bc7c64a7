// The hot loops of the compiler for WebAssembly (AssemblyScript), on the memory that src/loops/memory.ts divides up.
// Tests run all programs through these loops and through those in TypeScript.
export { markLive, runObserved, writeCommonLines } from "./analysis";
export { writeCommonCode } from "./code";
export { printCommon } from "./print";
export { runCommon } from "./run";
export { walkCommon } from "./walk";
