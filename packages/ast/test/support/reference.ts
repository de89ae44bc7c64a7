// Runs programs one instruction after the other on bits, exactly as their words say: the interpreter's plans,
// blocks and kernels must compute the same.
import { expectedBits } from "./oracle.js";

/** The bits of a valid program's value for one row of bits. */
export function runReference(
  mnemonics: readonly string[],
  routines: readonly Uint32Array[],
  program: Uint32Array,
  inputs: readonly number[],
): number {
  const stack: number[] = [];
  const run = (words: Uint32Array, args: readonly number[]): void => {
    for (let at = 0; at < words.length; at += 2) {
      const [head, payload] = [words[at]!, words[at + 1]!];
      const count = head >>> 16;
      switch (head & 0xffff) {
        case 1:
          stack.push(inputs[payload]!);
          break;
        case 2:
          stack.push(payload);
          break;
        case 3:
          stack.push(expectedBits(mnemonics[payload]!, stack.splice(stack.length - count, count)));
          break;
        case 4:
          run(routines[payload]!, stack.splice(stack.length - count, count));
          break;
        case 6:
          stack.push(args[payload]!);
          break;
        default:
          return;
      }
    }
  };
  run(program, []);
  return stack[0]!;
}
