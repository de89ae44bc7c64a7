// Tables for the tests of generated code: ours, and ones with names that no language would accept unchanged.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { ROOT } from "../../../../tests/support/workspace.js";
import {
  type AstTable,
  type InjectTypes,
  parseAstDescription,
  parseInjectDescription,
  parseStackDescription,
  type StackTable,
} from "../../src/index.js";

const read = (name: string) => readFileSync(join(ROOT, "type_descriptions", name), "utf8");

export const stackTable = parseStackDescription(read("stack_descriptions.json"));
export const injectTypes = parseInjectDescription(read("inject_types.json"));
export const astTable = parseAstDescription(read("ast_instructions.json"));

/** Reserved words of the three languages, ends of comments and literals, line ends, and other alphabets. */
const HOSTILE = [
  "delete",
  "__proto__",
  "constructor",
  "9lives",
  "input",
  "table",
  "None",
  "return",
  "*/ oops /* // \\",
  '"quoted" ??/ ??)',
  "two\nlines\r\u2028\u0000",
  "Ünïcode",
  "`tick`$",
  '"""',
  "@deprecated",
  "\ud800",
];

const IDENTITY = { fingerprint: "0".repeat(64), bases: [] };

/**
 * A table whose entries have arbitrary names. Parsers refuse most of them, but generators may be given any.
 */
export function stackTableOf(names: readonly string[]): StackTable {
  const scalar = names.map((_, index) => index);
  return {
    kind: "stack",
    stackTypes: names.map((name) => ({ name, literalPrefix: "f32", constantType: "f32" })),
    argTypes: names.map((name, stackIndex) => ({ name, stackIndex, vectorElements: 0 })),
    instructions: names.map((name, index) => ({
      ptx: name,
      name,
      args: scalar.slice(0, index % 5),
      results: scalar.slice(0, index % 3),
      aligned: false,
      display: name,
      requires: { target: name, ptx: name },
    })),
    specialRegisters: names.map((name, argType) => ({ ptx: name, name, argType, display: name })),
    ...IDENTITY,
  };
}

export function astTableOf(names: readonly string[]): AstTable {
  const instructions = names.map((name, args) => ({ ptx: name, name, args, display: name }));
  return { kind: "ast", instructions, ...IDENTITY };
}

export function injectTypesOf(names: readonly string[]): InjectTypes {
  const types = names.map((name) => ({
    name,
    registerType: name,
    movPostfix: name,
    registerChar: name,
    registerCast: name,
  }));
  return { kind: "inject", types, ...IDENTITY };
}

/** A table of every kind with these names. */
export function tablesOf(names: readonly string[]): (StackTable | AstTable | InjectTypes)[] {
  return [stackTableOf(names), astTableOf(names), injectTypesOf(names)];
}

export const hostileNames: readonly string[] = HOSTILE.map((name, index) =>
  index < 8 ? name : `${name}${index}`,
);

/** Lists of names that stay distinct after any conversion. */
export const nameLists: fc.Arbitrary<string[]> = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary" })), { maxLength: 8 })
  .map((names) => names.map((name, index) => `${name}_n${index}`));
