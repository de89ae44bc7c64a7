// The package index that this machine's user has chosen for Python packages (pip documentation, Configuration). Without a
// choice, nothing is downloaded: there is no default index.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** An index of packages, and what names it. */
export interface PackageIndex {
  readonly url: string;
  readonly named: string;
}

const VARIABLES = ["MM_PTX_PYPI_INDEX", "PIP_INDEX_URL"] as const;

/** The first of `MM_PTX_PYPI_INDEX`, `PIP_INDEX_URL` and `index-url` in pip's configuration files. */
export function packageIndex(
  environment: Environment = process.env,
  home: string = homedir(),
): PackageIndex | undefined {
  for (const name of VARIABLES) {
    const url = environment[name];
    if (url) return { url, named: name };
  }
  for (const file of configurationFiles(environment, home)) {
    const url = indexIn(textOf(file));
    if (url !== undefined) return { url, named: file };
  }
  return undefined;
}

/** In the order in which pip lets them win. */
function configurationFiles(environment: Environment, home: string): string[] {
  const { PIP_CONFIG_FILE, VIRTUAL_ENV, XDG_CONFIG_HOME, XDG_CONFIG_DIRS, APPDATA, ProgramData } =
    environment;
  if (process.platform === "win32") {
    const folders = [
      VIRTUAL_ENV,
      APPDATA && join(APPDATA, "pip"),
      join(home, "pip"),
      ProgramData && join(ProgramData, "pip"),
    ];
    return [PIP_CONFIG_FILE, ...folders.map((folder) => folder && join(folder, "pip.ini"))].filter(isPath);
  }
  const shared = (XDG_CONFIG_DIRS || "/etc/xdg").split(":").map((folder) => join(folder, "pip", "pip.conf"));
  return [
    PIP_CONFIG_FILE,
    VIRTUAL_ENV && join(VIRTUAL_ENV, "pip.conf"),
    join(XDG_CONFIG_HOME || join(home, ".config"), "pip", "pip.conf"),
    join(home, ".pip", "pip.conf"),
    "/etc/pip.conf",
    ...shared,
  ].filter(isPath);
}

const isPath = (path: string | undefined): path is string => path !== undefined && path !== "";

/** Empty if the file can't be read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** `index-url` in the sections `download` or `global`; the first one wins. */
function indexIn(text: string): string | undefined {
  const found = new Map<string, string>();
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    section = /^\s*\[(.+?)\]\s*$/.exec(line)?.[1] ?? section;
    const url = /^\s*index[-_]url\s*[=:]\s*(\S+)/.exec(line)?.[1];
    if (url !== undefined) found.set(section, url);
  }
  return found.get("download") ?? found.get("global");
}
