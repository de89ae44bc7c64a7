// Parses math text to expressions: an operator-precedence parser with explicit stacks, so that no nesting is too deep.
import type { Span } from "@mm-ptx/types/core";
import { type Checks, didYouMean, isListOf } from "@mm-ptx/types/internal";
import { checkOptions, invalid } from "../checks.js";
import { type AstPtxError, counted, syntaxError } from "../error.js";
import { Constant, type Expression, operation, Variable } from "../expression/expression.js";
import { ARITY, isOperation, type OperationName } from "../expression/operations.js";
import { Binding, cureOf, INFIXES, MINUS, PLUS, SIGN_BIT } from "./syntax.js";
import { describeToken, type Token, tokenAt } from "./tokens.js";

/** Options of the parser. */
export interface ParseExpressionOptions {
  /** The names that are variables. By default any name is a variable. */
  readonly variables?: readonly string[];
}

const OPTIONS: Checks = { variables: isListOf("names", (value) => typeof value === "string") };

/**
 * Parses the text of an expression: `+`, `-`, `*`, `/` with the usual precedence, parentheses, numbers (`1e-3`, and
 * `0f3f800000` by its bits), operations by name (`fma(x, y, 1)`), and names of variables. Numbers are rounded to f32.
 * @throws AstPtxError SYNTAX with the place, and INVALID_ARGUMENT when an argument is of the wrong kind
 */
export function parseExpression(text: string, options: ParseExpressionOptions = {}): Expression {
  if (typeof text !== "string") throw invalid("an expression as text", text);
  checkOptions(options, OPTIONS);
  const { variables } = options;
  return new Parser(text, variables && new Set(variables)).parse();
}

/** An open group or call, or an operator that waits for its operands. */
type Pending =
  | { readonly kind: "infix"; readonly operation: OperationName; readonly binding: Binding }
  | { readonly kind: "minus"; readonly binding: Binding }
  | { readonly kind: "group"; readonly open: Token }
  | {
      readonly kind: "call";
      readonly open: Token;
      readonly operation: OperationName;
      readonly name: Token;
      /** The number of operands before its own. */
      readonly before: number;
    };

/** The tokens that may follow an operand, depending on its surroundings. */
const AFTER_OPERAND: Readonly<Record<string, string>> = {
  text: "an operator or the end of the text",
  group: "an operator or `)`",
  call: "an operator, `,` or `)`",
};

class Parser {
  readonly #operands: Expression[] = [];
  readonly #pending: Pending[] = [];
  readonly #known = new Map<string, Variable>();
  #token: Token;

  readonly #text: string;
  readonly #variables: ReadonlySet<string> | undefined;

  constructor(text: string, variables: ReadonlySet<string> | undefined) {
    this.#text = text;
    this.#variables = variables;
    this.#token = tokenAt(text, 0);
  }

  parse(): Expression {
    for (;;) {
      this.#readOperand();
      while (this.#token.text === ")") this.#close();
      if (this.#token.kind === "end") return this.#finish();
      this.#readSeparator();
    }
  }

  /** Reads up to the end of an operand, including what precedes it. */
  #readOperand(): void {
    for (;;) {
      const token = this.#token;
      this.#next();
      if (token.kind === "number") {
        this.#operands.push(new Constant(token.bits));
        return;
      }
      if (token.kind === "name" && this.#token.text !== "(") {
        this.#operands.push(this.#variable(token));
        return;
      }
      if (token.kind === "name") {
        this.#call(token);
      } else if (token.text === "(") {
        this.#pending.push({ kind: "group", open: token });
      } else if (token.text === MINUS) {
        if (this.#readNegativeNumber()) return;
        this.#pending.push({ kind: "minus", binding: Binding.negation });
      } else if (token.text !== PLUS) {
        throw this.#fail(`expected an operand, found ${describeToken(token)}`, token);
      }
    }
  }

  /** Reads the number after a minus sign, if there is one. */
  #readNegativeNumber(): boolean {
    const { bits, kind } = this.#token;
    if (kind !== "number") return false;
    this.#operands.push(new Constant((bits ^ SIGN_BIT) >>> 0));
    this.#next();
    return true;
  }

  /** Reads an operator or a comma. */
  #readSeparator(): void {
    const token = this.#token;
    const infix = INFIXES.find(({ symbol }) => symbol === token.text);
    if (infix !== undefined) {
      this.#apply(infix.binding);
      const { operation, binding } = infix;
      this.#pending.push({ kind: "infix", operation, binding });
    } else {
      this.#apply(Binding.sum);
      const around = this.#pending.at(-1)?.kind;
      if (token.text !== "," || around !== "call") {
        const expected = AFTER_OPERAND[around ?? "text"];
        throw this.#fail(`expected ${expected}, found ${describeToken(token)}`, token);
      }
    }
    this.#next();
  }

  /** Starts a call; the token is its parenthesis. */
  #call(name: Token): void {
    if (!isOperation(name.text)) {
      const cure = cureOf(name.text) || didYouMean(name.text, Object.keys(ARITY));
      throw this.#fail(`unknown function \`${name.text}\`${cure}`, name);
    }
    const { length } = this.#operands;
    this.#pending.push({ kind: "call", open: this.#token, operation: name.text, name, before: length });
    this.#next();
    if (this.#token.text === ")") throw this.#wrongCount(name.text, 0, name);
  }

  /** Ends a group or a call at its `)`. */
  #close(): void {
    this.#apply(Binding.sum);
    const opened = this.#pending.pop();
    if (opened?.kind === "call") {
      const args = this.#operands.splice(opened.before);
      if (args.length !== ARITY[opened.operation]) {
        throw this.#wrongCount(opened.operation, args.length, opened.name);
      }
      this.#operands.push(operation(opened.operation, ...args));
    } else if (opened?.kind !== "group") {
      throw this.#fail("expected an operator or the end of the text, found an unmatched `)`", this.#token);
    }
    this.#next();
  }

  #finish(): Expression {
    this.#apply(Binding.sum);
    const open = this.#pending.at(-1);
    if (open?.kind === "group" || open?.kind === "call") {
      throw this.#fail("expected a `)` for this `(`, found the end of the text", open.open);
    }
    return this.#operands[0]!;
  }

  /** Applies waiting operators that bind at least this tightly. */
  #apply(binding: Binding): void {
    for (;;) {
      const top = this.#pending.at(-1);
      if (top === undefined || top.kind === "group" || top.kind === "call" || top.binding < binding) return;
      this.#pending.pop();
      const last = this.#operands.pop()!;
      this.#operands.push(
        top.kind === "minus" ? last.neg() : operation(top.operation, this.#operands.pop()!, last),
      );
    }
  }

  #variable({ text, start, end }: Token): Variable {
    if (this.#variables !== undefined && !this.#variables.has(text)) {
      throw this.#fail(`unknown variable \`${text}\`${didYouMean(text, this.#variables)}`, { start, end });
    }
    let variable = this.#known.get(text);
    if (variable === undefined) {
      variable = new Variable(text);
      this.#known.set(text, variable);
    }
    return variable;
  }

  #next(): void {
    this.#token = tokenAt(this.#text, this.#token.end);
  }

  #wrongCount(name: OperationName, found: number, span: Span): AstPtxError {
    return this.#fail(`expected ${counted(ARITY[name], "operand")} of \`${name}\`, found ${found}`, span);
  }

  #fail(message: string, { start, end }: Span): AstPtxError {
    return syntaxError(message, this.#text, { start, end: Math.max(end, start + 1) });
  }
}
