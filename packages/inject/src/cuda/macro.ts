// What annotations may contain that `PTX_INJECT(…)` cannot, because the preprocessor reads its arguments.
import { quoted } from "@mm-ptx/types/internal";
import { MAX_OPERANDS } from "../header/walks.js";
import type { AnnotatedOperand, Annotation } from "./annotation.js";
import type { Finding } from "./problems.js";
import type { Comment } from "./scan.js";

/** Checks the annotations of one source that are to be written as macros. */
export class MacroCheck {
  readonly #source: string;
  readonly #problems: Finding[];
  /** The directive that was checked last: its position, and its parameters. */
  #directive = -1;
  #parameters: readonly string[] = [];

  /** @param problems receives the findings */
  constructor(source: string, problems: Finding[]) {
    this.#source = source;
    this.#problems = problems;
  }

  /** Reports what prevents an annotation from being written as a macro. */
  look({ comment, operands, volatile, memory }: Annotation): void {
    const span = { start: comment.start, end: comment.bodyStart };
    const most = MAX_OPERANDS - Number(volatile) - Number(memory);
    if (operands.length === 0 || operands.length > most) {
      const message = `expected 1 to ${most} operands, as the macro requires, found ${operands.length}`;
      this.#problems.push({ code: "FORMATTING", message, span });
    }
    const parameters = this.#parametersAround(comment);
    for (const operand of operands) {
      const message = operandProblem(operand, parameters);
      if (message !== undefined) this.#problems.push({ code: "FORMATTING", message, span: operand.span });
    }
  }

  /** The parameters of the macro whose definition contains a comment. */
  #parametersAround({ inDirective, lineStart }: Comment): readonly string[] {
    if (!inDirective) return [];
    if (this.#directive !== lineStart) {
      this.#directive = lineStart;
      DEFINITION.lastIndex = lineStart;
      const [, list = ""] = DEFINITION.exec(this.#source) ?? [];
      this.#parameters = [...(list.match(WORDS) ?? []), ...(list.includes("...") ? ["__VA_ARGS__"] : [])];
    }
    return this.#parameters;
  }
}

/** The parameter list of a definition; continuations may be anywhere. */
const DEFINITION = /[\s\\]*#[\s\\]*define[\s\\]+[\w$]+\(([^()]*)\)/y;
const WORDS = /[\w$]+/g;

/** What prevents an operand from being a macro argument. */
function operandProblem(
  { name, expression, type }: AnnotatedOperand,
  parameters: readonly string[],
): string | undefined {
  const replaced = (text: string): string | undefined =>
    text.match(WORDS)?.find((word) => parameters.includes(word));
  const expected = `expected \`as\` and a name for ${quoted(expression)}`;
  if (name === expression && hasOuterComma(expression))
    return `${expected}, whose comma would end the argument of a macro, found none`;
  if (name.includes("%")) return `${expected}, in which the macro takes \`%\` only doubled, found none`;
  const inName = replaced(name);
  if (inName !== undefined)
    return `expected \`as\` and a name that stays the same at each use of the macro around it, found its parameter ${quoted(inName)}`;
  const inType = replaced(type.name);
  return inType === undefined
    ? undefined
    : `expected a type that stays the same at each use of the macro around it, found its parameter ${quoted(inType)}`;
}

/** Whether there is a comma outside of parentheses, the only brackets that the preprocessor knows. */
function hasOuterComma(expression: string): boolean {
  let depth = 0;
  for (const sign of expression.replace(/"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/g, "")) {
    if (sign === "(") depth++;
    else if (sign === ")") depth--;
    else if (sign === "," && depth === 0) return true;
  }
  return false;
}
