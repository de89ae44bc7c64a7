// The configuration of VitePress: where its source is, its navigation, and its search, which needs no service.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLogger } from "vite";
import { defineConfig } from "vitepress";
import { ROOT } from "../../scripts/lib/workspace.mjs";
import { apiSidebars } from "../source/api.mjs";
import { REPOSITORY } from "../source/links.mjs";
import { MARKDOWN } from "../source/markdown.mjs";
import { pageOf, SECTIONS } from "../source/pages.mjs";

/** @param {string} source */
const addressOf = (source) => `/${pageOf(source).replace(/\.md$/, "")}`;

/** The first heading of a document, without its marks. @param {string} source */
const titleOf = (source) =>
  /^# (.*)$/m.exec(readFileSync(join(ROOT, source), "utf8"))?.[1]?.replaceAll("`", "") ?? source;

const sections = SECTIONS.map(({ text, groups }) => ({
  text,
  first: addressOf(groups[0]?.sources[0] ?? ""),
  groups: groups.map(({ text: heading, sources }) => ({
    text: heading,
    items: sources.map((source) => ({ text: titleOf(source), link: addressOf(source) })),
  })),
  sources: groups.flatMap(({ sources }) => sources),
}));

/** Two lines of code, the second of which is filled in. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f62c9"/><path d="M7 10h18M7 22h8" stroke="#fff" stroke-width="4"/><path d="M7 16h18" stroke="#f5b04c" stroke-width="4"/></svg>';

/** The sections that have a place of their own at the top; the others are in a menu. */
const AT_TOP = 4;

/** A warning fails the build. */
const logger = createLogger("warn");
logger.warn = (message) => {
  throw new Error(`expected a build without warnings, found: ${message}`);
};

/** A row of a table with an anchor, and its first cell. */
const ROW = /<tr[^>]* id="([^"]*)"[^>]*>\s*<td[^>]*><a class="row-anchor"[^>]*>(.*?)<\/a><\/td>/g;

/**
 * What the search finds of a page: everything, in the reference each row of a table like a section of its own, and of
 * the API what each name is.
 *
 * @param {string} source
 * @param {import("vitepress").MarkdownEnv} env
 * @param {{ render(source: string, env: unknown): string }} md
 */
function searched(source, env, md) {
  const html = md.render(source, env);
  if (env.frontmatter?.search === false) return "";
  if (!env.relativePath.startsWith("api/")) {
    return html.replaceAll("<wbr>", "").replace(ROW, '<h4 id="$1">$2 <a href="#$1"></a></h4>');
  }
  const end = html.indexOf("<h2", html.indexOf("<h2") + 1);
  return end < 0 ? html : html.slice(0, end);
}

export default defineConfig({
  title: "mm-ptx",
  description: "Thousands of variants of a GPU kernel, generated, compiled and run from TypeScript",
  lang: "en-US",
  srcDir: ".generated",
  cacheDir: "../out/site-cache",
  outDir: "../out/site",
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  metaChunk: true,
  // These have builds of their own, which the check of the links knows.
  ignoreDeadLinks: [/^\/(?:api|learn|playground)\//],
  markdown: MARKDOWN,
  vite: { customLogger: logger, build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4096 } },
  themeConfig: {
    nav: [
      ...sections.slice(0, AT_TOP).map(({ text, first, sources }) => ({
        text,
        link: first,
        activeMatch: `^(${sources.map((source) => RegExp(addressOf(source)).source).join("|")})(\\.html)?$`,
      })),
      { text: "API", link: "/api/", activeMatch: "^/api/" },
      { text: "Playground", link: "/playground/", target: "_self" },
      {
        text: "More",
        items: sections
          .slice(AT_TOP)
          .flatMap(({ text, groups }) =>
            text === "Project"
              ? groups.flatMap(({ items }) => items)
              : [{ text, link: groups[0].items[0].link }],
          ),
      },
    ],
    sidebar: {
      ...Object.fromEntries(
        sections.flatMap(({ groups, sources }) => sources.map((source) => [addressOf(source), groups])),
      ),
      ...apiSidebars(),
    },
    outline: [2, 3],
    search: { provider: "local", options: { _render: searched } },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    editLink: {
      text: "The source of this page",
      pattern: ({ frontmatter }) => frontmatter.source,
    },
    externalLinkIcon: true,
  },
});
