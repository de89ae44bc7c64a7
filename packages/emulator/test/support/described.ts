// The instructions of the default Stack and AST descriptions, and kernels that run one of them on values from
// memory.
import { readFileSync } from "node:fs";
import { parseAstDescription, parseStackDescription } from "@mm-ptx/types";

const ROOT = new URL("../../../../type_descriptions/", import.meta.url);

/** An instruction with the stack types of its operands and results, vectors item by item. */
export interface DescribedInstruction {
  readonly ptx: string;
  readonly sources: readonly string[];
  readonly results: readonly string[];
  /** How operands are grouped: 0 for a single one, else the number of items in braces. */
  readonly sourceShapes: readonly number[];
  readonly resultShapes: readonly number[];
  /** PTX register types by stack type. */
  readonly registerTypes: Readonly<Record<string, string>>;
}

/** All instructions, with those of the AST description as instructions on f32. */
export function describedInstructions(): readonly DescribedInstruction[] {
  const table = parseStackDescription(readFileSync(new URL("stack_descriptions.json", ROOT), "utf8"));
  const ast = parseAstDescription(readFileSync(new URL("ast_instructions.json", ROOT), "utf8"));
  const registerTypes = Object.fromEntries(
    table.stackTypes.map(({ name, literalPrefix }) => [name, literalPrefix]),
  );
  const items = (index: number) => {
    const { stackIndex, vectorElements } = table.argTypes[index]!;
    return Array.from({ length: Math.max(1, vectorElements) }, () => table.stackTypes[stackIndex]!.name);
  };
  const shapes = (indices: readonly number[]) =>
    indices.map((index) => table.argTypes[index]!.vectorElements);
  return [
    ...table.instructions.map(({ ptx, args, results }) => ({
      ptx,
      sources: args.flatMap(items),
      results: results.flatMap(items),
      sourceShapes: shapes(args),
      resultShapes: shapes(results),
      registerTypes,
    })),
    ...ast.instructions.map(({ ptx, args }) => ({
      ptx,
      sources: Array.from({ length: args }, () => "F32"),
      results: ["F32"],
      sourceShapes: Array.from({ length: args }, () => 0),
      resultShapes: [0],
      registerTypes,
    })),
  ];
}

const SIZES: Readonly<Record<string, number>> = { b16: 16, b64: 64, u64: 64, s64: 64, f64: 64 };

/** Reads operands from slots of 8 bytes, one row of slots per thread, and writes the results after them. */
export function instructionKernel(instruction: DescribedInstruction): string {
  const { ptx, sources, results, sourceShapes, resultShapes, registerTypes } = instruction;
  const prefix = (type: string) => registerTypes[type]!;
  const lines = ["\t.reg .b32 %i<4>;", "\t.reg .b64 %l<4>;"];
  const declared = [
    ...sources.map((type, index) => [`%s${index}`, type]),
    ...results.map((type, index) => [`%d${index}`, type]),
  ];
  for (const [name, type] of declared) lines.push(`\t.reg .${prefix(type!)} ${name};`);
  lines.push(
    ...["\tmov.u32 %i0, %tid.x;", "\tmov.u32 %i1, %ctaid.x;", "\tmad.lo.u32 %i0, %i1, 32, %i0;"],
    ...[`\tmul.wide.u32 %l0, %i0, ${8 * (sources.length + results.length)};`, "\tadd.u64 %l1, %a0, %l0;"],
  );
  sources.forEach((type, index) => {
    if (prefix(type) === "pred") {
      lines.push(`\tld.global.u32 %i2, [%l1+${8 * index}];`, `\tsetp.ne.u32 %s${index}, %i2, 0;`);
    } else {
      lines.push(`\tld.global.b${SIZES[prefix(type)] ?? 32} %s${index}, [%l1+${8 * index}];`);
    }
  });
  const operands = [grouped("%d", resultShapes, results), grouped("%s", sourceShapes, sources)];
  // Predicates are a pair, all others a list.
  const predicates = results.length === 2 && results.every((type) => prefix(type) === "pred");
  const written = [operands[0]!.join(predicates ? "|" : ", "), ...operands[1]!].filter((text) => text !== "");
  lines.push(`\t${ptx} ${written.join(", ")};`);
  results.forEach((type, index) => {
    const at = 8 * (sources.length + index);
    if (prefix(type) === "pred") {
      lines.push(`\tselp.u32 %i2, 1, 0, %d${index};`, `\tst.global.u32 [%l1+${at}], %i2;`);
    } else {
      lines.push(`\tst.global.b${SIZES[prefix(type)] ?? 32} [%l1+${at}], %d${index};`);
    }
  });
  return lines.join("\n");
}

function grouped(letter: string, shapes: readonly number[], items: readonly string[]): readonly string[] {
  let next = 0;
  const names = items.map((_, index) => `${letter}${index}`);
  return shapes.map((elements) => {
    const taken = names.slice(next, next + Math.max(1, elements));
    next += taken.length;
    return elements === 0 ? taken[0]! : `{${taken.join(", ")}}`;
  });
}
