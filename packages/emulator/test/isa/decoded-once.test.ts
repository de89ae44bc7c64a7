// The front end decodes opcodes, and all later code uses the operation: it never splits an opcode's text again, and the
// translator has no lists of mnemonics, because the rows of the table state what an instruction does. The interpreter
// states it a second time, independently of traits, because the translator is compared with it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";
import { formsOf, instructionRows } from "../../src/isa/table.js";

const SRC = fileURLToPath(new URL("../../src/", import.meta.url));

const MNEMONICS: ReadonlySet<string> = new Set(instructionRows().keys());
/** Mnemonics that are also words of opcodes, such as `and`, do not show what a list contains. */
const WORDS: ReadonlySet<string> = new Set(
  [...MNEMONICS]
    .flatMap(formsOf)
    .flatMap(({ elements }) => elements.flatMap(({ words }) => [...words.keys()])),
);

/** Folders that run before operations exist, and the folder with the opcodes of WebAssembly. */
const BEFORE = ["isa", "front", "program", "wasm/binary"];
/** Folders that define what instructions mean, by their names. */
const ORACLE = ["interpreter", "arithmetic"];

const STRING_METHODS =
  /^(split|startsWith|endsWith|includes|indexOf|match|replace|replaceAll|slice|substring|at)$/;

/** The problems of a source file, line by line. */
function problemsIn(path: string, text: string): readonly string[] {
  const isOracle = ORACLE.some((folder) => path.startsWith(`${folder}/`));
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const report = (node: ts.Node, what: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1} ${what}`);
  };
  const visit = (node: ts.Node): void => {
    if (isNamed(node, "opcode") && isTakenApart(node)) report(node, "reads an opcode's text");
    if (isNamed(node, "name") && isOperationName(node)) {
      if (isTakenApart(node)) report(node, "reads a mnemonic's text");
      else if (!isOracle && isAskedFor(node)) report(node, "asks for a mnemonic");
    }
    if (!isOracle && listsMnemonics(node)) report(node, "lists mnemonics");
    if (isOracle && ts.isIdentifier(node) && node.text === "traits") report(node, "relies on traits");
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `name`, or the whole of `something.name`. */
function isNamed(node: ts.Node, name: string): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === name;
  if (!ts.isIdentifier(node) || node.text !== name || ts.isBindingElement(node.parent)) return false;
  return !ts.isPropertyAccessExpression(node.parent) || node.parent.expression === node;
}

/** Whether a string method is called, or the string is passed to something that may be a regular expression. */
function isTakenApart(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
    return STRING_METHODS.test(parent.name.text);
  }
  if (ts.isElementAccessExpression(parent) && parent.expression === node) return true;
  const isArgument = ts.isCallExpression(parent) && parent.expression !== node;
  return isArgument && /\.(exec|test|split|match)$/.test(parent.expression.getText());
}

/** Whether a name is compared, or looked up among others. */
function isAskedFor(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return /^[!=]==?$/.test(parent.operatorToken.getText());
  if (ts.isSwitchStatement(parent)) return true;
  return (
    ts.isCallExpression(parent) && /\.(has|includes|indexOf|some|find)$/.test(parent.expression.getText())
  );
}

/** Whether a name belongs to an operation: `operation.name`, or destructured from one. */
function isOperationName(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node))
    return /(^|\.)(operation|mnemonic)$/.test(node.expression.getText());
  for (let scope: ts.Node = node; scope !== undefined; scope = scope.parent) {
    if (!ts.isFunctionLike(scope)) continue;
    const takes = taking.get(scope) ?? takesNameOut(scope);
    taking.set(scope, takes);
    if (takes) return true;
  }
  return false;
}

/** What was found out about each function. */
const taking = new WeakMap<ts.Node, boolean>();

/** Whether a function destructures `name` from an operation, as a parameter or in a declaration. */
function takesNameOut(scope: ts.Node): boolean {
  let takes = false;
  const visit = (node: ts.Node): void => {
    if (
      ts.isObjectBindingPattern(node) &&
      node.elements.some((element) => element.name.getText() === "name")
    ) {
      const { parent } = node;
      const from = ts.isVariableDeclaration(parent) ? parent.initializer?.getText() : undefined;
      const type = ts.isParameter(parent) ? parent.type?.getText() : undefined;
      const isNested = ts.isBindingElement(parent) && parent.propertyName?.getText() === "operation";
      takes ||= isNested || /(^|\.)operation!?$/.test(from ?? "") || /Mnemonic|Operation/.test(type ?? "");
    }
    ts.forEachChild(node, visit);
  };
  visit(scope);
  return takes;
}

/** An array, a union of types, or an object without functions, that names two mnemonics or more. */
function listsMnemonics(node: ts.Node): boolean {
  let names: readonly string[] = [];
  if (ts.isArrayLiteralExpression(node)) {
    names = node.elements.filter(ts.isStringLiteralLike).flatMap(({ text }) => text.split(/[ ,|]/));
  } else if (ts.isObjectLiteralExpression(node)) {
    const isData = ({ kind }: ts.Expression) =>
      [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.StringLiteral, ts.SyntaxKind.NumericLiteral].includes(kind);
    names = node.properties
      .filter(ts.isPropertyAssignment)
      .filter(({ initializer }) => isData(initializer))
      .map(({ name }) => name.getText().replace(/"/g, ""));
  } else if (ts.isRegularExpressionLiteral(node)) names = node.text.split(/\W+/);
  else if (ts.isStringLiteralLike(node) && /^\w+( \w+)+$/.test(node.text)) names = node.text.split(" ");
  const mnemonics = names.filter((name) => MNEMONICS.has(name));
  return new Set(mnemonics).size > 1 && mnemonics.some((name) => !WORDS.has(name));
}

const sources = (readdirSync(SRC, { recursive: true }) as string[])
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts") && !BEFORE.some((folder) => path.startsWith(`${folder}/`)));

it("no code after the front end splits opcodes, and the translator has no lists of mnemonics", () => {
  expect(sources.length).toBeGreaterThan(120);
  expect(sources).toEqual(
    expect.arrayContaining(["control/graph.ts", "interpreter/compile.ts", "run/fragments.ts"]),
  );
  expect(sources.flatMap((path) => problemsIn(path, readFileSync(join(SRC, path), "utf8")))).toEqual([]);
});

it.each([
  ["wasm/x.ts", 'const words = step.operation.opcode.split(".");', "reads an opcode's text"],
  ["run/x.ts", "const f = ({ opcode }: Operation) => /^m/.exec(opcode);", "reads an opcode's text"],
  [
    "interpreter/x.ts",
    'if (instruction.operation.opcode.includes(".cc")) carry();',
    "reads an opcode's text",
  ],
  ["view/x.ts", "const f = (opcode: string) => opcode.slice(0, 3);", "reads an opcode's text"],
  ["interpreter/x.ts", 'const f = ({ name }: Mnemonic) => name.endsWith("c");', "reads a mnemonic's text"],
  ["control/x.ts", 'const isCall = (step: Step) => step.operation.name === "call";', "asks for a mnemonic"],
  [
    "wasm/x.ts",
    "function f(step) { const { name } = step.operation; return SET.has(name); }",
    "asks for a mnemonic",
  ],
  [
    "wasm/x.ts",
    'const f = ({ operation: { name } }: Step) => { switch (name) { case "ld": } };',
    "asks for a mnemonic",
  ],
  ["wasm/x.ts", 'const LASTING = new Set(["st", "red", "atom", "call", "cp", "trap"]);', "lists mnemonics"],
  ["control/x.ts", 'const READING = "ld ldu atom call".split(" ");', "lists mnemonics"],
  ["control/x.ts", "const WAITING = /^(bar|barrier|shfl)$/;", "lists mnemonics"],
  ["run/x.ts", "const COSTS = { div: 8, add: 1, rcp: 4 };", "lists mnemonics"],
  ["interpreter/x.ts", "if (operation.traits.writes) touch();", "relies on traits"],
])("this would be found in %s: %s", (path, text, expected) => {
  expect(problemsIn(path, text)).toEqual([`${path}:1 ${expected}`]);
});

it("tables of functions by name, words of opcodes and opcodes in messages are allowed", () => {
  const text = `
    const TABLE = { ld: load, st: store, red: atomic };
    const emit = TABLE[step.operation.name]?.(step);
    const combination = ["and", "or", "xor"].find((word) => words.has(word));
    throw new Untranslatable(\`it has \${operation.opcode}\`);
    const isSame = one.operation.opcode === other.operation.opcode;
  `;
  expect(problemsIn("wasm/x.ts", text)).toEqual([]);
});
