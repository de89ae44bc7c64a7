// A small checkout for tests of set-up: the real scripts, a package of one file, and stand-ins for every
// program that set-up starts, so that a test decides what the machine has and what fails.

import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "./workspace.js";

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The stand-in for `npx pnpm`: the install creates a folder, the build copies sources to `dist/`. */
const NPX = `
const words = process.argv.slice(2).join(" ");
const [kind] = /\\b(install|build)\\b/.exec(words) ?? ["unknown"];
note(kind);
if (existsSync("slow-" + kind)) await new Promise((resolve) => setTimeout(resolve, 60_000));
if (existsSync("broken-" + kind)) { console.error("the reason of the failure"); process.exit(1); }
mkdirSync(kind === "install" ? "node_modules" : "packages/one/dist", { recursive: true });
if (kind === "build") writeFileSync("packages/one/dist/index.js", readFileSync("packages/one/src/index.ts"));
if (kind === "build" && existsSync("cached-orphan")) writeFileSync("packages/one/dist/orphan.js", "");
`;

/** The stand-in for cmake-js. */
const CMAKE_JS = `
const build = process.argv[process.argv.indexOf("-O") + 1];
const cache = build + "/CMakeCache.txt";
if (process.argv[2] === "configure") {
  if (existsSync(cache) && readFileSync(cache, "utf8") !== build) { console.error("another place"); process.exit(1); }
  mkdirSync(build, { recursive: true });
  writeFileSync(cache, build);
  process.exit(0);
}
note("addon");
if (existsSync("broken-addon")) { console.error("the reason of the failure"); process.exit(1); }
const folder = process.argv.find((word) => word.startsWith("--CDMM_PTX_OUTPUT_DIR=")).split("=")[1];
const archive = process.argv.find((word) => word.startsWith("--CDMM_PTX_NVPTXCOMPILER_DIR=")).split("=")[1];
mkdirSync(folder, { recursive: true });
if (!existsSync(build + "/mmptx.node")) writeFileSync(build + "/mmptx.node", "addon");
writeFileSync(folder + "/mmptx.node", readFileSync(build + "/mmptx.node"));
writeFileSync(folder + "/mmptx-worker", "worker");
if (archive !== "") writeFileSync(folder + "/libmmptxc.so", "library");
const runtime = process.argv.find((word) => word.startsWith("--CDMM_PTX_CUDART_OUTPUT_DIR=")).split("=")[1];
mkdirSync(runtime, { recursive: true });
const learn = process.argv.find((word) => word.startsWith("--CDMM_PTX_LEARN_OUTPUT_DIR=")).split("=")[1];
mkdirSync(learn, { recursive: true });
writeFileSync(learn + "/mmptx-learn.node", "addon");
for (const version of [12, 13]) writeFileSync(runtime + "/libcudart.so." + version, "runtime");
`;

/** The stand-in for loading the addon: it accepts the output of the stand-in for cmake-js. */
const LOAD_ADDON = `
const expected = ["addon", "library"];
for (const [index, path] of process.argv.slice(2).entries()) {
  if (readFileSync(path, "utf8") !== expected[index]) { console.error(path + " can't be loaded"); process.exit(1); }
}
if (existsSync("unloadable-addon")) { console.error("invalid ELF header"); process.exit(1); }
`;

/** The stand-in for Python: it has pip, and downloads something that is not a wheel. */
const PYTHON = `
const words = process.argv.slice(2).join(" ");
if (words.includes("download")) {
  note("download");
  if (existsSync("broken-download")) { console.error("no network"); process.exit(1); }
  writeFileSync(/--dest=(\\S+)/.exec(words)[1] + "/nvidia_nvptxcompiler-13.0.88-any.whl", "not a wheel");
}
`;

const PRELUDE = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
const note = (word) => appendFileSync("calls.log", word + "\\n");
`;

export class SetupTree {
  readonly root = mkdtempSync(join(tmpdir(), "mm-ptx-setup-"));
  readonly bin = join(this.root, "bin");

  constructor() {
    cpSync(join(ROOT, "scripts"), join(this.root, "scripts"), { recursive: true });
    this.write("scripts/lib/load-addon.mjs", PRELUDE + LOAD_ADDON);
    this.write("package.json", '{ "name": "tree", "type": "module" }');
    this.write("pnpm-workspace.yaml", "packages:\n  - packages/*\n  - native\n");
    this.write("packages/one/package.json", '{ "name": "one", "scripts": { "build": "tsc -b" } }');
    this.write("packages/one/src/index.ts", "export {};\n");
    this.write("native/package.json", '{ "name": "@mm-ptx/native", "type": "module" }');
    this.write("native/CMakeLists.txt", "");
    this.write("native/node_modules/cmake-js/package.json", '{ "type": "module" }');
    this.write("native/node_modules/cmake-js/bin/cmake-js", PRELUDE + CMAKE_JS);
    mkdirSync(this.bin);
    symlinkSync(process.execPath, join(this.bin, "node"));
    this.addProgram("npx", NPX);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  exists(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** Puts a program on the tree's PATH: a module for Node with a shebang. */
  addProgram(name: string, body = ""): void {
    this.write(`bin/${name}.mjs`, PRELUDE + body);
    const path = join(this.bin, name);
    writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${path}.mjs' "$@"\n`);
    chmodSync(path, 0o755);
  }

  /** The tools that the addon needs: a compiler, make and CMake. */
  addCompiler(): void {
    for (const name of ["c++", "make", "cmake"]) this.addProgram(name);
  }

  addPython(): void {
    this.addProgram("python3", PYTHON);
  }

  /** An archive, and the variable that names it. */
  addArchive(): Record<string, string> {
    this.write("archive/include/nvPTXCompiler.h", "");
    this.write("archive/lib/libnvptxcompiler_static.a", "");
    return { MM_PTX_NVPTXCOMPILER_DIR: join(this.root, "archive") };
  }

  /** The commands that the stand-ins were started with since the last call, in order. */
  takeCalls(): string[] {
    const path = join(this.root, "calls.log");
    if (!existsSync(path)) return [];
    const calls = readFileSync(path, "utf8").trim().split("\n");
    rmSync(path);
    return calls;
  }

  /** Starts set-up with only the tree's PATH and `variables` in its environment. */
  start(variables: Record<string, string> = {}, args: readonly string[] = []) {
    const child = spawn(process.execPath, [join(this.root, "scripts/setup.mjs"), ...args], {
      cwd: this.root,
      env: { PATH: this.bin, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    const outcome = new Promise<Outcome>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, stdout, stderr }));
    });
    return { child, outcome, seen: () => stderr };
  }

  run(variables: Record<string, string> = {}, args: readonly string[] = []): Promise<Outcome> {
    return this.start(variables, args).outcome;
  }

  /** Waits until the stand-ins have been started for `word`. */
  async called(word: string): Promise<void> {
    const path = join(this.root, "calls.log");
    while (!(existsSync(path) && readFileSync(path, "utf8").includes(word))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
