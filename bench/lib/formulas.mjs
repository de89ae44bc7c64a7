// Evaluates formulas in f64: those of the problems, and those that searches print. A formula consists of numbers, variables, `pi`,
// `+ - * / ^` and calls of functions; `^` binds tighter than the sign before it, and from right to left.

const FUNCTIONS = {
  sin: Math.sin,
  cos: Math.cos,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  tanh: Math.tanh,
  asin: Math.asin,
  acos: Math.acos,
  square: (a) => a * a,
  cube: (a) => a * a * a,
};
const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|([-+*/^(),]))/y;

/** @returns {{ kind: "number" | "name" | "sign" | "end", text: string }[]} */
function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (TOKEN.lastIndex < trimmed.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(trimmed);
    if (match === null)
      throw new Error(`expected a formula, found \`${trimmed.slice(from)}\` in \`${text}\``);
    const [, number, name, sign] = match;
    const kind = number !== undefined ? "number" : name !== undefined ? "name" : "sign";
    tokens.push({ kind, text: number ?? name ?? sign });
  }
  tokens.push({ kind: "end", text: "the end" });
  return tokens;
}

/**
 * A function of the values of variables, in their order.
 *
 * @param {string} text
 * @param {readonly string[]} variables
 * @returns {(values: ArrayLike<number>) => number}
 */
export function formulaOf(text, variables) {
  const tokens = tokensOf(text);
  let at = 0;
  const is = (sign) => tokens[at].kind === "sign" && tokens[at].text === sign;
  const take = (sign) => {
    if (!is(sign)) throw new Error(`expected \`${sign}\`, found \`${tokens[at].text}\` in \`${text}\``);
    at++;
  };
  const sum = () => {
    let left = product();
    while (is("+") || is("-")) {
      const [one, sign] = [left, tokens[at++].text];
      const other = product();
      left = sign === "+" ? (values) => one(values) + other(values) : (values) => one(values) - other(values);
    }
    return left;
  };
  const product = () => {
    let left = signed();
    while (is("*") || is("/")) {
      const [one, sign] = [left, tokens[at++].text];
      const other = signed();
      left = sign === "*" ? (values) => one(values) * other(values) : (values) => one(values) / other(values);
    }
    return left;
  };
  const signed = () => {
    if (!is("-")) return power();
    at++;
    const operand = signed();
    return (values) => -operand(values);
  };
  const power = () => {
    const base = atom();
    if (!is("^")) return base;
    at++;
    const exponent = signed();
    return (values) => base(values) ** exponent(values);
  };
  const atom = () => {
    const token = tokens[at++];
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
    if (token.kind === "name" && variable >= 0) return (values) => values[variable];
    if (token.text === "pi") return () => Math.PI;
    const call = token.kind === "name" ? FUNCTIONS[token.text] : undefined;
    if (call === undefined) throw new Error(`expected an operand, found \`${token.text}\` in \`${text}\``);
    take("(");
    const argument = sum();
    take(")");
    return (values) => call(argument(values));
  };
  const result = sum();
  if (tokens[at].kind !== "end")
    throw new Error(`expected the end, found \`${tokens[at].text}\` in \`${text}\``);
  return result;
}
