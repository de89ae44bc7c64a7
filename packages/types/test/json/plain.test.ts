// Objects in place of a text may hold what JSON cannot express: each such value is a problem with its path,
// and none crashes.

import { describe, expect, it } from "vitest";
import { DescriptionError, parseDescription, parseStackDescription } from "../../src/index.js";

const description = () => ({
  abi_version: 1 as unknown,
  stack_types: [{ name: "F32", literal_prefix: "f32" }] as unknown,
  arg_types: [{ name: "F32", stack_type: "F32" }] as unknown,
  instructions: [{ ptx: "add.f32", args: ["F32", "F32"], rets: ["F32"] }] as unknown,
});
type Description = ReturnType<typeof description>;

function problemsOf(json: unknown): [path: string, message: string][] {
  try {
    parseStackDescription(json);
  } catch (error) {
    expect(error).toBeInstanceOf(DescriptionError);
    const { code, problems } = error as DescriptionError;
    expect(code).toBe("SCHEMA");
    return problems.map(({ path, message }) => [path, message]);
  }
  return expect.unreachable("expected a refusal");
}

const cyclic = () => {
  const entry: Record<string, unknown> = { ptx: "add.f32", args: [], rets: [] };
  entry.requires = { target: entry };
  return [entry];
};
const throwing = (key: string) =>
  Object.defineProperty({}, key, {
    enumerable: true,
    get: () => {
      throw new Error("no");
    },
  });
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const endless = (...keys: string[]): object =>
  new Proxy(
    {},
    {
      ownKeys: () => keys,
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      get: () => endless(...keys),
    },
  );

describe("values that JSON cannot express", () => {
  it.each<[string, (copy: Description) => void, string, string]>([
    [
      "undefined",
      (copy) => Object.assign(copy, { instructions: [undefined] }),
      "instructions[0]",
      "a value that JSON has, found undefined",
    ],
    [
      "a function",
      (copy) => Object.assign(copy, { abi_version: () => 1 }),
      "abi_version",
      "a value that JSON has, found a function",
    ],
    [
      "a symbol",
      (copy) => Object.assign(copy, { abi_version: Symbol("1") }),
      "abi_version",
      "a value that JSON has, found a symbol",
    ],
    [
      "a bigint",
      (copy) => Object.assign(copy, { abi_version: 1n }),
      "abi_version",
      "a value that JSON has, found a bigint",
    ],
    [
      "NaN",
      (copy) => Object.assign(copy, { abi_version: Number.NaN }),
      "abi_version",
      "a value that JSON has, found NaN",
    ],
    [
      "a Map",
      (copy) => Object.assign(copy, { stack_types: new Map() }),
      "stack_types",
      "a plain object, found an object of Map",
    ],
    [
      "a Date",
      (copy) => Object.assign(copy, { stack_types: [new Date()] }),
      "stack_types[0]",
      "a plain object, found an object of Date",
    ],
    [
      "a boxed string",
      (copy) => Object.assign(copy, { $schema: Object("x") }),
      "$schema",
      "a plain object, found an object of String",
    ],
    [
      "an instance",
      (copy) => Object.assign(copy, { arg_types: [new (class Arg {})()] }),
      "arg_types[0]",
      "a plain object, found an object of Arg",
    ],
    [
      "a typed array",
      (copy) => Object.assign(copy, { instructions: new Uint8Array(3) }),
      "instructions",
      "a plain object, found an object of Uint8Array",
    ],
    [
      "a cycle",
      (copy) => Object.assign(copy, { instructions: cyclic() }),
      "instructions[0].requires.target",
      "a value that JSON has, found an object that contains itself",
    ],
    [
      "a getter that throws",
      (copy) => Object.assign(copy, { instructions: [throwing("ptx")] }),
      "instructions[0].ptx",
      "a value that can be read, found one that throws",
    ],
    [
      "a revoked proxy",
      (copy) => Object.assign(copy, { stack_types: revoked() }),
      "stack_types",
      "a value that can be read, found one that throws",
    ],
    [
      "an endless proxy",
      (copy) => Object.assign(copy, { $schema: endless("a") }),
      "",
      "at most 64 levels of nesting, found more",
    ],
    [
      "an endless array",
      (copy) => Object.assign(copy, { instructions: new Array(2 ** 32 - 1) }),
      "instructions",
      "at most 100000 elements, found 4294967295",
    ],
  ])("are refused: %s", (_, change, path, message) => {
    const copy = description();
    change(copy);
    const problems = problemsOf(copy);
    expect(problems).toContainEqual([path, `expected ${message}`]);
  });

  it("are reported at each place of an object that is in two", () => {
    const date = new Date();
    const problems = problemsOf({ ...description(), arg_types: date, instructions: date });
    expect(problems.slice(0, 2)).toEqual([
      ["arg_types", "expected a plain object, found an object of Date"],
      ["instructions", "expected a plain object, found an object of Date"],
    ]);
  });

  it("are cut off if reading an object creates more of them", () => {
    expect(problemsOf({ ...description(), $schema: endless("a", "b") })).toEqual([
      ["", "expected at most 64 levels of nesting, found more"],
    ]);
    const wide = Array.from({ length: 2500 }, (_, i) => `k${i}`);
    const copies = new Proxy(
      {},
      {
        ownKeys: () => wide,
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
        // Arrays are read faster than objects.
        get: () => wide.map(() => 1),
      },
    );
    expect(problemsOf({ ...description(), $schema: copies })).toEqual([
      ["", "expected at most 4000000 values, found more"],
    ]);
  });

  it.each<[string, () => unknown]>([
    ["undefined", () => undefined],
    ["null", () => null],
    ["a number", () => 7],
    ["a function", () => () => {}],
    ["a symbol", () => Symbol("a")],
    ["a bigint", () => 1n],
    ["an array", () => []],
    ["a Map", () => new Map()],
    ["bytes", () => Buffer.from("{}")],
    ["a revoked proxy", revoked],
    ["a proxy that throws", () => new Proxy({}, { getPrototypeOf: () => JSON.parse("") })],
  ])("are refused in place of the file: %s", (_, make) => {
    expect(problemsOf(make())).toMatchObject([["", expect.stringContaining("expected")]]);
    expect(() => parseDescription(make())).toThrow(DescriptionError);
  });

  it("accepts undefined keys as left out, shared objects, and objects of another realm or without a prototype", () => {
    const shared = ["F32", "F32"];
    const entry = Object.assign(Object.create(null), {
      ptx: "add.f32",
      args: shared,
      rets: ["F32"],
      name: undefined,
    });
    const instructions = [entry, { ...entry, ptx: "mul.f32" }];
    const table = parseStackDescription({ ...description(), instructions, special_registers: undefined });
    expect(table.instructions.map(({ args }) => args)).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(Object.keys(table.instructions[0]!)).not.toContain("display");
  });

  it("copies an object that is in many places once", () => {
    let many: unknown = "x";
    for (let level = 0; level < 60; level++) many = [many, many];
    expect(problemsOf({ ...description(), $schema: many })).toEqual([
      ["$schema", "expected a string, found an array"],
    ]);
  });

  it("keeps no reference to the object that it was given", () => {
    const json = description();
    const table = parseStackDescription(json);
    (json.instructions as { args: string[] }[])[0]!.args.length = 0;
    expect(table.instructions[0]!.args).toEqual([0, 0]);
    expect(Object.isFrozen(json)).toBe(false);
  });
});
