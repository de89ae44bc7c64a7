// `init`: writes a new project. Its files are made in a folder beside it first, so that nothing is half written.
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { quoted } from "@mm-ptx/types/internal";
import {
  FileError,
  makeFolder,
  type Outcome,
  printable,
  reasonOf,
  shellWord,
  statsOf,
  UsageError,
} from "./framework.js";

export interface InitOptions {
  readonly js?: true;
  readonly ts?: true;
}

const TEMPLATES = fileURLToPath(new URL("../../templates", import.meta.url));

/** The name of the projects in templates. */
const PLACEHOLDER = "mm-ptx-project";

/** Files that a package cannot contain by their own names. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: ".gitignore" };

/** @throws UsageError, FileError */
export async function init(folder: string, { ts }: InitOptions): Promise<Outcome> {
  const target = resolve(folder);
  const name = projectName(target);
  const files = filesOf(ts ? "ts" : "js", name);
  try {
    refuseUsed(folder, target);
    writeProject(target, files);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`expected a folder to write, found ${quoted(folder)}: ${reasonOf(error)}`);
  }
  const written = [...files.keys()].sort().map((file) => join(folder, file));
  const way = relative(process.cwd(), target);
  return {
    ok: true,
    json: () => ({ ok: true, name, folder: target, files: written }),
    text: ({ green, bold }) =>
      [
        ...written.map((file) => `${green("written")} ${printable(file)}\n`),
        `\n${bold("next")}: ${way === "" ? "" : `cd ${printable(shellWord(way))} && `}npm install && npm start\n`,
      ].join(""),
  };
}

/** The name of a project in a folder, with the characters that npm takes. @throws UsageError if npm takes no character of it */
function projectName(target: string): string {
  const name = basename(target)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|-+$/g, "");
  if (name !== "" && name !== "node_modules") return name;
  throw new UsageError(
    `expected a folder with letters or digits in its name, found ${quoted(basename(target))}`,
  );
}

/** The number of names that are listed; the first ones say enough. */
const LISTED = 5;

/** @throws FileError unless the folder is a new or an empty one */
function refuseUsed(folder: string, target: string): void {
  const refusal = (found: string) =>
    new FileError(`expected a new or an empty folder, found ${quoted(folder)}${found}`);
  const kind = lstatSync(target, { throwIfNoEntry: false });
  if (kind === undefined) return;
  const stats = statsOf(target);
  if (stats === undefined) throw refusal(", which is a link to nothing");
  if (!stats.isDirectory()) throw refusal(", which is a file");
  const names = readdirSync(target);
  if (names.length === 0) return;
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : "";
  throw refusal(` with ${names.slice(0, LISTED).map(quoted).join(", ")}${more}`);
}

/** The files of a project by their paths. */
function filesOf(language: "js" | "ts", name: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const part of ["common", language]) {
    const folder = join(TEMPLATES, part);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const source = join(entry.parentPath, entry.name);
      const path = join(relative(folder, entry.parentPath), RENAMED[entry.name] ?? entry.name);
      const text = readFileSync(source, "utf8").replaceAll(PLACEHOLDER, name);
      files.set(path, entry.name === "package.json" ? withVersions(text) : text);
    }
  }
  return files;
}

/** A manifest with the versions of the packages that this one was released with. */
function withVersions(text: string): string {
  const own = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const released: Readonly<Record<string, string>> = {
    ...own.devDependencies,
    ...own.peerDependencies,
    ...own.dependencies,
    [own.name]: own.version,
  };
  const manifest = JSON.parse(text);
  for (const kind of ["dependencies", "devDependencies"]) {
    for (const [name, version] of Object.entries(manifest[kind])) {
      if (version !== WORKSPACE) continue;
      // In a clone, packages are those of the workspace, which have one version.
      const wanted = released[name] ?? WORKSPACE;
      manifest[kind][name] = wanted === WORKSPACE ? own.version : wanted;
    }
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The version of a package of the workspace, for which packing writes the exact one. */
const WORKSPACE = "workspace:*";

/** Makes the folder with all files, or leaves everything as it was. */
function writeProject(target: string, files: ReadonlyMap<string, string>): void {
  const parent = dirname(target);
  makeFolder(parent);
  const made = join(parent, `.${basename(target).slice(0, 50)}.${process.pid}.mm-ptx-tmp`);
  mkdirSync(made);
  try {
    for (const [path, text] of files) {
      makeFolder(dirname(join(made, path)));
      writeFileSync(join(made, path), text);
    }
    if (statsOf(target) === undefined) renameSync(made, target);
    else moveInto(target, made);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

/** Moves the contents of a folder into an empty one, which may be the current folder. */
function moveInto(target: string, made: string): void {
  const moved: string[] = [];
  try {
    for (const name of readdirSync(made)) {
      renameSync(join(made, name), join(target, name));
      moved.push(join(target, name));
    }
    rmdirSync(made);
  } catch (error) {
    for (const path of moved) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}
