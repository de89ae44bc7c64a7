// The pages of the API, which TypeDoc writes as Markdown, one for each name, and their sidebars.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Application, LogLevel } from "typedoc";
import { apiFolders, apiOptions } from "../../scripts/lib/api.mjs";
import { listFiles, ROOT, readManifest } from "../../scripts/lib/workspace.mjs";
import { GENERATED } from "./write.mjs";

const FOLDER = join(GENERATED, "api");

/** The entry of a package that is imported by its name alone. */
const MAIN = "index";

/**
 * Writes the pages of all packages.
 *
 * @returns {Promise<void>}
 */
export async function writeApi() {
  const folder = process.cwd();
  process.chdir(ROOT);
  try {
    const { packageOptions, ...options } = apiOptions(apiFolders());
    const application = await Application.bootstrapWithPlugins({
      ...options,
      plugin: [import.meta.resolve("typedoc-plugin-markdown")],
      logLevel: LogLevel.Error,
      readme: "none",
      packageOptions: { ...packageOptions, readme: "none" },
    });
    for (const [name, value] of Object.entries(FORMAT)) application.options.setValue(name, value);
    const project = await application.convert();
    if (project === undefined) throw new Error("expected the API of the packages, found errors of TypeDoc");
    for (const each of project.children ?? []) {
      for (const entry of each.children ?? []) if (entry.name === "") entry.name = MAIN;
    }
    await application.generateOutputs(project);
  } finally {
    process.chdir(folder);
  }
  writeFileSync(join(FOLDER, "index.md"), overview());
  for (const file of listFiles(FOLDER, ".")) {
    const path = join(FOLDER, file);
    writeFileSync(path, `---\neditLink: false\n---\n\n${readFileSync(path, "utf8")}`);
  }
}

/** The first page: what each package is for. */
function overview() {
  const rows = apiFolders().map((folder) => {
    const { name, description } = readManifest(ROOT, folder);
    return `| [\`${name}\`](${name}/index.md) | ${description} |`;
  });
  return `# API\n\nEvery public name of every package, from its declarations.\n\n| package | |\n|---|---|\n${rows.join("\n")}\n`;
}

/** How the pages look. @type {Record<string, any>} */
const FORMAT = {
  outputs: [{ name: "markdown", path: FOLDER }],
  router: "member",
  entryFileName: "index",
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  membersWithOwnFile: ["Class", "Interface", "Function", "Enum", "TypeAlias"],
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  enumMembersFormat: "table",
};

/**
 * A sidebar for each package, from the pages that were written: its entries with their names.
 *
 * @returns {Record<string, { text: string, link?: string, collapsed?: boolean, items?: { text: string, link: string }[] }[]>}
 */
export function apiSidebars() {
  if (!existsSync(FOLDER)) return {};
  const packages = apiFolders().map((folder) => readManifest(ROOT, folder).name);
  const all = {
    text: "API",
    items: packages.map((name) => ({ text: name, link: `/api/${name}/` })),
  };
  const sidebars = packages.map((name) => {
    const files = listFiles(join(FOLDER, name), ".");
    /** @type {Map<string, { text: string, link: string }[]>} */
    const entries = new Map();
    for (const file of files) {
      const [, entry = "", text = ""] =
        /^(.*?)\/?(?:classes|enumerations|functions|interfaces|type-aliases)\/(\w+)\.md$/.exec(file) ?? [];
      if (text === "") continue;
      const items = entries.get(entry) ?? [];
      items.push({ text, link: `/api/${name}/${file.replace(/\.md$/, "")}` });
      entries.set(entry, items);
    }
    const main = entries.has("") ? "" : MAIN;
    const ordered = [...entries].sort(([a], [b]) => Number(b === main) - Number(a === main));
    const groups = ordered.map(([entry, items]) => ({
      text: entry === main ? name : `${name}/${entry}`,
      collapsed: entry !== main,
      items: items.toSorted((a, b) => a.text.localeCompare(b.text, "en")),
    }));
    return [`/api/${name}/`, [...groups, all]];
  });
  return Object.fromEntries([...sidebars, ["/api/", [all]]]);
}
