// Finds programs on PATH, and says how to install missing ones.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** @typedef {Record<string, string | undefined>} Environment */

/**
 * The first of `names` that is an executable file on PATH, as an absolute path.
 *
 * @param {readonly string[]} names
 * @param {Environment} environment
 * @returns {string | undefined}
 */
export function findOnPath(names, environment) {
  const folders = (environment.PATH ?? environment.Path ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "");
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""];
  for (const name of names) {
    for (const folder of folders) {
      for (const ending of endings) {
        const path = join(folder, name + ending);
        try {
          if (!statSync(path).isFile()) continue;
          accessSync(path, constants.X_OK);
          return path;
        } catch {}
      }
    }
  }
  return undefined;
}

/** The programs that set-up needs, with their alternative names. `CXX` names another compiler. */
const PROGRAMS = {
  compiler: { what: "a C++17 compiler", names: ["c++", "g++", "clang++"] },
  make: { what: "make", names: ["make", "gmake"] },
  cmake: { what: "CMake", names: ["cmake"] },
  python: { what: "Python 3", names: ["python3", "python"] },
};

/** @typedef {keyof typeof PROGRAMS} Program */

/**
 * @param {Program} program
 * @param {Environment} environment
 */
export function findProgram(program, environment) {
  const own = program === "compiler" ? environment.CXX?.split(" ")[0] : undefined;
  return findOnPath(own ? [own, ...PROGRAMS[program].names] : PROGRAMS[program].names, environment);
}

/** @type {Record<string, { command: string, packages: Record<Program | "pip", string> }>} */
const MANAGERS = {
  "apt-get": {
    command: "apt-get install -y",
    packages: { compiler: "g++", make: "make", cmake: "cmake", python: "python3", pip: "python3-pip" },
  },
  dnf: {
    command: "dnf install -y",
    packages: { compiler: "gcc-c++", make: "make", cmake: "cmake", python: "python3", pip: "python3-pip" },
  },
  yum: {
    command: "yum install -y",
    packages: { compiler: "gcc-c++", make: "make", cmake: "cmake", python: "python3", pip: "python3-pip" },
  },
  zypper: {
    command: "zypper install -y",
    packages: { compiler: "gcc-c++", make: "make", cmake: "cmake", python: "python3", pip: "python3-pip" },
  },
  pacman: {
    command: "pacman -S --noconfirm",
    packages: { compiler: "gcc", make: "make", cmake: "cmake", python: "python", pip: "python-pip" },
  },
  apk: {
    command: "apk add",
    packages: { compiler: "g++", make: "make", cmake: "cmake", python: "python3", pip: "py3-pip" },
  },
  brew: {
    command: "brew install",
    packages: { compiler: "gcc", make: "make", cmake: "cmake", python: "python", pip: "python" },
  },
};

/**
 * The command that installs the missing programs with this machine's package manager.
 *
 * @param {readonly (Program | "pip")[]} missing
 * @param {Environment} environment
 */
function installCommand(missing, environment) {
  const manager = Object.keys(MANAGERS).find((name) => findOnPath([name], environment) !== undefined);
  const { command, packages } = MANAGERS[manager ?? "apt-get"];
  return `${command} ${[...new Set(missing.map((program) => packages[program]))].join(" ")}`;
}

/**
 * A sentence that names the missing programs and how to install them.
 *
 * @param {readonly (Program | "pip")[]} missing not empty
 * @param {Environment} environment
 */
export function describeMissing(missing, environment) {
  const words = missing.map((program) => (program === "pip" ? "pip for Python 3" : PROGRAMS[program].what));
  const list = words.length === 1 ? words[0] : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
  return `${list} ${words.length === 1 ? "is" : "are"} missing (install: \`${installCommand(missing, environment)}\`)`;
}
