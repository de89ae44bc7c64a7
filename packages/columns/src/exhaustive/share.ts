// A worker's share of a check.
import { borrowMachine } from "../machine/loans.js";
import type { Share } from "../workers/share.js";
import { Checker, type Tally } from "./checker.js";
import { BLOCK, type Limit } from "./comparison.js";
import type { UnaryCode } from "./shape.js";

/** A check that threads can share: its parts are blocks of inputs. */
export interface SharedCheck {
  readonly code: UnaryCode;
  readonly reference: UnaryCode;
  readonly limit: Limit;
  readonly first: number;
  readonly count: number;
  readonly webAssembly: boolean;
}

/** The most blocks to take at a time. */
const MOST_BLOCKS = 64;

/** The number of parts of a check. */
export const blocksOf = (count: number): number => Math.ceil(count / BLOCK);

export async function runShare(
  { code, reference, limit, first, count, webAssembly }: SharedCheck,
  share: Share,
): Promise<Tally> {
  const { machine, giveBack } = await borrowMachine(webAssembly);
  try {
    await machine.load();
    const checker = new Checker(code, reference, limit, machine);
    await share.each(blocksOf(count), MOST_BLOCKS, (parts) => {
      for (let block = parts.first; block < parts.end && !share.isStopped; block++) {
        const at = block * BLOCK;
        checker.check(first + at, Math.min(BLOCK, count - at));
      }
    });
    return checker.tally;
  } finally {
    giveBack();
  }
}
