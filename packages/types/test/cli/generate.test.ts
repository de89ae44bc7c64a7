// `mm-ptx-types generate` and `schema`: what they print, write and leave alone.

import { lstatSync, readdirSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  generateCHeader,
  generateJavaScript,
  generateJavaScriptModules,
  generatePython,
  generateTypeScript,
  generateTypeScriptModules,
  jsonSchema,
} from "../../src/index.js";
import { BAD_TEXT, CommandLine } from "../support/command-line.js";
import { astTable } from "../support/tables.js";

let line: CommandLine;
beforeAll(() => {
  line = new CommandLine();
});
afterAll(() => line.remove());

describe("generate", () => {
  it("prints code", async () => {
    const texts = {
      c: generateCHeader(astTable),
      js: generateJavaScript(astTable).javascript,
      python: generatePython(astTable),
      typescript: generateTypeScript(astTable),
    };
    for (const [language, stdout] of Object.entries(texts)) {
      expect(await line.run(["generate", "ast.json", "--language", language])).toEqual({
        code: 0,
        stdout,
        stderr: "",
      });
    }
    const options = ["--lang", "typescript", "--encoders", "./mine.js", "--json"];
    const { stdout } = await line.run(["generate", "ast.json", ...options]);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      text: generateTypeScript(astTable, { encoders: "./mine.js" }),
    });
  });

  it("writes a file, and leaves it alone when nothing changed", async () => {
    const words = ["generate", "ast.json", "--language", "c", "--prefix", "mine", "--out", "made/ast.h"];
    expect((await line.run(words)).stdout).toBe("written made/ast.h\n");
    expect(line.read("made/ast.h")).toBe(generateCHeader(astTable, { prefix: "mine" }));
    const long = new Date(2001, 1, 1);
    utimesSync(line.path("made/ast.h"), long, long);
    expect((await line.run(words)).stdout).toBe("unchanged made/ast.h\n");
    expect(statSync(line.path("made/ast.h")).mtime).toEqual(long);
    expect(JSON.parse((await line.run([...words, "--json"])).stdout)).toEqual({
      ok: true,
      files: [{ file: "made/ast.h", changed: false }],
    });
    expect(readdirSync(line.path("made"))).toEqual(["ast.h"]);
  });

  it("writes the modules of TypeScript into a folder", async () => {
    const { stdout } = await line.run(["generate", "ast.json", "--lang", "typescript", "-o", "modules/"]);
    expect(stdout).toBe("written modules/index.ts\nwritten modules/ptx.ts\n");
    for (const [name, text] of Object.entries(generateTypeScriptModules(astTable))) {
      expect(line.read(`modules/${name}`)).toBe(text);
    }
  });

  it("writes JavaScript with its types beside it", async () => {
    const { javascript, types } = generateJavaScript(astTable);
    for (const [file, beside] of [
      ["plain/ast.js", "plain/ast.d.ts"],
      ["plain/ast.mjs", "plain/ast.d.mts"],
    ] as const) {
      const { stdout } = await line.run(["generate", "ast.json", "--lang", "js", "-o", file]);
      expect(stdout).toBe(`written ${file}\nwritten ${beside}\n`);
      expect([line.read(file), line.read(beside)]).toEqual([javascript, types]);
    }
    await line.run(["generate", "ast.json", "--lang", "js", "-o", "scripts/"]);
    const modules = generateJavaScriptModules(astTable);
    expect(readdirSync(line.path("scripts")).sort()).toEqual(Object.keys(modules).sort());
    for (const [name, text] of Object.entries(modules)) expect(line.read(`scripts/${name}`)).toBe(text);
  });

  it("writes where a link leads", async () => {
    line.write("real/ast.h", "old");
    symlinkSync(line.path("real/ast.h"), line.path("link.h"));
    expect((await line.run(["generate", "ast.json", "--lang", "c", "-o", "link.h"])).code).toBe(0);
    expect(lstatSync(line.path("link.h")).isSymbolicLink()).toBe(true);
    expect(line.read("real/ast.h")).toBe(generateCHeader(astTable));
  });

  it("fails where no folder can be created", async () => {
    if (process.platform !== "linux") return;
    const { code, stderr } = await line.run(["generate", "ast.json", "--lang", "c", "-o", "/proc/x/y/z.h"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: expected a file to write, found `\/proc\/x\/y\/z.h`: /);
  });

  it("writes nothing when the description has problems or an output cannot be written", async () => {
    line.write("old.h", "old");
    const failed = await line.run(["generate", "bad.json", "--lang", "c", "-o", "old.h"]);
    expect(failed).toEqual({ code: 1, stdout: "", stderr: BAD_TEXT });
    expect(line.read("old.h")).toBe("old");
    line.write("blocked/file", "");
    const blocked = await line.run(["generate", "ast.json", "--lang", "typescript", "-o", "blocked/file/"]);
    expect(blocked).toMatchObject({ code: 1, stdout: "" });
    expect(blocked.stderr).toMatch(/^error: expected a file to \w+, found `blocked\/file\/index.ts`: /);
    expect(readdirSync(line.path("blocked"))).toEqual(["file"]);
  });
});

describe("schema", () => {
  it.each(["stack", "inject", "ast"] as const)("prints and writes that of %s files", async (kind) => {
    const text = `${JSON.stringify(jsonSchema(kind), null, 2)}\n`;
    expect(await line.run(["schema", kind])).toEqual({ code: 0, stdout: text, stderr: "" });
    expect((await line.run(["schema", kind, "--json"])).stdout).toBe(text);
    await line.run(["schema", kind, "--out", `${kind}.schema.json`]);
    expect(line.read(`${kind}.schema.json`)).toBe(text);
  });
});
