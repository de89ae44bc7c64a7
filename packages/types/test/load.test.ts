// Description files on disk: reading them, refusing them, and resolving what `extends` names as Node does.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DescriptionError } from "../src/index.js";
import { loadDescription, resolveDescription } from "../src/node.js";

const instruction = (ptx: string) => ({ ptx, args: ["F32"], rets: ["F32"] });
const BASE = {
  abi_version: 1,
  stack_types: [{ name: "F32", literal_prefix: "f32" }],
  arg_types: [{ name: "F32", stack_type: "F32" }],
  instructions: [instruction("neg.f32")],
};
const extending = (specifiers: unknown, ...names: string[]) => ({
  abi_version: 1,
  extends: specifiers,
  instructions: names.map(instruction),
});
const PACKAGE = {
  name: "@acme/tables",
  exports: { "./stack.json": "./data/base.json", "./more/*.json": { default: "./data/*.json" } },
  imports: { "#own.json": "./data/base.json" },
};

let folder: string;
const at = (path: string) => join(folder, path);
function write(path: string, content: object | string | Uint8Array): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  const isData = typeof content === "string" || content instanceof Uint8Array;
  writeFileSync(at(path), isData ? content : JSON.stringify(content, null, 1));
}

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "mm-ptx-types-")));
  write("node_modules/@acme/tables/package.json", PACKAGE);
  write("node_modules/@acme/tables/data/base.json", BASE);
  write(
    "node_modules/@acme/tables/data/own.json",
    extending(["#own.json", "@acme/tables/stack.json"], "abs.f32"),
  );
  // Like an installation by pnpm: a link to the package's real folder, which its own dependencies are beside.
  write("store/linked/node_modules/linked/package.json", { name: "linked" });
  write("store/linked/node_modules/linked/table.json", extending("needed/table.json", "cos.f32"));
  write("store/linked/node_modules/needed/package.json", { name: "needed" });
  write("store/linked/node_modules/needed/table.json", BASE);
  symlinkSync(at("store/linked/node_modules/linked"), at("node_modules/linked"), "dir");
  write("deep/inside/stack.json", extending(["../beside.json", "@acme/tables/stack.json"], "sin.f32"));
  write("deep/beside.json", extending("@acme/tables/more/own.json", "ex2.f32"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function refusalOf(path: string): DescriptionError {
  try {
    loadDescription(path);
  } catch (error) {
    expect(error).toBeInstanceOf(DescriptionError);
    return error as DescriptionError;
  }
  return expect.unreachable("expected a refusal");
}

const namesOf = (path: string) => loadDescription(path, "stack").instructions.map(({ name }) => name);

describe("loadDescription", () => {
  it("resolves files beside a file, and what packages export", () => {
    expect(namesOf(at("deep/inside/stack.json"))).toEqual(["neg.f32", "abs.f32", "ex2.f32", "sin.f32"]);
    expect(loadDescription(at("deep/inside/stack.json"), "stack").bases).toHaveLength(3);
  });

  it("resolves dependencies of a linked package", () => {
    write("linked.json", extending("linked/table.json", "sin.f32"));
    expect(namesOf(at("linked.json"))).toEqual(["neg.f32", "cos.f32", "sin.f32"]);
  });

  it("accepts paths relative to the current folder, and URLs", () => {
    const path = at("deep/beside.json");
    expect(loadDescription(relative(process.cwd(), path))).toEqual(loadDescription(pathToFileURL(path)));
  });

  it("detects the kind from the keys, and refuses one that was not requested", () => {
    write("inject.json", { abi_version: 1, data_type_infos: [] });
    write("ast.json", { abi_version: 1, instructions: [{ ptx: "add.f32", args: 2 }] });
    write("empty.json", {});
    write("of-empty.json", { abi_version: 1, extends: "./empty.json" });
    expect(loadDescription(at("inject.json")).kind).toBe("inject");
    expect(loadDescription(at("ast.json")).kind).toBe("ast");
    expect(refusalOf(at("empty.json")).code).toBe("SCHEMA");
    expect(refusalOf(at("of-empty.json")).problems[0]!.file).toBe(at("empty.json"));
    expect(() => loadDescription(at("ast.json"), "inject")).toThrow("instructions");
  });

  it("recognizes a file by whatever path it is reached", () => {
    write("one.json", BASE);
    symlinkSync(at("one.json"), at("other.json"));
    write("both.json", extending(["./one.json", "./other.json", "./deep/../one.json"]));
    expect(namesOf(at("both.json"))).toEqual(["neg.f32"]);
    write("cycle/a.json", extending("./b.json"));
    write("cycle/b.json", extending("../cycle/a.json"));
    expect(refusalOf(at("cycle/a.json"))).toMatchObject({
      code: "EXTENDS",
      problems: [{ found: expect.stringMatching(/a\.json` -> `.*b\.json` -> `.*a\.json`$/), line: 3 }],
    });
  });

  it("says where a base is named that cannot be loaded", () => {
    const bases = {
      "./none.json": "no such file",
      "./one.json/none.json": "no such file",
      "./deep": "a folder",
      "one.json": "no such file in a package, did you mean `./one.json`?",
      "@acme/tables/data/base.json": "is not defined by",
      fs: "a built-in module of Node",
      "./latin1.json": "not valid UTF-8 text",
      "./\u0000": "",
    };
    write("one.json", BASE);
    write("latin1.json", Uint8Array.of(0x22, 0xe9, 0x22));
    write("bad.json", extending(Object.keys(bases)));
    const { code, problems } = refusalOf(at("bad.json"));
    expect(code).toBe("EXTENDS");
    expect(problems.map(({ path, line }) => [path, line])).toEqual(
      Object.keys(bases).map((_, index) => [`extends[${index}]`, 4 + index]),
    );
    for (const [index, reason] of Object.values(bases).entries()) {
      expect(problems[index]!.message).toContain(reason);
    }
  });

  it("names the file that has a problem", () => {
    write("wrong.json", { ...BASE, arg_types: [{ name: "F32", stack_type: "F23" }] });
    write("right.json", extending("./wrong.json", "neg.f32"));
    const [problem] = refusalOf(at("right.json")).problems;
    expect(problem).toMatchObject({ file: at("wrong.json"), line: 12, path: "arg_types[0].stack_type" });
  });

  it("says why a file cannot be read", () => {
    write("utf16.json", Buffer.from("\ufeff{}", "utf16le"));
    expect(refusalOf(at("nowhere.json"))).toMatchObject({
      code: "FILE",
      message: expect.stringMatching(/: no such file$/),
    });
    expect(refusalOf(folder)).toMatchObject({ code: "FILE", message: expect.stringMatching(/: a folder$/) });
    expect(refusalOf(at("utf16.json"))).toMatchObject({
      code: "FILE",
      message: expect.stringMatching(/not valid UTF-8 text$/),
    });
    if (process.platform === "linux") expect(refusalOf("/dev/zero").code).toBe("FILE");
    for (const url of ["file://host/stack.json", "file:///a%2Fb.json"]) {
      expect(() => loadDescription(new URL(url))).toThrow(expect.objectContaining({ code: "FILE" }));
    }
  });

  it.each<[unknown, unknown]>([
    [undefined, undefined],
    [new URL("https://example.com/stack.json"), undefined],
    ["stack.json", "stacks"],
    ["stack.json", 7],
  ])("refuses %o of kind %o", (path, kind) => {
    expect(() => loadDescription(path as string, kind as "stack")).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });
});

it("resolveDescription uses the current folder for a description without a name", () => {
  const script = `
    import { resolveDescription } from ${JSON.stringify(new URL("../dist/node.js", import.meta.url).href)};
    console.log(resolveDescription("./deep/beside.json", "").name);
  `;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(printed.trim()).toBe(join("deep", "beside.json"));
  expect(resolveDescription("./one.json", at("any.json"))).toMatchObject({ name: at("one.json") });
});
