// Programs as formulas: values that are used once are part of the formula that uses them, and others are formulas with a name.
import { constantText } from "../spaces/formula.js";
import type { Formula } from "../spaces/space.js";
import { unusedName } from "../spaces/unused-name.js";
import type { NamedFormula } from "./latex.js";
import type { ExportedProgram, ProgramValue } from "./program.js";

/** The formulas of the values that are used more than once, in order, and then those of the outputs. */
export function formulasOf({ inputs, outputs, values, results }: ExportedProgram): NamedFormula[] {
  const uses = values.map(() => 0);
  for (const value of values)
    if (value.kind === "operation") for (const operand of value.operands) uses[operand]!++;
  for (const result of results) uses[result]!++;
  const taken = [...inputs, ...outputs].map(({ name }) => name);
  const formulas: Formula[] = [];
  const named: NamedFormula[] = [];
  values.forEach((value, index) => {
    const formula = formulaOf(value, inputs, formulas);
    if (value.kind !== "operation" || uses[index]! < 2) {
      formulas.push(formula);
      return;
    }
    const name = unusedName(`t_${named.length + 1}`, taken);
    named.push({ name, formula });
    formulas.push({ kind: "variable", name });
  });
  outputs.forEach(({ name }, index) => {
    named.push({ name, formula: formulas[results[index]!]! });
  });
  return named;
}

function formulaOf(
  value: ProgramValue,
  inputs: ExportedProgram["inputs"],
  formulas: readonly Formula[],
): Formula {
  if (value.kind === "input") return { kind: "variable", name: inputs[value.input]!.name };
  if (value.kind === "constant") return { kind: "number", text: numberText(value.bits, value.type) };
  const { parts } = value;
  // Comparisons are called by what they compare.
  const name = parts.name === "setp" || parts.name === "set" ? parts.choice : parts.name;
  return { kind: "operation", name, operands: value.operands.map((operand) => formulas[operand]!) };
}

function numberText(bits: bigint, type: string): string {
  if (type === "f32") return constantText(Number(bits));
  if (type === "s32" || type === "s64") return String(BigInt.asIntN(Number(type.slice(1)), bits));
  return String(bits);
}
