// Compiles test/kernels/*/kernel.cu to PTX files next to them, with the options in their first lines. This needs nvcc;
// the PTX is committed, so that tests do not need it.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const kernels = new URL("../test/kernels/", import.meta.url);
const wanted = process.argv.slice(2);

for (const name of wanted.length > 0 ? wanted : readdirSync(kernels)) {
  const folder = new URL(`${name}/`, kernels);
  const options = /^\/\/ nvcc (.+)/.exec(readFileSync(new URL("kernel.cu", folder), "utf8"));
  if (options === null)
    throw new Error(`expected the first line of ${name}/kernel.cu to be \`// nvcc OPTIONS\``);
  execFileSync("nvcc", ["-ptx", ...options[1].split(" "), "-o", "kernel.ptx", "kernel.cu"], {
    cwd: folder,
    stdio: "inherit",
  });
}
