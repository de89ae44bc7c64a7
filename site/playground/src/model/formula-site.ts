// Compiles the formula of a site: `x * y + 1`, or `z = x * y + 1` if the site has several outputs.
import { AstCompiler, parseExpression, siteJob, toProgram } from "@mm-ptx/ast";
import { table } from "@mm-ptx/ast/f32";
import type { Injection } from "@mm-ptx/inject";
import { type Problem, problemsOf } from "./problem.js";

/** The result of a compile. */
export interface CompiledFormula {
  readonly stub?: string;
  readonly problems: readonly Problem[];
}

/** Compiles the text of a formula. */
export function compileFormula({ operands }: Pick<Injection, "operands">, text: string): CompiledFormula {
  try {
    const [assigned = "", output] = /^\s*([A-Za-z_]\w*)\s*=(?!=)/.exec(text) ?? [];
    // Blanks keep the places of what follows.
    const formula = " ".repeat(assigned.length) + text.slice(assigned.length);
    const numbers = operands.filter(({ registerType }) => registerType === "f32");
    const job = siteJob(table, numbers, output === undefined ? {} : { output });
    const names = numbers.filter(({ direction }) => direction !== "out").map(({ name }) => name);
    const { program, routines } = toProgram(parseExpression(formula, { variables: names }), table, {
      inputs: names,
      share: true,
    });
    return { stub: new AstCompiler(table, { routines }).compile(program, job), problems: [] };
  } catch (error) {
    return { problems: problemsOf(error, text) };
  }
}
