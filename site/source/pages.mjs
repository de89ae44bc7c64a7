// Which documents of the repository are pages of the site, in the order of its navigation. Documents are named by
// their paths in the repository; the address of a page follows from that path.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { listFiles, packageFolders, ROOT, readManifest } from "../../scripts/lib/workspace.mjs";

/**
 * @typedef {object} Group pages below one heading of a sidebar
 * @property {string} text
 * @property {readonly string[]} sources
 */

/**
 * @typedef {object} Section
 * @property {string} text its name in the navigation
 * @property {readonly Group[]} groups
 * @property {boolean} [reference] whether the rows of its tables have anchors
 */

/** The READMEs of the published packages. */
const packageReadmes = () =>
  packageFolders(ROOT)
    .filter((folder) => {
      const { private: hidden, os } = readManifest(ROOT, folder);
      return hidden !== true && os === undefined;
    })
    .map((folder) => `${folder}/README.md`)
    .filter((file) => existsSync(join(ROOT, file)));

/** @type {readonly Section[]} */
const LISTED = [
  {
    text: "Start",
    groups: [
      {
        text: "Start",
        sources: ["site/pages/start.md", "apps/quickstart/README.md", "examples/01-one-program/README.md"],
      },
      {
        text: "Lessons",
        sources: [
          "examples/02-linking/README.md",
          "examples/03-running-kernels/README.md",
          "examples/04-ported-programs/README.md",
          "examples/05-three-ways/README.md",
          "examples/06-thousand-programs/README.md",
          "examples/07-better-gelu/README.md",
          "examples/08-learned-costs/README.md",
        ],
      },
    ],
  },
  {
    text: "Guides",
    groups: [
      {
        text: "Generate",
        sources: ["docs/guide/inject.md", "docs/guide/stack.md", "docs/guide/ast.md", "docs/guide/types.md"],
      },
      {
        text: "Compile and run",
        sources: [
          "docs/guide/cuda.md",
          "docs/guide/running-kernels.md",
          "docs/guide/pipeline.md",
          "docs/guide/ptx.md",
          "docs/guide/farm.md",
          "docs/farm-operations.md",
        ],
      },
      {
        text: "Without a GPU",
        sources: [
          "docs/guide/emulator.md",
          "docs/guide/testing-without-a-gpu.md",
          "docs/guide/playground.md",
          "integrations/pytest/README.md",
        ],
      },
      {
        text: "Search",
        sources: ["docs/guide/columns.md", "docs/guide/search.md", "docs/guide/learn.md"],
      },
    ],
  },
  {
    text: "Concepts",
    groups: [
      {
        text: "Concepts",
        sources: [
          "site/pages/concepts/pipeline.md",
          "site/pages/concepts/sites.md",
          "site/pages/concepts/stacks.md",
          "site/pages/concepts/packages.md",
        ],
      },
      {
        text: "Reasons",
        sources: ["docs/design.md"],
      },
    ],
  },
  {
    text: "Reference",
    reference: true,
    groups: [
      { text: "Errors", sources: ["docs/errors.md", "docs/hints.md"] },
      {
        text: "Packages",
        sources: packageReadmes(),
      },
      {
        text: "Commands",
        sources: [
          "docs/mm-ptx.md",
          "docs/ptxinject.md",
          "docs/mm-ptx-cuda.md",
          "docs/mm-ptx-emulate.md",
          "docs/mm-ptx-emulate-run.md",
          "docs/mm-ptx-pipeline.md",
          "docs/mm-ptx-search.md",
          "docs/mm-ptx-farm.md",
        ],
      },
      {
        text: "Formats",
        sources: [
          "type_descriptions/README.md",
          "docs/annotated-file.md",
          "docs/kernel-file.md",
          "docs/program-file.md",
          "docs/results-store.md",
        ],
      },
      { text: "Details", sources: [] },
    ],
  },
  {
    text: "Performance",
    groups: [
      {
        text: "Performance",
        sources: [
          "docs/performance.md",
          "docs/search-results.md",
          "docs/gpu-report.md",
          "docs/emulator-gpu.md",
        ],
      },
    ],
  },
  {
    text: "Migration",
    groups: [
      {
        text: "Migration",
        sources: [
          "docs/coming-from-c.md",
          "docs/coming-from-python.md",
          "docs/coming-from-1.0.md",
          "docs/coming-from-0.x.md",
          "docs/porting-a-program.md",
        ],
      },
    ],
  },
  {
    text: "Project",
    groups: [
      {
        text: "Project",
        sources: [
          "CHANGELOG.md",
          "docs/stability.md",
          "docs/support.md",
          "SUPPORT.md",
          "SECURITY.md",
          "docs/reliability.md",
          "docs/dependencies.md",
          "CONTRIBUTING.md",
        ],
      },
    ],
  },
];

/** Documents of `docs` that no section lists, by the folder that they are in. */
function unlisted() {
  const listed = new Set(LISTED.flatMap(({ groups }) => groups.flatMap(({ sources }) => sources)));
  const files = listFiles(ROOT, "docs", (name) => name.endsWith(".md") && !listed.has(name));
  const isGuide = (/** @type {string} */ name) => name.startsWith("docs/guide/");
  return { guides: files.filter(isGuide), details: files.filter((name) => !isGuide(name)) };
}

/**
 * The sections with every document of `docs`: what has no place of its own is in the last group of the guides, or in that
 * of details.
 *
 * @type {readonly Section[]}
 */
export const SECTIONS = (() => {
  const { guides, details } = unlisted();
  const more = { Search: guides, Details: details };
  return LISTED.map((section) => ({
    ...section,
    groups: section.groups.map(({ text, sources }) => ({
      text,
      sources: [...sources, ...(more[/** @type {keyof typeof more} */ (text)] ?? [])],
    })),
  }));
})();

/** The page that has the address of the site itself, and is in no section. */
export const HOME = "site/pages/index.md";

/** All documents that are pages. */
export const SOURCES = [HOME, ...SECTIONS.flatMap(({ groups }) => groups.flatMap(({ sources }) => sources))];

/**
 * The address of a document's page, relative to that of the site: `guide/stack.md` for `docs/guide/stack.md`,
 * `packages/stack.md` for `packages/stack/README.md`, `project/changelog.md` for `CHANGELOG.md`.
 *
 * @param {string} source
 */
export function pageOf(source) {
  if (!source.includes("/")) return `project/${source.toLowerCase()}`;
  return source.replace(/^(?:docs|site\/pages|apps)\//, "").replace(/\/README\.md$/, ".md");
}
