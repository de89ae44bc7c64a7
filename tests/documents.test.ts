// Every program that a document shows runs as shown and prints the contents of the next block: JavaScript in
// this Node, with the packages as an installation has them, C and Python with the machine's compiler and
// interpreter. What needs a GPU runs with the fake driver, and `old` marks parts of programs for earlier
// versions, which do not run. A block that names a file of an example is a part of it.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capabilities } from "../packages/cuda/dist/index.js";
import { FakeDriver, HAS_FAKE_DRIVER } from "../packages/cuda/test/driver/support/fake-driver.js";
import { generateCHeader, generatePython, parseStackDescription } from "../packages/types/dist/index.js";
import { codeBlocks } from "../scripts/lib/markdown.mjs";
import { findOnPath } from "../scripts/lib/tools.mjs";
import { listFiles } from "../scripts/lib/workspace.mjs";
import { runResident } from "./support/resident.js";
import { type Manifest, packagesIn, ROOT, readManifest } from "./support/workspace.js";

const execute = promisify(execFile);

const COMPILES = capabilities().backends.some(({ available }) => available);

/** What a program prints, and whether it stopped early: at a compile, if nothing compiles PTX. */
interface Printed {
  readonly stdout: string;
  readonly cut?: boolean;
}

/** Runs a file from the root, relative to which examples name files, in a process of its own. */
const runNode = (file: string): Promise<{ stdout: string; stderr: string }> =>
  execute(process.execPath, [file], { cwd: ROOT }).catch((error) => error);

/** The same in a process that has loaded the packages and runs one file after another. */
async function runShared(file: string): Promise<{ stdout: string; stderr: string }> {
  const line = { main: file, words: [], folder: ROOT, env: process.env, input: "" };
  const { stdout, stderr } = await runResident(line);
  return { stdout: Buffer.from(stdout).toString(), stderr: Buffer.from(stderr).toString() };
}

/** How to run a program of each language from a folder, in a process of its own if it needs a GPU. */
const LANGUAGES: Record<
  string,
  { needs: string; run: (folder: string, code: string, needsGpu: boolean) => Promise<Printed> }
> = {
  js: {
    needs: "node",
    run: async (folder, code, needsGpu) => {
      const file = join(folder, "example.mjs");
      writeFileSync(file, code);
      // A process looks for a driver once, and ends at a compile if nothing compiles.
      const { stdout, stderr } = await (needsGpu || !COMPILES ? runNode(file) : runShared(file));
      const cut = !COMPILES && stderr.includes("UNAVAILABLE");
      if (!cut) expect(stderr).toBe("");
      return { stdout, cut };
    },
  },
  c: {
    needs: "cc",
    run: async (folder, code) => {
      writeFileSync(join(folder, "example.c"), code);
      const program = join(folder, "example");
      const flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-o", program];
      await execute("cc", [...flags, "example.c"], { cwd: folder });
      return execute(program, { cwd: folder });
    },
  },
  python: {
    needs: "python3",
    run: async (folder, code) => {
      writeFileSync(join(folder, "example.py"), code);
      return execute("python3", ["example.py"], { cwd: folder });
    },
  },
};

interface Example {
  readonly document: string;
  readonly where: string;
  readonly language: string;
  /** Whether a program uses something that only a GPU has. */
  readonly needsGpu: boolean;
  readonly code: string;
  readonly output: string | undefined;
}

/** The programs of a document, with the output that the next block shows if it has no language. */
function examplesOf(document: string): Example[] {
  const blocks = codeBlocks(readFileSync(join(ROOT, document), "utf8"));
  return blocks.flatMap(({ language, note, code }, index) => {
    if (!Object.hasOwn(LANGUAGES, language) || note === "old") return [];
    const next = blocks[index + 1];
    const output = next?.language === "" ? next.code : undefined;
    return [
      {
        document,
        where: `${document}, block ${index + 1}`,
        language,
        needsGpu: note === "gpu",
        code,
        output,
      },
    ];
  });
}

const DOCUMENTS = listFiles(ROOT, ".", (name) => name.endsWith(".md"));
const EXAMPLES = DOCUMENTS.flatMap(examplesOf);

/** The blocks that name the file of an example. */
const EXCERPTS = DOCUMENTS.flatMap((document) =>
  codeBlocks(readFileSync(join(ROOT, document), "utf8")).flatMap(({ note, code }, index) =>
    note.startsWith("examples/") ? [{ where: `${document}, block ${index + 1}`, file: note, code }] : [],
  ),
);

/** Output that depends on the compiler's version. */
const withoutFigures = (text: string) => text.replace(/^\d+ registers, \d+ bytes\n/gm, "");

describe("the example in", () => {
  let folder: string;
  beforeAll(() => {
    mkdirSync(join(ROOT, "out"), { recursive: true });
    folder = mkdtempSync(join(ROOT, "out/documents-"));
    mkdirSync(join(folder, "node_modules/@mm-ptx"), { recursive: true });
    for (const source of packagesIn("packages")) {
      symlinkSync(join(ROOT, source), join(folder, "node_modules", readManifest(source).name), "dir");
    }
    // The output of `mm-ptx-types generate` for our description, for programs in other languages.
    const description = readFileSync(join(ROOT, "type_descriptions/stack_descriptions.json"), "utf8");
    const table = parseStackDescription(description);
    writeFileSync(join(folder, "stack.h"), generateCHeader(table));
    writeFileSync(join(folder, "stack.py"), generatePython(table));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.for(EXAMPLES)("$where runs as shown", async ({ language, needsGpu, code, output }, { skip }) => {
    const { needs, run } = LANGUAGES[language]!;
    skip(findOnPath([needs], process.env) === undefined, `no ${needs} on PATH`);
    const noFake = needsGpu && !HAS_FAKE_DRIVER;
    skip(noFake, "no fake driver was built");
    // The fake driver checks calls and computes nothing, so the output of such a program is not compared.
    using fake = needsGpu ? new FakeDriver() : undefined;
    const { stdout, cut = false } = await run(folder, code, needsGpu);
    fake?.expectClean();
    if (output === undefined) return;
    if (cut) expect(output.startsWith(stdout)).toBe(true);
    else expect(withoutFigures(stdout)).toBe(withoutFigures(output));
  });
});

it.for(EXCERPTS)("the excerpt in $where is a part of $file", ({ file, code }) => {
  expect(readFileSync(join(ROOT, file), "utf8")).toContain(code);
});

const isLibrary = ({ os, private: hidden }: Manifest) => os === undefined && hidden !== true;

it.each(packagesIn("packages").filter((folder) => isLibrary(readManifest(folder))))(
  "the README of %s shows an example",
  (folder) => {
    expect(EXAMPLES.map(({ document }) => document)).toContain(`${folder}/README.md`);
  },
);
