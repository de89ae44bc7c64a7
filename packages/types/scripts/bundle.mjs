// Joins what the compiler wrote for the entries `.` and `./node` into a few files in bundle/: importing the package is then
// mostly importing zod, not opening fifty files. The entries that the other packages share stay as they are: their classes must
// be the same for everyone.
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const shared = ["code", "core", "device", "internal"].map((name) => resolve(root, "dist", name));

await build({
  absWorkingDir: root,
  entryPoints: ["dist/index.js", "dist/node.js"],
  outdir: "bundle",
  bundle: true,
  splitting: true,
  // Without a hash: nothing of an earlier build is left beside it.
  chunkNames: "[name]",
  format: "esm",
  platform: "neutral",
  target: "es2022",
  packages: "external",
  external: ["node:*"],
  sourcemap: true,
  sourcesContent: false,
  plugins: [
    {
      name: "shared",
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
          const file = resolve(resolveDir, path);
          if (!shared.includes(dirname(file))) return undefined;
          return { path: relative(resolve(root, "bundle"), file).replaceAll("\\", "/"), external: true };
        }),
    },
  ],
});
