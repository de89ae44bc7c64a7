// Builds the site: writes its source, runs VitePress, adds the playground and the page that learns, and checks the links of the whole.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { build, serve } from "vitepress";
import { ROOT } from "../../scripts/lib/workspace.mjs";
import { buildLearnPage, LEARN_PAGE } from "../learn/build.mjs";
import { buildPlayground } from "../playground/check/build.mjs";
import { writeApi } from "./api.mjs";
import { checkSite } from "./check.mjs";
import { writeDocuments } from "./write.mjs";

const SITE = join(ROOT, "site");

/** Where the playground's own build puts it. */
const PLAYGROUND = join(ROOT, "out/playground");

/** What a build without the API and the pages with programs of their own does not have. */
const LEFT_OUT = /^\/(?:playground|learn|api)\//;

/**
 * @param {{ folder: string, base: string, whole: boolean }} options `whole`: with the API and the playground
 * @returns {Promise<{ page: string, problems: string[] }[]>} every page with the links that lead nowhere, or what ended
 *   the build
 */
export async function buildSite({ folder, base, whole }) {
  writeDocuments();
  if (whole) await writeApi();
  try {
    await build(SITE, { base, outDir: folder });
  } catch (error) {
    return [{ page: "the build", problems: [error instanceof Error ? error.message : String(error)] }];
  }
  if (whole) {
    await buildPlayground();
    cpSync(PLAYGROUND, join(folder, "playground"), { recursive: true });
    await buildLearnPage();
    cpSync(LEARN_PAGE, join(folder, "learn"), { recursive: true });
  }
  return checkSite(folder, base, whole ? {} : { leaveOut: LEFT_OUT });
}

/** @param {{ base: string }} options */
export const serveSite = ({ base }) => serve({ root: SITE, base });
