// Descriptions that extend others: the tables they produce, and refusals that name both places.

import { describe, expect, it } from "vitest";
import {
  DescriptionError,
  type DescriptionProblem,
  parseAstDescription,
  parseDescription,
  parseInjectDescription,
  parseStackDescription,
} from "../src/index.js";

const BASE = {
  abi_version: 1,
  stack_types: [{ name: "F32", literal_prefix: "f32", constant_type: "f32" }],
  arg_types: [{ name: "F32", stack_type: "F32" }],
  instructions: [{ ptx: "add.f32", args: ["F32", "F32"], rets: ["F32"] }],
  special_registers: [{ ptx: "clock", arg_type: "F32" }],
};
const add = (ptx: string, more: object = {}) => ({ ptx, args: ["F32"], rets: ["F32"], ...more });
const extending = (specifiers: unknown, ...instructions: object[]) => ({
  abi_version: 1,
  extends: specifiers,
  instructions,
});

/** A `resolve` for files by name, each returned as text. */
const files = (all: Record<string, unknown>) => (specifier: string) => {
  if (!(specifier in all)) throw new Error("no such file");
  return { name: specifier, json: JSON.stringify(all[specifier], null, 1) };
};

function problemsOf(read: () => unknown): readonly DescriptionProblem[] {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(DescriptionError);
    return (error as DescriptionError).problems;
  }
  return expect.unreachable("expected a refusal");
}

const names = (json: unknown, resolve: ReturnType<typeof files>) =>
  parseStackDescription(json, { resolve }).instructions.map(({ name }) => name);

describe("a table of several files", () => {
  it("has the entries of the base first, and lists the base as one whose programs stay valid", () => {
    const resolve = files({ base: BASE });
    const table = parseStackDescription(extending("base", add("neg.f32")), { resolve });
    const base = parseStackDescription(BASE);
    expect(table.instructions.map(({ ptx, args }) => [ptx, args])).toEqual([
      ["add.f32", [0, 0]],
      ["neg.f32", [0]],
    ]);
    expect(table.specialRegisters).toEqual(base.specialRegisters);
    expect(table.bases).toEqual([base.fingerprint]);
  });

  it("accepts an entry of the base again if it means the same", () => {
    const resolve = files({ base: BASE });
    const again = {
      ...{ aligned: false, rets: ["F32"], args: ["F32", "F32"] },
      ...{ ptx: "add.f32", name: "add.f32", requires: {} },
    };
    expect(names(extending("base", add("neg.f32"), again), resolve)).toEqual(["add.f32", "neg.f32"]);
  });

  it("has several bases and reads each file once", () => {
    const resolve = files({
      base: BASE,
      left: extending("base", add("neg.f32")),
      right: extending("base", add("abs.f32")),
    });
    const table = parseStackDescription(extending(["left", "right"], add("sin.f32")), { resolve });
    expect(table.instructions.map(({ name }) => name)).toEqual(["add.f32", "neg.f32", "abs.f32", "sin.f32"]);
    const fingerprint = (name: string) => parseStackDescription(resolve(name).json, { resolve }).fingerprint;
    // In the file on the right abs.f32 has index 1, so its programs mean something else here.
    expect(table.bases).toEqual([fingerprint("base"), fingerprint("left")]);
  });

  it("is not a base of itself if it adds nothing", () => {
    const table = parseStackDescription(
      { abi_version: 1, extends: "base" },
      { resolve: files({ base: BASE }) },
    );
    expect(table.fingerprint).toBe(parseStackDescription(BASE).fingerprint);
    expect(table.bases).toEqual([]);
  });

  it("calls `resolve` with the specifier and the name of the file that contains it", () => {
    const asked: unknown[] = [];
    const all: Record<string, object> = { "a/b.json": extending("c.json"), "c.json": BASE };
    parseStackDescription(extending("a/b.json"), {
      name: "mine.json",
      resolve: (specifier, from) => {
        asked.push([specifier, from]);
        return { name: specifier, json: all[specifier] };
      },
    });
    expect(asked).toEqual([
      ["a/b.json", "mine.json"],
      ["c.json", "a/b.json"],
    ]);
  });

  it("calls `resolve` once per file, even if the base determines the kind", () => {
    const asked: string[] = [];
    const resolve = (specifier: string) => {
      asked.push(specifier);
      return files({ base: BASE, middle: { abi_version: 1, extends: "base" } })(specifier);
    };
    expect(parseDescription({ abi_version: 1, extends: "middle" }, { resolve }).kind).toBe("stack");
    expect(asked).toEqual(["middle", "base"]);
  });

  it("has the fingerprints of the bases of a long chain", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`${i + 1}`, extending(`${i}`, add(`op.n${i}`))]),
    );
    const resolve = files({ ...chain, 0: BASE });
    const alone = (i: number) => parseStackDescription({ abi_version: 1, extends: `${i}` }, { resolve });
    const table = alone(60);
    expect(table.instructions).toHaveLength(61);
    expect(table.bases).toEqual(Array.from({ length: 60 }, (_, i) => alone(i).fingerprint));
  });

  it("lists a base whose entries another file has in the same order", () => {
    const first = extending("base", add("neg.f32"));
    const resolve = files({
      base: BASE,
      first,
      again: { ...BASE, instructions: [...BASE.instructions, add("neg.f32"), add("abs.f32")] },
    });
    const table = parseStackDescription(extending(["first", "again"], add("sin.f32")), { resolve });
    expect(table.instructions.map(({ name }) => name)).toEqual(["add.f32", "neg.f32", "abs.f32", "sin.f32"]);
    expect(table.bases).toHaveLength(3);
  });

  it("can be of any kind, which a base may determine", () => {
    const type = { register_type: "f32", mov_postfix: "f32", register_char: "f", register_cast_str: "" };
    const resolve = files({
      inject: { abi_version: 1, data_type_infos: [{ name: "F32", ...type }] },
      ast: { abi_version: 1, instructions: [{ ptx: "add.f32", args: 2 }] },
      stack: BASE,
    });
    const inject = { abi_version: 1, extends: ["inject"], data_type_infos: [{ name: "ID", ...type }] };
    expect(parseInjectDescription(inject, { resolve }).types.map(({ name }) => name)).toEqual(["F32", "ID"]);
    const ast = { abi_version: 1, extends: "ast", instructions: [{ ptx: "neg.f32", args: 1 }] };
    expect(parseAstDescription(ast, { resolve }).instructions).toHaveLength(2);
    for (const kind of ["ast", "inject", "stack"]) {
      expect(parseDescription({ abi_version: 1, extends: kind }, { resolve }).kind).toBe(kind);
    }
  });
});

describe("a name in two files with two meanings", () => {
  it("is refused with both places", () => {
    const [problem, ...others] = problemsOf(() =>
      parseStackDescription(JSON.stringify(extending("base", add("add.f32")), null, 1), {
        name: "mine",
        resolve: files({ base: BASE }),
      }),
    );
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      file: "mine",
      path: "instructions[0]",
      line: 5,
      column: 3,
      message: "expected `add.f32` to mean what it means at base:17:3, found another `args`",
      related: { file: "base", path: "instructions[0]", line: 17, column: 3 },
    });
  });

  it.each([
    ["stack_types", { name: "F32", literal_prefix: "f32" }, "constant_type"],
    ["arg_types", { name: "F32", stack_type: "F32", num_vec_elems: 1 }, "num_vec_elems"],
    [
      "instructions",
      { ptx: "add.f32", args: ["F32", "F32"], rets: ["F32"], requires: { ptx: "7.0" } },
      "requires",
    ],
    ["special_registers", { ptx: "clock64", arg_type: "F32", name: "clock" }, "ptx"],
  ])("is refused among %s", (list, entry, key) => {
    const file = { abi_version: 1, extends: "base", [list]: [entry] };
    const problems = problemsOf(() => parseStackDescription(file, { resolve: files({ base: BASE }) }));
    expect(problems.map(({ path, found }) => [path, found])).toEqual([[`${list}[0]`, `another \`${key}\``]]);
  });

  it("is refused between two bases, as are identifiers that clash", () => {
    const resolve = files({
      base: BASE,
      left: extending("base", add("neg.f32"), add("a.b")),
      right: extending("base", add("neg.f32", { aligned: true }), add("a_b", { name: "a_b", ptx: "a.c" })),
    });
    const problems = problemsOf(() => parseStackDescription(extending(["left", "right"]), { resolve }));
    expect(problems.map(({ file, path, related }) => [file, path, related?.file])).toEqual([
      ["right", "instructions[0]", "left"],
      ["right", "instructions[1]", "left"],
    ]);
  });
});

describe("bases that cannot be resolved", () => {
  const read = (all: Record<string, unknown>, name: string) => () =>
    parseStackDescription(JSON.stringify(all[name]), { name, resolve: files(all) });

  it("a cycle is refused with all of its files", () => {
    const all = { a: extending("b"), b: extending(["base", "c"]), c: extending("b"), base: BASE };
    const [problem, ...others] = problemsOf(read(all, "a"));
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      file: "c",
      path: "extends",
      message: "expected files that do not extend themselves, found `b` -> `c` -> `b`",
    });
    expect(problem!.line).toBeDefined();
  });

  it("a file that extends itself is a cycle", () => {
    expect(problemsOf(read({ a: extending("a") }, "a"))).toMatchObject([{ found: "`a` -> `a`" }]);
  });

  it("a missing file is reported where it is named and a bad one where it is bad, all at once", () => {
    const all = {
      a: extending(["none", "bad", "inject"], add("neg.f32", { args: ["F64"] })),
      bad: { ...BASE, arg_types: [{ name: "F32", stack_type: "F23" }] },
      inject: { abi_version: 1, data_type_infos: [] },
    };
    expect(problemsOf(read(all, "a")).map(({ file, path, message }) => [file, path, message])).toEqual([
      ["a", "extends[0]", "expected a description that can be read, found `none`: no such file"],
      ["a", "extends[2]", "expected a Stack PTX description, found a PTX Inject description, `inject`"],
      ["bad", "arg_types[0].stack_type", "expected a stack type, found `F23`, did you mean `F32`?"],
    ]);
  });

  it("a file that many extend is opened and reported once", () => {
    const bad = { ...BASE, arg_types: [{ name: "F32", stack_type: "F23" }] };
    const levels = Array.from({ length: 40 }, (_, i) => [`${i + 1}`, extending([`${i}`, `${i}`])]);
    const all: Record<string, unknown> = { ...Object.fromEntries(levels), 0: bad };
    expect(problemsOf(read(all, "40")).map(({ file, path }) => [file, path])).toEqual([
      ["0", "arg_types[0].stack_type"],
    ]);
  });

  it("an endless chain is cut off", () => {
    let count = 0;
    const resolve = () => ({ name: `file${count++}`, json: extending(`file${count}`) });
    const [problem] = problemsOf(() => parseStackDescription(extending("file"), { resolve }));
    expect(problem).toMatchObject({ expected: "at most 64 files that extend one another", path: "extends" });
  });

  it("an endless tree is cut off", () => {
    let count = 0;
    const resolve = () => ({ name: `file${count++}`, json: extending(["a", "b"]) });
    const problems = problemsOf(() => parseStackDescription(extending("file"), { resolve }));
    expect(problems).toContainEqual(expect.objectContaining({ expected: "at most 256 files in all" }));
    expect(count).toBeLessThan(1000);
  });

  it.each<[string, () => unknown, string]>([
    [
      "throws a symbol",
      () => {
        throw Symbol("s");
      },
      "a symbol",
    ],
    [
      "throws an error without words",
      () => {
        throw Object.assign(new Error(), { message: Symbol("s") });
      },
      "an object of Error",
    ],
    [
      "throws what throws",
      () => {
        throw Object.defineProperty(new Error(), "message", { get: () => JSON.parse("") });
      },
      "an object of Error",
    ],
    [
      "gives a file that throws",
      () => ({
        name: "a",
        get json() {
          throw new Error("boo");
        },
      }),
      "boo",
    ],
  ])("a `resolve` that %s is reported", (_, resolve, reason) => {
    const options = { resolve: resolve as never };
    const told = [{ path: "extends", expected: "a description that can be read", found: `\`a\`: ${reason}` }];
    expect(problemsOf(() => parseStackDescription(extending("a"), options))).toMatchObject(told);
    expect(problemsOf(() => parseDescription(extending("a"), options))).toMatchObject(told);
  });

  it.each([
    ["nothing", undefined, "undefined"],
    ["a promise", Promise.resolve({ name: "a", json: BASE }), "an object of Promise"],
    ["no name", { json: BASE }, "an object"],
  ])("a `resolve` that returns %s is reported", (_, given, found) => {
    const resolve = () => given as never;
    expect(problemsOf(() => parseStackDescription(extending("a"), { resolve }))).toMatchObject([
      { path: "extends", expected: "`{ name, json }` from `resolve`", found },
    ]);
  });

  it("more entries than an index can name are refused", () => {
    const types = (count: number, prefix: string) => ({
      ...BASE,
      arg_types: [
        ...BASE.arg_types,
        ...Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}`, stack_type: "F32" })),
      ],
    });
    const resolve = files({ left: types(40_000, "l"), right: types(40_000, "r") });
    expect(
      problemsOf(() => parseStackDescription({ abi_version: 1, extends: ["left", "right"] }, { resolve })),
    ).toMatchObject([{ path: "arg_types", found: "80001" }]);
  });
});

it("refuses options that do not exist", () => {
  const read = (options: object) => () => parseStackDescription(BASE, options);
  const throwing = new Proxy({}, { ownKeys: () => JSON.parse("") });
  for (const options of [{ reslove: () => {} }, { name: 5 }, { resolve: "base" }, null, 7, throwing]) {
    expect(read(options as object)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
  expect(read({ reslove: () => {} })).toThrow("did you mean `resolve`?");
});
