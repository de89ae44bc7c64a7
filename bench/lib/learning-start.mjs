// Milliseconds until a new process has the package, and a small model in WebAssembly; prints JSON.
//   node learning-start.mjs trees|linear|neighbours|pca|mlp

const before = performance.now();
const { Linear, Mlp, Neighbours, Pca, Table, Trees } = await import("@mm-ptx/learn");
const imported = performance.now();
const backend = "webassembly";
const table = new Table({ columns: 1, capacity: 1 });
// Larger models take longer because of their memory and their first numbers, not because of their modules.
const makers = {
  trees: () => new Trees(table, { backend }),
  linear: () => new Linear({ columns: 1, features: 2, warmup: 1, backend }),
  neighbours: () => new Neighbours(table, { backend }),
  pca: () => new Pca({ columns: 1, components: 1, backend }),
  mlp: () => new Mlp({ columns: 1, hidden: [1], batch: 1, backend }),
};
const start = performance.now();
makers[process.argv[2]]();
console.log(JSON.stringify({ imported: imported - before, made: performance.now() - start }));
