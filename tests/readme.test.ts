// The first code example of each README runs as it is shown, under this Node, with the packages as an installation has
// them, and prints what the block behind it shows.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capabilities } from "../packages/cuda/dist/index.js";
import { firstExample } from "../scripts/lib/markdown.mjs";
import { packagesIn, ROOT, readManifest } from "./support/workspace.js";

const READMES = ["README.md", ...["inject", "stack", "types"].map((name) => `packages/${name}/README.md`)];

/** What the machine decides: the compiler's figures, which are not there without one. */
const withoutFigures = (text: string) => text.replace(/^\d+ registers, \d+ bytes\n/gm, "");

describe("the example in", () => {
  let folder: string;
  beforeAll(() => {
    mkdirSync(join(ROOT, "out"), { recursive: true });
    folder = mkdtempSync(join(ROOT, "out/readme-"));
    mkdirSync(join(folder, "node_modules/@mm-ptx"), { recursive: true });
    for (const source of packagesIn("packages")) {
      symlinkSync(join(ROOT, source), join(folder, "node_modules", readManifest(source).name), "dir");
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(READMES)("%s runs as shown", async (readme) => {
    const example = firstExample(readFileSync(join(ROOT, readme), "utf8"));
    expect(example, `expected a \`\`\`js block in ${readme}`).toBeDefined();
    const { code, output } = example!;
    const file = join(folder, "example.mjs");
    writeFileSync(file, code);
    // Examples name files relative to the root, where a reader stands.
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: ROOT }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    // Where nothing compiles PTX an example ends at its compile, and says so.
    if (capabilities().backends.some(({ available }) => available)) expect(stderr).toBe("");
    else expect(stderr === "" || stderr.includes("BACKEND_MISSING")).toBe(true);
    if (output !== undefined) expect(withoutFigures(stdout)).toBe(withoutFigures(output));
  });
});
