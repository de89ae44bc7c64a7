// Which package may import which, as in the table of CONTRIBUTING.md: data goes one way, the packages in the
// middle never import each other, what runs in a browser never imports Node modules, and only the addon
// includes Node's headers.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles } from "../scripts/lib/workspace.mjs";
import { importsOf, packageOf, reachableFrom } from "./support/imports.js";
import { moduleEntries, packagesIn, ROOT, readManifest, sourcesIn } from "./support/workspace.js";

/** Imports that every package may have. */
const SHARED = [
  "@mm-ptx/types/code",
  "@mm-ptx/types/core",
  "@mm-ptx/types/internal",
  "@mm-ptx/types/internal/floats",
  "@mm-ptx/types/internal/workers",
  "@mm-ptx/types/kernel-file",
];

/** What the compilers may import besides. */
const COLUMNS = ["@mm-ptx/columns", "@mm-ptx/columns/machine"];

/** What packages for Node may import besides. */
const FILES = "@mm-ptx/types/internal/node";

/** Our own specifiers that each package may import; a package may always import itself by relative paths. */
const ARROWS: Record<string, readonly string[]> = {
  "@mm-ptx/types": [],
  "@mm-ptx/cli": ["@mm-ptx/types/core", "@mm-ptx/types/internal"],
  "@mm-ptx/ptx": [...SHARED],
  "@mm-ptx/columns": [...SHARED, "@mm-ptx/ptx"],
  "@mm-ptx/inject": [...SHARED, "@mm-ptx/ptx"],
  "@mm-ptx/learn": ["@mm-ptx/types/core", "@mm-ptx/types/internal", "@mm-ptx/types/internal/workers"],
  "@mm-ptx/stack": [...SHARED, ...COLUMNS],
  "@mm-ptx/ast": [...SHARED, ...COLUMNS],
  "@mm-ptx/emulator": [...SHARED, "@mm-ptx/types/device", "@mm-ptx/ptx", "@mm-ptx/columns/arithmetic"],
  "@mm-ptx/cuda": [...SHARED, "@mm-ptx/types/device", "@mm-ptx/ptx", "@mm-ptx/cuda-*"],
  "@mm-ptx/pipeline": [
    ...SHARED,
    FILES,
    "@mm-ptx/types/device",
    "@mm-ptx/ptx",
    "@mm-ptx/inject",
    "@mm-ptx/learn",
    "@mm-ptx/stack",
    "@mm-ptx/ast",
    "@mm-ptx/emulator",
    "@mm-ptx/cuda",
  ],
  "@mm-ptx/farm": [
    ...SHARED,
    "@mm-ptx/inject",
    "@mm-ptx/stack",
    "@mm-ptx/stack/default",
    "@mm-ptx/ast",
    "@mm-ptx/ast/f32",
    "@mm-ptx/cuda",
    "@mm-ptx/cuda/backend",
    "@mm-ptx/cuda/fetch",
  ],
  "@mm-ptx/search": [
    ...SHARED,
    FILES,
    "@mm-ptx/types/device",
    ...COLUMNS,
    "@mm-ptx/columns/arithmetic",
    "@mm-ptx/columns/stub",
    "@mm-ptx/learn",
    "@mm-ptx/stack",
    "@mm-ptx/stack/default",
    "@mm-ptx/stack/random",
    "@mm-ptx/ast",
    "@mm-ptx/ast/f32",
  ],
  // It loads the others by their names, in the project of the user.
  "mm-ptx": ["@mm-ptx/types/core", "@mm-ptx/types/internal"],
};

/** Packages that others only load when they are needed, and the files that may do so. */
const LOADED_LATER: Readonly<Record<string, RegExp>> = {
  "@mm-ptx/cuda": /^packages\/(search\/src\/node|emulator\/src\/cli)\//,
  "@mm-ptx/inject": /^packages\/search\/src\/(node|cli)\//,
  "@mm-ptx/pipeline": /^packages\/search\/src\/(node|cli)\//,
};

/** Command lines are Node programs, and they may read description files. */
const CLI_ARROWS = ["@mm-ptx/types", ...SHARED, "@mm-ptx/types/node"];

/** The package that the build bundles into command lines, and the module of each that it is bundled into. */
const BUNDLED = { name: "@mm-ptx/cli", file: /\/src\/cli\/framework\.ts$/ };

/** Packages for browsers: no `node:` import is reachable from any entry except those made for Node. */
const BROWSER_READY = ["types", "ptx", "columns", "inject", "learn", "stack", "ast", "emulator"].map(
  (name) => `packages/${name}`,
);
const NODE_ENTRIES = new Set(["./command", "./internal/node", "./node", "./vitest"]);

const PACKAGES = packagesIn("packages");
const isBundled = (file: string, specifier: string) => BUNDLED.file.test(file) && specifier === BUNDLED.name;
const isCli = (file: string) => /\/src\/cli(\/|\.ts$)/.test(file);
const matches = (pattern: string, specifier: string) =>
  pattern.endsWith("*") ? specifier.startsWith(pattern.slice(0, -1)) : specifier === pattern;

describe("imports between packages", () => {
  it.each(PACKAGES)("%s imports only what it may", (folder) => {
    const { name } = readManifest(folder);
    const allowed = ARROWS[name];
    expect(allowed, `expected ${name} in the table of arrows`).toBeDefined();
    const wrong = sourcesIn(`${folder}/src`).flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => specifier.startsWith("@mm-ptx/"))
        .filter(({ specifier, later }) => {
          if (later && LOADED_LATER[specifier]?.test(file)) return false;
          const arrows = isCli(file) ? [...allowed!, ...CLI_ARROWS] : allowed!;
          return !isBundled(file, specifier) && !arrows.some((arrow) => matches(arrow, specifier));
        })
        .map(({ specifier, line }) => `${file}:${line} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it("no source leaves its package by a relative path", () => {
    const folders = [
      ...PACKAGES.map((folder) => `${folder}/src`),
      ...packagesIn("apps"),
      ...packagesIn("examples"),
      "bench",
    ];
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

  it.each([...PACKAGES, ...packagesIn("apps"), ...packagesIn("examples"), "bench"])(
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
          .filter(({ specifier }) => !/^(\.|node:)/.test(specifier) && !isBundled(file, specifier))
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

describe("the framework of the command lines", () => {
  const published = PACKAGES.filter((folder) => readManifest(folder).private !== true);

  it("is not published, and no published package depends on it", () => {
    expect(published).not.toContain("packages/cli");
    expect(published).not.toEqual([]);
    const naming = published.filter((folder) => JSON.stringify(readManifest(folder)).includes(BUNDLED.name));
    expect(naming).toEqual([]);
  });

  it.each(published.filter((folder) => sourcesIn(`${folder}/src/cli`).length > 0))(
    "is in %s one module, which the build bundles",
    (folder) => {
      const file = `${folder}/dist/cli/framework.js`;
      const specifiers = importsOf(file).map(({ specifier }) => specifier);
      const { name, dependencies } = readManifest(folder);
      const declared = [name, ...Object.keys(dependencies!)];
      expect(specifiers).toContain("@mm-ptx/types/internal");
      expect(
        specifiers.filter((one) => !one.startsWith("node:") && !declared.includes(packageOf(one))),
      ).toEqual([]);
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

  it("does not include the engines, which launches load", () => {
    expect(loads("index.ts", ["wasm", "control", "interpreter", "arithmetic", "view"])).toEqual([]);
  });

  it.each(["index.ts", "wasm/index.ts"])(
    "does not include functions that compute, even with the translator: kernels load them (%s)",
    (entry) => {
      expect(loads(entry, ["interpreter", "arithmetic"])).toEqual([]);
      const loading = reachableFrom(`${SRC}/${entry}`, "at once").filter((file) =>
        importsOf(file).some(
          ({ specifier, typeOnly, later }) =>
            !typeOnly && !later && packageOf(specifier) === "@mm-ptx/columns",
        ),
      );
      expect(loading).toEqual([]);
    },
  );
});

it("no package exports everything of a module: each name is listed", () => {
  const wrong = PACKAGES.flatMap((folder) => sourcesIn(`${folder}/src`)).filter((file) =>
    /^\s*export \* from/m.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(wrong).toEqual([]);
});

describe("zod", () => {
  const importsZod = (file: string) =>
    importsOf(file).some(({ specifier }) => packageOf(specifier) === "zod");

  it("is imported by @mm-ptx/types only", () => {
    const others = PACKAGES.filter((folder) => folder !== "packages/types").flatMap((folder) =>
      sourcesIn(`${folder}/src`),
    );
    expect(others.filter(importsZod)).toEqual([]);
  });

  it.each(["code", "core", "device", "internal", "kernel-file"])(
    "is not reachable from @mm-ptx/types/%s",
    (entry) => {
      const reached = reachableFrom(`packages/types/src/${entry}/index.ts`);
      expect(reached.length).toBeGreaterThan(1);
      expect(reached.filter(importsZod)).toEqual([]);
      expect(
        reached.filter(
          (file) => !/^packages\/types\/src\/(code|core|device|internal|kernel-file)\//.test(file),
        ),
      ).toEqual([]);
    },
  );
});

it("only the folders of addons include Node's headers", () => {
  const sources = listFiles(ROOT, "native", (path) => /\.(c|cc|cpp|cxx|h|hh|hpp)$/.test(path));
  const included = /^\s*#\s*include\s*[<"](?:napi|node_api|js_native_api|node|v8|uv)[\w-]*\.h[>"]/m;
  const including = sources.filter((file) => included.test(readFileSync(join(ROOT, file), "utf8")));
  expect(including.filter((file) => !/^native\/(learn\/)?addon\//.test(file))).toEqual([]);
  expect(including).not.toEqual([]);
});
