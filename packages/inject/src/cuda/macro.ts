// What annotations may say that `PTX_INJECT(…)` cannot.
import { quoted } from "@mm-ptx/types/core";
import type { Annotation } from "./annotation.js";
import type { Finding } from "./problems.js";

const MOST_OPERANDS = 32;

/** Adds what keeps an annotation from being written as a macro. */
export function checkMacroForm({ comment, operands }: Annotation, problems: Finding[]): void {
  const span = { start: comment.start, end: comment.bodyStart };
  const complain = (message: string, at = span): void => {
    problems.push({ code: "FORMATTING", message, span: at });
  };
  if (operands.length === 0 || operands.length > MOST_OPERANDS)
    complain(
      `expected 1 to ${MOST_OPERANDS} operands, which is what the macro takes, found ${operands.length}`,
    );
  for (const { name, expression, span: own } of operands) {
    if (name !== expression || !hasOuterComma(expression)) continue;
    complain(
      `expected \`as\` and a name for ${quoted(expression)}, whose comma would end the argument of a macro, found none`,
      own,
    );
  }
}

/** Whether a comma stands outside of round brackets, the only ones that the preprocessor knows. */
function hasOuterComma(expression: string): boolean {
  let depth = 0;
  for (const sign of expression.replace(/"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/g, "")) {
    if (sign === "(") depth++;
    else if (sign === ")") depth--;
    else if (sign === "," && depth === 0) return true;
  }
  return false;
}
