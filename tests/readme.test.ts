// The code example of the README runs as it is shown, under this Node, with the packages as an installation has them.

import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagesIn, ROOT, readManifest } from "./support/workspace.js";

const README = join(ROOT, "README.md");

/** The text of the first fenced block in one of the languages. */
function firstBlock(markdown: string, languages: readonly string[]): string | undefined {
  for (const [, language, code] of markdown.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```\s*$/gm)) {
    if (languages.includes(language!)) return code;
  }
  return undefined;
}

describe.runIf(existsSync(README))("the example in README.md", () => {
  let folder: string;
  beforeAll(() => {
    mkdirSync(join(ROOT, "out"), { recursive: true });
    folder = mkdtempSync(join(ROOT, "out/readme-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("runs as shown", async () => {
    const code = firstBlock(readFileSync(README, "utf8"), ["js", "javascript", "mjs"]);
    expect(code, "expected a ```js block in README.md").toBeDefined();
    mkdirSync(join(folder, "node_modules/@mm-ptx"), { recursive: true });
    for (const source of packagesIn("packages")) {
      symlinkSync(join(ROOT, source), join(folder, "node_modules", readManifest(source).name), "dir");
    }
    // Examples name files relative to the root, where a reader stands.
    writeFileSync(join(folder, "example.mjs"), code!);
    const { stderr } = await promisify(execFile)(process.execPath, [join(folder, "example.mjs")], {
      cwd: ROOT,
    });
    expect(stderr).toBe("");
  });
});
