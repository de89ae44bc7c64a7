// Kernels of less common operations: those of several kernels, other roundings, f64, integers of 64 bits, f16 and bf16. The module has no
// data of its own, which would replace those of `core`.
export { composed } from "./composed.js";
export { directed } from "./directed.js";
export { doubles } from "./doubles.js";
export { halves } from "./halves.js";
export { longTests } from "./long-tests.js";
export { longs } from "./longs.js";
export { rareWords } from "./rare-words.js";
export { scalars } from "./scalars.js";
export { widenings } from "./widenings.js";
