// Builds the site: writes its source, runs VitePress, and checks the links of what it made.

import { join } from "node:path";
import { build, serve } from "vitepress";
import { ROOT } from "../../scripts/lib/workspace.mjs";
import { writeApi } from "./api.mjs";
import { checkSite } from "./check.mjs";
import { writeDocuments } from "./write.mjs";

const SITE = join(ROOT, "site");

/** Pages that a build without the API does not have, and the playground, which has a build of its own. */
const LEFT_OUT = { withApi: /^\/playground\//, withoutApi: /^\/(?:playground|api)\// };

/**
 * @param {{ folder: string, base: string, api: boolean }} options
 * @returns {Promise<{ page: string, problems: string[] }[]>} every page with the links that lead nowhere, and the
 *   warnings of the build
 */
export async function buildSite({ folder, base, api }) {
  writeDocuments();
  if (api) await writeApi();
  await build(SITE, { base, outDir: folder });
  return checkSite(folder, base, { leaveOut: api ? LEFT_OUT.withApi : LEFT_OUT.withoutApi });
}

/** @param {{ base: string }} options */
export const serveSite = ({ base }) => serve({ root: SITE, base });
