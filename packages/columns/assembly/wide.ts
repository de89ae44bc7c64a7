// Kernels of less common types: f64, integers of 64 bits, f16 and bf16.
export { doubles } from "./doubles.js";
export { halves } from "./halves.js";
export { longTests } from "./long-tests.js";
export { longs } from "./longs.js";
export { widenings } from "./widenings.js";
