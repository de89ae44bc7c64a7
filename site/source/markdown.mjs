// What the site adds to Markdown: links between documents, pictures of the repository, names of files that are shown,
// and anchors for the rows of tables in the reference, such as `errors.html#ptxerror-syntax` for the code `SYNTAX` of `PtxError`.

import { linkOnSite, pictureFile } from "./links.mjs";
import { pageOf, SECTIONS, SOURCES } from "./pages.mjs";
import { ptxLanguage } from "./ptx-language.mjs";

/** The options of VitePress's renderer. @type {import("vitepress").MarkdownOptions} */
export const MARKDOWN = {
  // With enough contrast to be read by everybody.
  theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
  anchor: { slugify: (text) => slug(text) },
  toc: { slugify: (/** @type {string} */ text) => slug(text) },
  headers: { slugify: (text) => slug(text) },
  languages: [ptxLanguage],
  languageAlias: { mjs: "js", jsonl: "json" },
  config: (md) => documents(md),
};

/** The folder of pictures on the site. */
export const PICTURES = "/pictures";

const SOURCE_OF = new Map(SOURCES.map((source) => [pageOf(source), source]));
const REFERENCE = new Set(
  SECTIONS.filter(({ reference }) => reference).flatMap(({ groups }) =>
    groups.flatMap(({ sources }) => sources),
  ),
);

/**
 * The anchor of a heading: the same as on GitHub, so that links work there as well.
 *
 * @param {string} text
 */
export const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");

/** @typedef {{ type: string, tag: string, content: string, level: number, nesting: number, children: Token[] | null, attrGet(name: string): string | null, attrSet(name: string, value: string): void }} Token */

/**
 * A plugin for markdown-it. Pages that are not documents of the repository stay as they are.
 *
 * @param {any} md
 */
export function documents(md) {
  md.core.ruler.push("documents", (/** @type {any} */ state) => {
    const source = SOURCE_OF.get(state.env.relativePath);
    if (source === undefined) return;
    for (const token of state.tokens) {
      for (const child of token.children ?? []) rewrite(child, source);
    }
    if (REFERENCE.has(source)) anchorRows(state.tokens, state.Token);
  });
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (/** @type {any[]} */ ...args) => {
    const [tokens, index] = args;
    const name = /^\S+\s+(\S*[./]\S*)$/.exec(tokens[index].info)?.[1];
    return `${name === undefined ? "" : `<div class="file-name">${md.utils.escapeHtml(name)}</div>`}${fence(...args)}`;
  };
}

/**
 * @param {Token} token
 * @param {string} source
 */
function rewrite(token, source) {
  const name = { link_open: "href", image: "src" }[token.type];
  if (name === undefined) return;
  const target = token.attrGet(name) ?? "";
  if (name === "href") {
    token.attrSet(name, linkOnSite(target, source));
    // It is not a page of VitePress, which would otherwise look for one.
    if (/^\/(?:playground|learn)\//.test(target)) token.attrSet("class", "vp-raw");
  } else {
    const file = pictureFile(target, source);
    if (file !== undefined) token.attrSet(name, `${PICTURES}/${file}`);
  }
}

/**
 * Gives each row of a table's body an anchor, which its first cell links to: the heading's first code, or the heading
 * itself, and the text of the cell; or the anchor that the cell begins with, which works on GitHub as well. Long codes may
 * be broken at their underscores.
 *
 * @param {Token[]} tokens
 * @param {new (type: string, tag: string, nesting: number) => Token} Token
 */
function anchorRows(tokens, Token) {
  const html = (/** @type {string} */ content) => Object.assign(new Token("html_inline", "", 0), { content });
  const seen = new Map();
  let heading = "";
  let isBody = false;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") heading = firstCode(tokens[index + 1]) ?? textOf(tokens[index + 1]);
    if (token.type === "tbody_open") isBody = true;
    if (token.type === "tbody_close") isBody = false;
    if (token.type !== "tr_open" || !isBody) continue;
    const cell = tokens[index + 2];
    const children = cell?.children ?? [];
    if (cell === undefined || children.some(({ type }) => type === "link_open")) continue;
    const own = /^<a id="([^"]+)">$/.exec(children[0]?.content ?? "")?.[1];
    const base = own ?? slug(`${heading} ${textOf(cell)}`);
    const count = seen.get(base) ?? 0;
    seen.set(base, count + 1);
    const id = count === 0 ? base : `${base}-${count}`;
    token.attrSet("id", id);
    const shown = own === undefined ? children : children.slice(2);
    const broken = shown.map((child) =>
      child.type === "code_inline"
        ? html(`<code>${escaped(child.content).replaceAll("_", "_<wbr>")}</code>`)
        : child,
    );
    cell.children = [html(`<a class="row-anchor" href="#${id}">`), ...broken, html("</a>")];
  }
}

/** @param {string} words */
const escaped = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** @param {Token | undefined} inline */
const firstCode = (inline) => inline?.children?.find(({ type }) => type === "code_inline")?.content;

/** @param {Token | undefined} inline */
const textOf = (inline) =>
  (inline?.children ?? [])
    .map(({ type, content }) => (type === "text" || type === "code_inline" ? content : " "))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
