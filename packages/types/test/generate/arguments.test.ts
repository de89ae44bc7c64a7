// All functions that take a table, a kind or options refuse anything else and say why.

import { expect, it } from "vitest";
import {
  DescriptionError,
  diffTables,
  generateCHeader,
  generateJavaScript,
  generateJavaScriptModules,
  generatePython,
  generateTypeScript,
  generateTypeScriptModules,
  jsonSchema,
} from "../../src/index.js";
import { astTable, injectTypes, stackTable } from "../support/tables.js";

type Call = (value: never) => unknown;
const refusal = (message: string) =>
  expect.objectContaining({ name: DescriptionError.name, code: "INVALID_ARGUMENT", message });

const TAKE_TABLES: Record<string, Call> = {
  generateTypeScript,
  generateTypeScriptModules,
  generateJavaScript,
  generateJavaScriptModules,
  generateCHeader,
  generatePython,
  "the first of diffTables": (table) => diffTables(table, astTable),
  "the second of diffTables": (table) => diffTables(astTable, table),
};

it.each(Object.entries(TAKE_TABLES))("%s refuses values that are not tables", (_, call) => {
  const found: [unknown, string][] = [
    [undefined, "undefined"],
    [null, "null"],
    ["stack.json", "`stack.json`"],
    [[], "an array"],
    [{}, "an object"],
    [{ kind: "__proto__" }, "an object"],
    [{ kind: "stack", instructions: [] }, "an object"],
  ];
  for (const [value, words] of found) {
    const message = `expected a table of \`parseDescription\` or another parser, found ${words}`;
    expect(() => call(value as never)).toThrow(refusal(message));
  }
});

it.each(Object.entries(TAKE_TABLES))("%s refuses tables that no parser produces", (_, call) => {
  const wrong: [object, string][] = [
    [{ ...astTable, fingerprint: undefined }, "undefined as `fingerprint`"],
    [{ ...astTable, bases: [1] }, "an array as `bases`"],
    [{ ...astTable, instructions: [null] }, "null as `instructions[0]`"],
    [{ ...astTable, instructions: [{ ptx: "a", name: "a", args: -1 }] }, "-1 as `instructions[0].args`"],
    [
      { ...stackTable, argTypes: [{ name: "A", stackIndex: 99, vectorElements: 0 }] },
      "99 as `argTypes[0].stackIndex`",
    ],
    [
      { ...stackTable, instructions: [{ ...stackTable.instructions[0], args: [999] }] },
      "an array as `instructions[0].args`",
    ],
    [
      { ...stackTable, instructions: [{ ...stackTable.instructions[0], requires: "sm_90" }] },
      "`sm_90` as `instructions[0].requires`",
    ],
    [
      { ...stackTable, specialRegisters: [{ ptx: "tid", name: "tid" }] },
      "undefined as `specialRegisters[0].argType`",
    ],
    [
      { ...stackTable, stackTypes: [{ name: "F32", literalPrefix: "f32", constantType: "f64" }] },
      "`f64` as `stackTypes[0].constantType`",
    ],
    [{ ...injectTypes, types: [{ name: "F32" }] }, "undefined as `types[0].registerType`"],
  ];
  for (const [value, words] of wrong) {
    const message = `expected a table of \`parseDescription\` or another parser, found one with ${words}`;
    expect(() => call(value as never)).toThrow(refusal(message));
  }
  const throwing = Object.defineProperty({ ...astTable }, "kind", { get: () => JSON.parse("") });
  expect(() => call(throwing as never)).toThrow(DescriptionError);
});

it("generators refuse unknown options, and values that are not strings", () => {
  const refused: [() => unknown, string][] = [
    [
      () => generateTypeScript(astTable, { encoder: "x" } as never),
      "unknown option `encoder`, did you mean `encoders`?",
    ],
    [
      () => generateTypeScriptModules(astTable, { encoders: 1 } as never),
      "option `encoders`: expected a string, found 1",
    ],
    [() => generateTypeScript(astTable, { encoders: "" }), "expected a module as `encoders`, found ``"],
    [() => generateTypeScript(astTable, null as never), "expected options as an object, found null"],
    [
      () => generateCHeader(astTable, { prefx: "x" } as never),
      "unknown option `prefx`, did you mean `prefix`?",
    ],
    [() => generateCHeader(astTable, "p" as never), "expected options as an object, found `p`"],
  ];
  for (const [call, message] of refused) expect(call).toThrow(refusal(message));
});

it("jsonSchema refuses unknown kinds", () => {
  expect(() => jsonSchema("stak" as never)).toThrow(
    refusal("expected a kind (ast, inject, stack), found `stak`, did you mean `stack`?"),
  );
  expect(() => jsonSchema(undefined as never)).toThrow(
    refusal("expected a kind (ast, inject, stack), found undefined"),
  );
  expect(() => jsonSchema("toString" as never)).toThrow(DescriptionError);
});
