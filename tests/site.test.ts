// The site: every document has a place in its navigation, links lead to pages or to files of the repository, and
// every error code has an anchor. `npm run site -- --check` checks the links of the built site.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listFiles } from "../scripts/lib/workspace.mjs";
import { checkSite } from "../site/source/check.mjs";
import { DeadLink, linkOnSite, pictureFile, REPOSITORY } from "../site/source/links.mjs";
import { slug } from "../site/source/markdown.mjs";
import { pageOf, SOURCES } from "../site/source/pages.mjs";
import { plainRenderer } from "../site/source/renderer.mjs";
import { packagesIn, ROOT, readManifest } from "./support/workspace.js";

const read = (source: string) => readFileSync(join(ROOT, source), "utf8");

describe("the pages", () => {
  it("are documents that exist, each at an address of its own", () => {
    expect(SOURCES.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
    const addresses = SOURCES.map((source) => pageOf(source));
    expect(new Set(addresses).size).toBe(SOURCES.length);
    expect(addresses).toContain("index.md");
  });

  it("are all documents for users", () => {
    const published = packagesIn("packages").filter((folder) => readManifest(folder).private !== true);
    const readmes = [...published, ...packagesIn("examples"), ...packagesIn("apps")]
      .map((folder) => `${folder}/README.md`)
      .filter((file) => existsSync(join(ROOT, file)));
    const documents = ["docs", "site/pages"].flatMap((folder) =>
      listFiles(ROOT, folder, (name) => name.endsWith(".md")),
    );
    const missing = [...readmes, ...documents].filter((source) => !SOURCES.includes(source));
    expect(missing).toEqual([]);
  });

  it.each([
    ["docs/guide/stack.md", "guide/stack.md"],
    ["docs/errors.md", "errors.md"],
    ["packages/stack/README.md", "packages/stack.md"],
    ["apps/quickstart/README.md", "quickstart.md"],
    ["site/pages/concepts/sites.md", "concepts/sites.md"],
    ["CHANGELOG.md", "project/changelog.md"],
  ])("%s is at %s", (source, page) => {
    expect(pageOf(source)).toBe(page);
  });
});

describe("links", () => {
  it.each([
    ["a page", "guide/stack.md", "docs/errors.md", "/guide/stack.md"],
    ["a place of a page", "../errors.md#pipelineerror", "docs/guide/stack.md", "/errors.md#pipelineerror"],
    [
      "a page by its address",
      `${REPOSITORY}/blob/main/docs/errors.md#x`,
      "packages/ast/README.md",
      "/errors.md#x",
    ],
    ["a folder with a page", "packages/stack/", "README.md", "/packages/stack.md"],
    ["a source file", "../package.json", "docs/errors.md", `${REPOSITORY}/blob/main/package.json`],
    ["a folder", "../packages/ast/src", "docs/errors.md", `${REPOSITORY}/tree/main/packages/ast/src`],
    ["a place of the same page", "#vary", "docs/guide/stack.md", "#vary"],
    ["another site", "https://semver.org/", "docs/stability.md", "https://semver.org/"],
    ["the playground", "/playground/", "site/pages/start.md", "/playground/"],
  ])("to %s", (_, target, source, expected) => {
    expect(linkOnSite(target, source)).toBe(expected);
  });

  it.each(["missing.md", "../missing/", "../../outside.md", `${REPOSITORY}/blob/main/missing.md`])(
    "to nothing are refused: %s",
    (target) => {
      expect(() => linkOnSite(target, "docs/errors.md")).toThrow(DeadLink);
      expect(() => pictureFile(target, "docs/errors.md")).toThrow(
        "docs/errors.md: expected a link to a file",
      );
    },
  );

  it("anchors are those of GitHub", () => {
    expect(slug("`PtxError` of `@mm-ptx/ptx`".replaceAll("`", ""))).toBe("ptxerror-of-mm-ptxptx");
    expect(slug("What a program does, step by step")).toBe("what-a-program-does-step-by-step");
  });
});

describe("rendered pages", () => {
  let md: Awaited<ReturnType<typeof plainRenderer>>;
  beforeAll(async () => {
    md = await plainRenderer();
  });
  const render = (source: string) => {
    const page = pageOf(source);
    return md.render(read(source), { path: page, relativePath: page, cleanUrls: false });
  };

  it.each(SOURCES)("%s links to pages, places and addresses", (source) => {
    expect(render(source)).not.toMatch(/href="[^"h/#.]/);
  });

  // tests/errors.test.ts compares them with what errors and findings link to.
  it.each([
    ["docs/errors.md", "ptxcompileerror-timeout"],
    ["docs/hints.md", "newer-version"],
    ["docs/guide/emulator.md", "finding-race"],
  ])("%s has the anchors of its Markdown once each", (source, example) => {
    const anchors = [...read(source).matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id!);
    const ids = [...render(source).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    expect(anchors).toContain(example);
    expect(ids.filter((id) => anchors.includes(id)).sort()).toEqual(anchors.toSorted());
  });
});

describe("the check of a built site", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "mm-ptx-site-"));
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    };
    write(
      "index.html",
      '<a href="/base/sub/page.html#here">a</a><a href="sub/">b</a><a href="https://x.invalid/">c</a>',
    );
    write(
      "sub/index.html",
      '<h1 id="top"></h1><a class="x" href="../index.html">up</a><a href="#top">top</a>',
    );
    write(
      "sub/page.html",
      '<h1 id="here"></h1><a href="#gone">1</a><a href="/base/gone.html">2</a><img alt="" src="gone.svg"><a href="/elsewhere.html">3</a>',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("finds links to files and places that do not exist", () => {
    expect(checkSite(folder, "/base/")).toEqual([
      { page: "index.html", problems: [] },
      { page: "sub/index.html", problems: [] },
      {
        page: "sub/page.html",
        problems: [
          "`#gone`: the page has no such place",
          "`/base/gone.html`: there is no such file",
          "`gone.svg`: there is no such file",
          "`/elsewhere.html`: expected an address below `/base/`",
        ],
      },
    ]);
  });

  it("leaves out what another build makes", () => {
    const [, , page] = checkSite(folder, "/base/", { leaveOut: /gone/ });
    expect(page?.problems).toHaveLength(2);
  });
});
