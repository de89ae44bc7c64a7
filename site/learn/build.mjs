// Builds the page on which a model learns the compiler: `node site/learn/build.mjs` writes it to out/learn.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Where the page is built. */
export const LEARN_PAGE = fileURLToPath(new URL("../../out/learn", import.meta.url));

export async function buildLearnPage() {
  rmSync(LEARN_PAGE, { recursive: true, force: true });
  await build({
    ...{
      absWorkingDir: HERE,
      entryPoints: ["main.ts", "page.css"],
      outdir: LEARN_PAGE,
      bundle: true,
      minify: true,
    },
    ...{ format: "esm", target: "es2022", platform: "browser", logLevel: "warning", legalComments: "none" },
  });
  const files = [
    '<link rel="stylesheet" href="./page.css" />',
    '<script type="module" src="./main.js"></script>',
  ];
  const page = readFileSync(join(HERE, "index.html"), "utf8");
  mkdirSync(LEARN_PAGE, { recursive: true });
  writeFileSync(join(LEARN_PAGE, "index.html"), page.replace("<!-- files -->", files.join("\n    ")));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildLearnPage();
