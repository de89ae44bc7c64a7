// Files with very many problems or very long names: all problems are counted, and reading them does not take
// long.

import { expect, it } from "vitest";
import { DescriptionError, parseAstDescription, parseStackDescription } from "../src/index.js";

const description = (more: object) => ({
  abi_version: 1,
  stack_types: [{ name: "F32", literal_prefix: "f32" }],
  arg_types: [{ name: "F32", stack_type: "F32" }],
  instructions: [],
  ...more,
});

function errorOf(json: unknown): DescriptionError {
  try {
    parseStackDescription(json);
  } catch (error) {
    expect(error).toBeInstanceOf(DescriptionError);
    return error as DescriptionError;
  }
  return expect.unreachable("expected a refusal");
}

it("counts more problems than it reports", () => {
  const instructions = Array.from({ length: 12_000 }, (_, i) => ({
    ptx: "add.f32",
    name: `n${i}`,
    args: ["F64"],
    rets: [],
  }));
  const { problems, total, message } = errorOf(description({ instructions }));
  expect([problems.length, total]).toEqual([10_000, 12_000]);
  expect(message).toMatch(/^the Stack PTX description has 12000 problems\n/);
  expect(message).toMatch(/\n {2}and 11980 more$/);
});

it("counts one problem at one place once", () => {
  const entry = { ptx: "add.f32", args: [], rets: [] };
  const { problems, total } = errorOf(description({ instructions: [entry, entry] }));
  expect([problems.length, total]).toEqual([1, 1]);
});

it("truncates long keys in paths, and distinguishes keys that begin alike", () => {
  const long = "k".repeat(100_000);
  const { problems, message } = errorOf(
    description({ [`${long}1`]: 1, [`${long}2`]: 1, ["-".repeat(70)]: 1 }),
  );
  const paths = [`["${"k".repeat(60)}…"]`, `["${"k".repeat(60)}…"]`, `["${"-".repeat(60)}…"]`];
  expect(problems.map(({ path }) => path)).toEqual(paths);
  expect(message.length).toBeLessThan(2000);
});

it("reports nothing that merely follows from an entry without a name", () => {
  const stack_types = [{ nam: "F32", literal_prefix: "f32" }];
  const { problems } = errorOf(description({ stack_types }));
  expect(problems.map(({ path }) => path)).toEqual(["stack_types[0].name", "stack_types[0].nam"]);
});

it("accepts names of argument types that differ in punctuation only, because they never become identifiers", () => {
  const arg_types = ["F32", "a.b", "a_b"].map((name) => ({ name, stack_type: "F32" }));
  expect(parseStackDescription(description({ arg_types })).argTypes).toHaveLength(3);
});

it("reads -0 as 0", () => {
  const text = '{ "abi_version": 1, "instructions": [{ "ptx": "mov.f32", "args": -0 }] }';
  expect(parseAstDescription(text).instructions[0]!.args).toBe(0);
  const arg_types = [{ name: "F32", stack_type: "F32", num_vec_elems: -0 }];
  expect(parseStackDescription(description({ arg_types })).argTypes[0]!.vectorElements).toBe(0);
});
