// Evaluates formulas in f64: those of the problems, and those that searches print. A formula consists of numbers, variables, `pi`,
// `+ - * / ^` and calls of functions; `^` binds tighter than the sign before it, and from right to left.
import { SearchError } from "../error.js";

/** A formula as a function of the values of its variables, in their order. */
export type FormulaFunction = (values: ArrayLike<number>) => number;

const FUNCTIONS: ReadonlyMap<string, (a: number) => number> = new Map([
  ["sin", Math.sin],
  ["cos", Math.cos],
  ["exp", Math.exp],
  ["log", Math.log],
  ["sqrt", Math.sqrt],
  ["tanh", Math.tanh],
  ["asin", Math.asin],
  ["acos", Math.acos],
  ["square", (a) => a * a],
  ["cube", (a) => a * a * a],
]);
const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|([-+*/^(),]))/y;

interface Token {
  readonly kind: "number" | "name" | "sign" | "end";
  readonly text: string;
}

const wrong = (expected: string, found: string, text: string): SearchError =>
  new SearchError("INVALID_ARGUMENT", `expected ${expected}, found \`${found}\` in \`${text}\``);

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (TOKEN.lastIndex < trimmed.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(trimmed);
    if (match === null) throw wrong("a formula", trimmed.slice(from), text);
    const [, number, name, sign] = match;
    const kind = number !== undefined ? "number" : name !== undefined ? "name" : "sign";
    tokens.push({ kind, text: number ?? name ?? sign! });
  }
  tokens.push({ kind: "end", text: "the end" });
  return tokens;
}

/**
 * Reads a formula.
 * @throws SearchError INVALID_ARGUMENT
 */
export function formulaOf(text: string, variables: readonly string[]): FormulaFunction {
  const tokens = tokensOf(text);
  let at = 0;
  const is = (sign: string): boolean => tokens[at]!.kind === "sign" && tokens[at]!.text === sign;
  const take = (sign: string): void => {
    if (!is(sign)) throw wrong(`\`${sign}\``, tokens[at]!.text, text);
    at++;
  };
  const sum = (): FormulaFunction => {
    let left = product();
    while (is("+") || is("-")) {
      const [one, sign] = [left, tokens[at++]!.text];
      const other = product();
      left = sign === "+" ? (values) => one(values) + other(values) : (values) => one(values) - other(values);
    }
    return left;
  };
  const product = (): FormulaFunction => {
    let left = signed();
    while (is("*") || is("/")) {
      const [one, sign] = [left, tokens[at++]!.text];
      const other = signed();
      left = sign === "*" ? (values) => one(values) * other(values) : (values) => one(values) / other(values);
    }
    return left;
  };
  const signed = (): FormulaFunction => {
    if (!is("-")) return power();
    at++;
    const operand = signed();
    return (values) => -operand(values);
  };
  const power = (): FormulaFunction => {
    const base = atom();
    if (!is("^")) return base;
    at++;
    const exponent = signed();
    return (values) => base(values) ** exponent(values);
  };
  const atom = (): FormulaFunction => {
    const token = tokens[at++]!;
    if (token.kind === "number") {
      const value = Number(token.text);
      return () => value;
    }
    if (token.kind === "sign" && token.text === "(") {
      const inner = sum();
      take(")");
      return inner;
    }
    const variable = variables.indexOf(token.text);
    if (token.kind === "name" && variable >= 0) return (values) => values[variable]!;
    if (token.text === "pi") return () => Math.PI;
    const call = token.kind === "name" ? FUNCTIONS.get(token.text) : undefined;
    if (call === undefined) throw wrong("an operand", token.text, text);
    take("(");
    const argument = sum();
    take(")");
    return (values) => call(argument(values));
  };
  const result = sum();
  if (tokens[at]!.kind !== "end") throw wrong("the end", tokens[at]!.text, text);
  return result;
}
