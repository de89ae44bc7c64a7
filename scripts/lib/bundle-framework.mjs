// The last step of the build of a package with a command line, run in its folder: bundles the framework of @mm-ptx/cli, which
// is not published, into `dist/cli/framework.js`. It starts from the source, so that the result does not depend on what
// earlier builds left there. The packages that the framework imports are dependencies of each published package.

import { join } from "node:path";
import { build } from "esbuild";
import { ROOT, readManifest } from "./workspace.mjs";

const packages = Object.keys(readManifest(ROOT, "packages/cli").dependencies);
const published = new RegExp(`^(node:|(${packages.join("|")})(/|$))`);

await build({
  entryPoints: [join(process.cwd(), "src/cli/framework.ts")],
  outfile: join(process.cwd(), "dist/cli/framework.js"),
  absWorkingDir: ROOT,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "es2022",
  sourcemap: true,
  logLevel: "error",
  plugins: [
    {
      name: "published",
      // Importing these modules has no side effects, so those that a command line does not need are left out.
      setup: ({ onResolve }) =>
        onResolve({ filter: published }, ({ path }) => ({ path, external: true, sideEffects: false })),
    },
  ],
});
