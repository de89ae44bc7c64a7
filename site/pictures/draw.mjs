// `node site/pictures/draw.mjs`: draws the pictures of the concepts into docs/pictures. They are pure functions of the
// packages; tests/site-pictures.test.ts compares.

import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { drawPackages } from "./packages.mjs";
import { drawPipeline } from "./pipeline.mjs";
import { drawSites } from "./sites.mjs";
import { drawStacks } from "./stacks.mjs";

/** Each picture's name with the function that draws it. */
export const DRAWINGS = {
  "concept-packages.svg": drawPackages,
  "concept-pipeline.svg": drawPipeline,
  "concept-site.svg": drawSites,
  "concept-stacks.svg": drawStacks,
};

/** The folder of the pictures. */
export const FOLDER = new URL("../../docs/pictures/", import.meta.url);

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [name, draw] of Object.entries(DRAWINGS)) writeFileSync(new URL(name, FOLDER), draw());
}
