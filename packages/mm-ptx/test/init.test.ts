// `init`: the projects run and pass their tests, their names and versions are right, and nothing is overwritten or half written.
import { execFile } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProgramFolder } from "../../../tests/support/command-line.js";
import { packagesIn, ROOT, readManifest } from "../../../tests/support/workspace.js";
import { linkDependencies, linkPackages, MAIN } from "./support/installation.js";

const execute = promisify(execFile);

const FILES = {
  js: [
    ...[".gitignore", "README.md", "kernel.cu", "kernel.js", "kernel.ptx", "kernel.test.js", "main.js"],
    ...["package.json", "programs.js"],
  ],
  ts: [
    ...[".gitignore", "README.md", "kernel.cu", "kernel.ptx", "package.json"],
    ...["src/kernel.test.ts", "src/kernel.ts", "src/main.ts", "src/programs.ts", "tsconfig.json"],
  ],
};

const TABLE = `           x   x * x + 1   max(x, 0)      sin(x)
      -2.000       5.000       0.000      -0.909
      -1.000       2.000       0.000      -0.841
      -0.500       1.250       0.000      -0.479
       0.000       1.000       0.000       0.000
       0.500       1.250       0.500       0.479
       1.000       2.000       1.000       0.841
       2.000       5.000       2.000       0.909
`;

let program: ProgramFolder;
beforeEach(() => {
  program = new ProgramFolder(MAIN);
});
afterEach(() => program.remove());

/** All files below a folder of the test, and nothing else that begins with a dot. */
const filesIn = (name: string): string[] =>
  readdirSync(program.path(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(program.path(name).length + 1))
    .sort();

describe.each(["js", "ts"] as const)("a project in %s", (language) => {
  it("runs, and passes its tests", async () => {
    expect(await program.run(["init", "demo", `--${language}`])).toMatchObject({ code: 0, stderr: "" });
    expect(filesIn("demo")).toEqual(FILES[language].toSorted());
    const folder = program.path("demo");
    const { dependencies, devDependencies, scripts } = JSON.parse(program.read("demo/package.json"));
    // What `npm install` would put there.
    const own = Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
      name.includes("mm-ptx"),
    );
    linkPackages(folder, own);
    linkDependencies(folder, ".", ["@types/node", "typescript"]);
    mkdirSync(join(folder, "node_modules/.bin"));
    const compileWith = (typescript: string) => {
      rmSync(join(folder, "node_modules/.bin/tsc"), { force: true });
      symlinkSync(join(ROOT, "node_modules", typescript, "bin/tsc"), join(folder, "node_modules/.bin/tsc"));
    };
    compileWith("typescript");
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["start", "test", "kernel"]));
    // A process of vitest has these, and `node --test` would report to it.
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, NODE_PATH: ___, ...env } = process.env;
    const run = (script: string) => execute("npm", ["run", "--silent", script], { cwd: folder, env });
    expect((await run("start")).stdout).toContain(TABLE);
    expect(readdirSync(join(folder, "out"))).toEqual(["program1.ptx", "program2.ptx", "program3.ptx"]);
    expect(program.read("demo/out/program1.ptx")).toContain("mul.ftz.f32");
    // The next version of TypeScript compiles it, too, and takes less time.
    compileWith("typescript-native");
    expect((await run("test")).stdout).toMatch(/^(# |ℹ )pass 4$/m);
  }, 180_000);
});

it("writes JavaScript by default, with the exact versions of the packages, and says what comes next", async () => {
  const { stdout } = await program.run(["init", "work/My Project"]);
  expect(stdout).toContain("written work/My Project/kernel.cu\n");
  expect(stdout).toContain("\nnext: cd 'work/My Project' && npm install && npm start\n");
  expect(filesIn("work/My Project")).toEqual(FILES.js.toSorted());
  const manifest = JSON.parse(program.read("work/My Project/package.json"));
  expect(manifest.name).toBe("my-project");
  expect(program.read("work/My Project/README.md")).toMatch(/^# my-project\n/);
  const versions = new Map(
    packagesIn("packages")
      .map(readManifest)
      .map(({ name, version }) => [name, version]),
  );
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
    expect(`${name} ${version}`).toBe(`${name} ${versions.get(name)}`);
});

it("its files name the project in no other way, and its kernel is what nvcc made of the source", async () => {
  await program.run(["init", "demo"]);
  for (const file of filesIn("demo")) expect(program.read(`demo/${file}`)).not.toContain("mm-ptx-project");
  expect(program.read("demo/kernel.ptx")).toContain("// PTX_INJECT_START func");
});

it("with --json prints what it wrote", async () => {
  const { code, stdout } = await program.run(["init", "demo", "--ts", "--json"]);
  expect({ code, json: JSON.parse(stdout) }).toEqual({
    code: 0,
    json: {
      ok: true,
      name: "demo",
      folder: program.path("demo"),
      files: FILES.ts.map((file) => `demo/${file}`).sort(),
    },
  });
});

it("fills an empty folder, also the current one", async () => {
  mkdirSync(program.path("empty"));
  const before = lstatSync(program.path("empty")).ino;
  const { code } = await program.run(["init", "empty"]);
  expect({ code, files: filesIn("empty") }).toEqual({ code: 0, files: FILES.js.toSorted() });
  expect(lstatSync(program.path("empty")).ino).toBe(before);
  rmSync(program.path("empty"), { recursive: true });
  const here = await program.run(["init", "."]);
  expect(here.code).toBe(0);
  expect(here.stdout).toContain("\nnext: npm install && npm start\n");
  expect(filesIn(".")).toEqual(FILES.js.toSorted());
});

describe("what is there already stays as it is:", () => {
  const refused = async (folder: string, message: string, code = 1) => {
    const before = filesIn(".");
    const expected = { code, stdout: "", stderr: `error: ${message}\n` };
    expect(await program.run(["init", folder])).toEqual(expected);
    expect(filesIn(".")).toEqual(before);
    expect(readdirSync(program.folder).filter((name) => name.startsWith("."))).toEqual([]);
  };

  it("a folder with files, which the message names", async () => {
    program.write("demo/kernel.cu", "mine");
    program.write("demo/.git/HEAD", "");
    await refused("demo", "expected a new or an empty folder, found `demo` with `.git`, `kernel.cu`");
    expect(program.read("demo/kernel.cu")).toBe("mine");
    for (const name of ["a", "b", "c", "d", "e"]) program.write(`demo/${name}`, "");
    await refused(
      "demo",
      "expected a new or an empty folder, found `demo` with `.git`, `a`, `b`, `c`, `d` and 2 more",
    );
  });

  it("a file, and a link to nothing", async () => {
    writeFileSync(program.path("demo"), "");
    await refused("demo", "expected a new or an empty folder, found `demo`, which is a file");
    await refused(
      "demo/below",
      "expected a folder to write, found `demo/below`: a part of its path is not a folder",
    );
    symlinkSync("nowhere", program.path("link"));
    await refused("link", "expected a new or an empty folder, found `link`, which is a link to nothing");
    expect(existsSync(program.path("nowhere"))).toBe(false);
  });

  it("names without letters", async () => {
    await refused("...", "expected a folder with letters or digits in its name, found `...`", 2);
    await refused("", "expected a path, found ``", 2);
  });

  it("with both languages", async () => {
    const { code, stderr } = await program.run(["init", "demo", "--js", "--ts"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "error: expected `--js` or `--ts`, found both\n" });
    expect(filesIn(".")).toEqual([]);
  });
});

it("the kernel of the templates compiles to their PTX where nvcc is the version that made it", async ({
  skip,
}) => {
  const nvcc = await execute("nvcc", ["--version"]).catch(() => undefined);
  const common = join(ROOT, "packages/mm-ptx/templates/common");
  const ptx = readFileSync(join(common, "kernel.ptx"), "utf8");
  const [, version = ""] = /release [\d.]+, (V[\d.]+)/.exec(ptx) ?? [];
  if (nvcc === undefined || !nvcc.stdout.includes(version)) skip(`no nvcc ${version} on PATH`);
  const { scripts } = JSON.parse(readFileSync(join(common, "../js/package.json"), "utf8"));
  const command = scripts.kernel
    .replace("node_modules/@mm-ptx/inject", join(ROOT, "packages/inject"))
    .replace(" kernel.cu -o kernel.ptx", ` ${join(common, "kernel.cu")} -o kernel.ptx`);
  await execute("sh", ["-c", command], { cwd: program.folder });
  expect(program.read("kernel.ptx")).toBe(ptx);
});
