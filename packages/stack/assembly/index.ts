// The hot loops of the compiler for WebAssembly (AssemblyScript), on the memory that src/loops/memory.ts divides. Tests run
// all programs through these and through the loops in TypeScript.
export { markLive, runObserved, writeCommonLines } from "./analysis";
export { printCommon } from "./print";
export { runCommon } from "./run";
export { walkCommon } from "./walk";
