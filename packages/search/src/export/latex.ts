// Formulas as LaTeX.
import type { Formula } from "../spaces/space.js";

/** How tightly notation binds; fractions, functions and symbols are `whole`. */
const enum Binding {
  sum = 1,
  product = 2,
  negation = 3,
  power = 4,
  whole = 5,
}

interface Piece {
  readonly text: string;
  readonly binding: Binding;
}

/** Functions whose names LaTeX has commands for. */
const COMMANDS: Readonly<Record<string, string>> = {
  sin: "\\sin",
  cos: "\\cos",
  tan: "\\tan",
  sinh: "\\sinh",
  cosh: "\\cosh",
  tanh: "\\tanh",
  asin: "\\arcsin",
  acos: "\\arccos",
  exp: "\\exp",
  log: "\\ln",
  lg2: "\\log_2",
  log2: "\\log_2",
  log10: "\\log_{10}",
  sigmoid: "\\sigma",
  min: "\\min",
  max: "\\max",
};

const GREEK =
  /^(alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|chi|psi|omega)$/;

/** A formula with the name of what it is. */
export interface NamedFormula {
  readonly name: string;
  readonly formula: Formula;
}

/** A formula for math mode; several are lines of `aligned`. */
export function exportLatex(formulas: readonly NamedFormula[]): string {
  const [first] = formulas;
  if (formulas.length === 1) return write(first!.formula).text;
  const lines = formulas.map(({ name, formula }) => `${variable(name)} &= ${write(formula).text}`);
  return `\\begin{aligned}\n${lines.join(" \\\\\n")}\n\\end{aligned}`;
}

function write(formula: Formula): Piece {
  if (formula.kind === "variable") return { text: variable(formula.name), binding: Binding.whole };
  if (formula.kind === "number") return number(formula.text);
  return operation(
    formula.name,
    formula.operands.map((operand) => write(operand)),
  );
}

const within = ({ text, binding }: Piece, least: Binding): string =>
  binding < least ? `\\left(${text}\\right)` : text;

function operation(name: string, operands: readonly Piece[]): Piece {
  const [a, b, c] = operands as readonly [Piece, Piece, Piece];
  switch (`${name} ${operands.length}`) {
    case "add 2":
      return sum(a, "+", within(b, Binding.product));
    case "sub 2":
      return sum(a, "-", within(b, Binding.product));
    case "mul 2":
      return product(a, b);
    case "fma 3":
      return sum(product(a, b), "+", within(c, Binding.product));
    case "div 2":
      return fraction(a.text, b.text);
    case "rcp 1":
    case "inverse 1":
      return fraction("1", a.text);
    case "sqrt 1":
      return { text: `\\sqrt{${a.text}}`, binding: Binding.whole };
    case "rsqrt 1":
      return fraction("1", `\\sqrt{${a.text}}`);
    case "neg 1":
      return { text: `-${within(a, Binding.power)}`, binding: Binding.negation };
    case "abs 1":
      return { text: `\\left|${a.text}\\right|`, binding: Binding.whole };
    case "square 1":
      return power(a, "2");
    case "cube 1":
      return power(a, "3");
    case "pow 2":
      return power(a, b.text);
    case "ex2 1":
    case "exp2 1":
      return { text: `2^{${a.text}}`, binding: Binding.power };
    case "exp 1":
      if (!/\\frac|\\sqrt|\^/.test(a.text)) return { text: `e^{${a.text}}`, binding: Binding.power };
  }
  if (operands.length === 0) return { text: variable(name), binding: Binding.whole };
  const command = COMMANDS[name] ?? `\\operatorname{${escaped(name)}}`;
  const list = operands.map(({ text }) => text).join(", ");
  return { text: `${command}\\left(${list}\\right)`, binding: Binding.whole };
}

const sum = (a: Piece, symbol: string, right: string): Piece => ({
  // A sign after an operator needs brackets.
  text: `${a.text} ${symbol} ${right.startsWith("-") ? `\\left(${right}\\right)` : right}`,
  binding: Binding.sum,
});

const fraction = (above: string, below: string): Piece => ({
  text: `\\frac{${above}}{${below}}`,
  binding: Binding.whole,
});

const power = (base: Piece, exponent: string): Piece => ({
  text: `${within(base, Binding.whole)}^{${exponent}}`,
  binding: Binding.power,
});

function product(a: Piece, b: Piece): Piece {
  const left = within(a, Binding.product);
  const right = within(b, Binding.power);
  // Numbers beside each other would read as one.
  return { text: `${left} ${/^[0-9]/.test(right) ? "\\cdot" : "\\,"} ${right}`, binding: Binding.product };
}

function number(text: string): Piece {
  if (text.startsWith("0f")) {
    const names: Readonly<Record<string, string>> = { "0f7f800000": "\\infty", "0fff800000": "-\\infty" };
    return {
      text: names[text] ?? "\\mathrm{NaN}",
      binding: text in names ? Binding.negation : Binding.whole,
    };
  }
  const [digits = "", exponent] = text.split("e");
  const isNegative = text.startsWith("-");
  if (exponent === undefined) return { text, binding: isNegative ? Binding.negation : Binding.whole };
  if (digits === "1") return { text: `10^{${Number(exponent)}}`, binding: Binding.power };
  return {
    text: `${digits} \\cdot 10^{${Number(exponent)}}`,
    binding: isNegative ? Binding.negation : Binding.product,
  };
}

const escaped = (text: string): string => text.replaceAll(/[_$]/g, "\\$&");

/** `x1` and `x_1` with subscripts, names of Greek letters as the letters, and other names upright. */
function variable(name: string): string {
  const [, word = "", index] = /^([A-Za-z]+)_?(\d+|[A-Za-z])?$/.exec(name) ?? [];
  if (word !== "" && (word.length === 1 || GREEK.test(word))) {
    const letter = word.length === 1 ? word : `\\${word}`;
    return index === undefined ? letter : `${letter}_{${index}}`;
  }
  return `\\mathrm{${escaped(name)}}`;
}
