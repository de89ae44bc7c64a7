// Enumerated programs as formulas of AST spaces.

import type { AstConstraints } from "./ast-constraints.js";
import { AstWord } from "./ast-layout.js";
import type { AstSymbols } from "./ast-symbols.js";
import { bitsOfConstant, type EnumerablePrograms, type EnumeratedConstants } from "./enumerable.js";

/** All values are of one sort. */
const VALUE = 0;

export function astEnumerable(
  { inputs, firstInput, constant, heads, payloads, arity, commuting, allowed }: AstSymbols,
  maxLength: number,
  constraints: AstConstraints,
  constants: EnumeratedConstants,
): EnumerablePrograms {
  const words = inputs.map(
    (_, input) => [heads[firstInput + input]!, payloads[firstInput + input]!] as const,
  );
  for (const value of constants.f32 ?? []) words.push([heads[constant]!, bitsOfConstant("f32", value)]);
  return {
    parts: {
      operations: allowed.map((symbol) => ({
        args: Array<number>(arity[symbol]!).fill(VALUE),
        result: VALUE,
        commutes: commuting[symbol]! >= 2,
      })),
      leaves: words.map(() => VALUE),
      inputs: inputs.length,
      output: VALUE,
      shares: false,
    },
    append(nodes, output, out) {
      const program: (readonly [number, number])[] = [];
      const write = (value: number): void => {
        const leaf = words[value];
        if (leaf !== undefined) {
          program.push(leaf);
          return;
        }
        const [operation, ...operands] = nodes[value - words.length]!;
        for (const operand of operands) write(operand);
        const symbol = allowed[operation]!;
        program.push([heads[symbol]!, payloads[symbol]!]);
      };
      write(output);
      if (program.length > maxLength) return;
      const room = out.reserve(program.length * AstWord.perInstruction);
      let at = out.end;
      for (const [head, payload] of program) {
        room[at++] = head;
        room[at++] = payload;
      }
      if (constraints.problem(room, out.end, at) === undefined) out.append(at);
    },
  };
}
