// Compiles a kernel with the named backends, as a user of @mm-ptx/cuda would, and exits with 1 if one of them
// fails. It is copied into the folder where the package is installed.

import { PtxCompiler } from "@mm-ptx/cuda";

const ptx = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry tried() {\n  ret;\n}\n";
for (const backend of /** @type {import("@mm-ptx/cuda").BackendName[]} */ (process.argv.slice(2))) {
  const compiler = new PtxCompiler({ arch: "sm_90", backend, workers: 2, cache: false });
  const [made, failed] = await compiler.compileAll([ptx, ptx.replace("ret", "rte")]);
  compiler.dispose();
  if (!made?.ok) throw made?.error ?? new Error("expected a result, found none");
  const { kernels, backend: found } = made.info;
  if (found !== backend || kernels[0]?.name !== "tried")
    throw new Error(`expected ${backend}, found ${found}`);
  if (made.cubin.subarray(1, 4).join() !== "69,76,70")
    throw new Error("expected a cubin, found something else");
  if (failed?.ok !== false) throw new Error("expected an error for PTX that is wrong, found none");
  console.log(
    `${process.platform}-${process.arch} ${backend}: ${made.cubin.length} bytes, ${failed.error.code}`,
  );
}
