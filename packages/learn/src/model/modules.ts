// All WebAssembly modules. Bundlers put files in the order of imports, and this one is the first import of the entry: the text of modules takes
// a few percent less after compression if no code is in between. Modules that nobody uses are left out.
export { MODULE as DENSE } from "../wasm/dense.js";
export { MODULE as LINEAR } from "../wasm/linear.js";
export { MODULE as MLP } from "../wasm/mlp.js";
export { MODULE as NEIGHBOURS } from "../wasm/neighbours.js";
export { MODULE as PCA } from "../wasm/pca.js";
export { MODULE as TREES } from "../wasm/trees.js";
