// The kernels of the examples, each loaded when it is needed.
/// <reference types="vite/client" />
const FILES = import.meta.glob<string>("../../kernels/*.ptx", { query: "?raw", import: "default" });

/** The PTX of an example's kernel, as nvcc compiled it. */
export async function kernelText(name: string): Promise<string> {
  const load = FILES[`../../kernels/${name}.ptx`];
  if (load === undefined) throw new Error(`expected a kernel \`${name}\`, found none`);
  return await load();
}
