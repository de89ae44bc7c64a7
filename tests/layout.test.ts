// Who may import what. The table is the one of CONTRIBUTING.md: data goes one way, the packages in the middle never
// import each other, what runs in a browser never reaches for Node, and only the addon knows Node's own interface.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles } from "../scripts/lib/workspace.mjs";
import {
  importsOf,
  moduleEntries,
  packageOf,
  packagesIn,
  ROOT,
  reachableFrom,
  readManifest,
  sourcesIn,
} from "./support/workspace.js";

/** What of ours each package may import, as specifiers; a package may always import itself by relative paths. */
const ARROWS: Record<string, readonly string[]> = {
  "@mm-ptx/types": [],
  "@mm-ptx/ptx": ["@mm-ptx/types/core"],
  "@mm-ptx/inject": ["@mm-ptx/types/core", "@mm-ptx/ptx"],
  "@mm-ptx/stack": ["@mm-ptx/types/core"],
  "@mm-ptx/ast": ["@mm-ptx/types/core"],
  "@mm-ptx/emulator": ["@mm-ptx/types/core", "@mm-ptx/ptx"],
  "@mm-ptx/cuda": ["@mm-ptx/types/core", "@mm-ptx/ptx", "@mm-ptx/cuda-*"],
};

/** Command lines are Node programs, and they may read description files. */
const CLI_ARROWS = ["@mm-ptx/types", "@mm-ptx/types/core", "@mm-ptx/types/node", "@mm-ptx/types/cli"];

/** What runs in a browser: no `node:` import is reachable from any entry but those made for Node. */
const BROWSER_READY = ["types", "ptx", "inject", "stack", "ast", "emulator"].map(
  (name) => `packages/${name}`,
);
const NODE_ENTRIES = new Set(["./node", "./cli"]);

const PACKAGES = packagesIn("packages");
const isCli = (file: string) => /\/src\/cli(\/|\.ts$)/.test(file);
const matches = (pattern: string, specifier: string) =>
  pattern.endsWith("*") ? specifier.startsWith(pattern.slice(0, -1)) : specifier === pattern;

describe("arrows between packages", () => {
  it.each(PACKAGES)("%s imports only what stands before it", (folder) => {
    const { name } = readManifest(folder);
    const allowed = ARROWS[name];
    expect(allowed, `expected ${name} in the table of arrows`).toBeDefined();
    const wrong = sourcesIn(`${folder}/src`).flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => specifier.startsWith("@mm-ptx/"))
        .filter(({ specifier }) => {
          const arrows = isCli(file) ? [...allowed!, ...CLI_ARROWS] : allowed!;
          return !arrows.some((arrow) => matches(arrow, specifier));
        })
        .map(({ specifier, line }) => `${file}:${line} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it("no source leaves its package by a relative path", () => {
    const folders = [...PACKAGES.map((folder) => `${folder}/src`), ...packagesIn("examples"), "bench"];
    const wrong = folders.flatMap((folder) =>
      sourcesIn(folder).flatMap((file) =>
        importsOf(file)
          .filter(({ specifier }) => specifier.startsWith("."))
          .filter(({ specifier }) => {
            const path = new URL(specifier, `file:///${file}`).pathname.slice(1);
            return !path.startsWith(`${folder}/`);
          })
          .map(({ specifier, line }) => `${file}:${line} imports ${specifier}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it.each([...PACKAGES, ...packagesIn("examples"), "bench"])(
    "%s declares every package that it imports",
    (folder) => {
      const { dependencies, optionalDependencies, peerDependencies, devDependencies } = readManifest(folder);
      const declared = new Set(
        Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
      );
      const forBuild = new Set(Object.keys(devDependencies ?? {}));
      const isPackage = folder.startsWith("packages/");
      const wrong = sourcesIn(isPackage ? `${folder}/src` : folder).flatMap((file) =>
        importsOf(file)
          .filter(({ specifier }) => !/^(\.|node:)/.test(specifier))
          .filter(({ specifier, typeOnly }) => {
            const name = packageOf(specifier);
            return !declared.has(name) && !((typeOnly || !isPackage) && forBuild.has(name));
          })
          .map(({ specifier, line }) => `${file}:${line} imports ${specifier}`),
      );
      expect(wrong).toEqual([]);
    },
  );
});

describe("what a browser can load", () => {
  const entries = BROWSER_READY.filter((folder) => PACKAGES.includes(folder)).flatMap((folder) =>
    [...moduleEntries(folder)]
      .filter(([subpath]) => !NODE_ENTRIES.has(subpath))
      .map(([subpath, file]) => ({ entry: `${folder} ${subpath}`, file })),
  );

  it.each(entries)("$entry reaches no Node module", ({ file }) => {
    const reached = reachableFrom(file).flatMap((path) =>
      importsOf(path)
        .filter(({ specifier, typeOnly }) => !typeOnly && specifier.startsWith("node:"))
        .map(({ specifier, line }) => `${path}:${line} imports ${specifier}`),
    );
    expect(reached).toEqual([]);
  });
});

describe("what the emulator loads at once", () => {
  const SRC = "packages/emulator/src";
  const loads = (entry: string, folders: readonly string[]) => {
    const files = reachableFrom(`${SRC}/${entry}`, "at once");
    expect(files.length).toBeGreaterThan(20);
    return files.filter((file) => folders.some((folder) => file.startsWith(`${SRC}/${folder}/`)));
  };

  it("is no engine: launches load those", () => {
    expect(loads("index.ts", ["wasm", "control", "interpreter", "arithmetic", "view"])).toEqual([]);
  });

  it("is, with the translator, nothing that computes: kernels load that", () => {
    expect(loads("wasm/index.ts", ["interpreter", "arithmetic"])).toEqual([`${SRC}/arithmetic/nan.ts`]);
  });
});

describe("zod", () => {
  const importsZod = (file: string) =>
    importsOf(file).some(({ specifier }) => packageOf(specifier) === "zod");

  it("is imported by @mm-ptx/types alone", () => {
    const others = PACKAGES.filter((folder) => folder !== "packages/types").flatMap((folder) =>
      sourcesIn(`${folder}/src`),
    );
    expect(others.filter(importsZod)).toEqual([]);
  });

  it("is not reachable from @mm-ptx/types/core", () => {
    const reached = reachableFrom("packages/types/src/core/index.ts");
    expect(reached.length).toBeGreaterThan(1);
    expect(reached.filter(importsZod)).toEqual([]);
    expect(reached.filter((file) => !file.startsWith("packages/types/src/core/"))).toEqual([]);
  });
});

it("only native/addon includes Node's headers", () => {
  const sources = listFiles(ROOT, "native", (path) => /\.(c|cc|cpp|cxx|h|hh|hpp)$/.test(path));
  const included = /^\s*#\s*include\s*[<"](?:napi|node_api|js_native_api|node|v8|uv)[\w-]*\.h[>"]/m;
  const including = sources.filter((file) => included.test(readFileSync(join(ROOT, file), "utf8")));
  expect(including.filter((file) => !file.startsWith("native/addon/"))).toEqual([]);
  expect(including).not.toEqual([]);
});
