// Short programs with correct units, from which searches start: random programs rarely have any.
import type { AstConstraints } from "./ast-constraints.js";
import { AstWord } from "./ast-layout.js";
import type { AstSymbols } from "./ast-symbols.js";
import type { AstUnits } from "./ast-units.js";
import type { Genome } from "./space.js";

/** How many programs are kept for each unit, how many are enough, how long they are, and how many are made in search of them. */
const OF_A_UNIT = 3;
const ENOUGH = 64;
const LONGEST = 13;
const MOST_MADE = 100_000;
/** The bits of 1. */
const ONE = 0x3f800000;

/**
 * Programs with correct units, the shortest first: all inputs and a constant, and operators on shorter programs, of which a few are kept
 * for each unit.
 */
export function unitStarts(
  symbols: AstSymbols,
  constraints: AstConstraints,
  units: AstUnits,
  maxLength: number,
): Genome[] {
  const { allowed, arity, heads, payloads, isAllowed, commuting, constant, firstInput } = symbols;
  const bySize: Uint32Array[][] = [[]];
  const counts = new Map<string, number>();
  const starts: Genome[] = [];
  let made = 0;
  const add = (size: number, words: Uint32Array): void => {
    made++;
    const end = words.length;
    if (constraints.partProblem(words, 0, end) !== undefined || !units.isCorrect(words, 0, end)) return;
    const { unit } = units;
    const count = counts.get(unit) ?? 0;
    // All inputs are kept.
    if (count >= OF_A_UNIT && size > 1) return;
    counts.set(unit, count + 1);
    bySize[size]!.push(words);
    if (units.fits(words, 0, end)) starts.push({ words, start: 0, end });
  };
  const unary = allowed.filter((number) => arity[number] === 1);
  const binary = allowed.filter((number) => arity[number] === 2);
  for (let size = 1; size <= Math.min(maxLength, LONGEST); size++) {
    bySize.push([]);
    if (size === 1) {
      for (let number = firstInput; number < constant; number++) add(1, instruction(number));
      for (const number of allowed) if (arity[number] === 0) add(1, instruction(number));
      if (isAllowed[constant] === 1) add(1, Uint32Array.of(AstWord.constant, ONE));
    }
    if (size > 1)
      for (const number of unary)
        for (const operand of bySize[size - 1]!) add(size, join([operand], instruction(number)));
    for (let left = 1; left < size - 1; left++) {
      for (const a of bySize[left]!) {
        for (const b of bySize[size - 1 - left]!) {
          if (starts.length >= ENOUGH || made >= MOST_MADE) return starts;
          for (const number of binary) {
            const isMirrored = left > size - 1 - left && commuting[number] === 2;
            if (!isMirrored) add(size, join([a, b], instruction(number)));
          }
        }
      }
    }
  }
  return starts;

  function instruction(number: number): Uint32Array {
    return Uint32Array.of(heads[number]!, payloads[number]!);
  }
}

function join(operands: readonly Uint32Array[], operator: Uint32Array): Uint32Array {
  const words = new Uint32Array(operands.reduce((sum, { length }) => sum + length, operator.length));
  let at = 0;
  for (const part of [...operands, operator]) {
    words.set(part, at);
    at += part.length;
  }
  return words;
}
