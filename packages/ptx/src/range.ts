// Ranges of registers: `.reg .f32 %f<8>` declares `%f0` to `%f7`. ptxas treats all digits at the end of a name as its
// number, and an inner range hides only those registers of an outer range that it has itself.
import { isDigit } from "./characters.js";
import type { PtxDeclaration } from "./names.js";
import { countBefore } from "./search.js";

/** The name of the range that could contain a register of this name: `%f` for `%f7`. */
export function rangeNameOf(name: string): string {
  return name.slice(0, numberStart(name));
}

/** Whether a range with the name from `rangeNameOf` contains a register of that name. */
export function isInRange(name: string, { count = 0 }: PtxDeclaration): boolean {
  return numberOf(name) < count;
}

/** The number at the end of a register's name; infinite when it has none. */
function numberOf(name: string): number {
  const start = numberStart(name);
  return start === name.length ? Number.POSITIVE_INFINITY : Number(name.slice(start));
}

function numberStart(name: string): number {
  let start = name.length;
  while (start > 0 && isDigit(name.charCodeAt(start - 1))) start--;
  return start;
}

/** The ranges of one name in the scopes around a place. A look-up takes logarithmic time. */
export class VisibleRanges {
  /**
   * Ranges that no inner range hides completely, outermost first, so their counts decrease. Only the first `#shown`
   * entries are valid.
   */
  readonly #ranges: PtxDeclaration[] = [];
  #shown = 0;
  readonly #entered: {
    readonly at: number;
    readonly hidden: PtxDeclaration | undefined;
    readonly shown: number;
  }[] = [];

  /** Enters a range of a scope inside all others. */
  enter(range: PtxDeclaration): void {
    const at = countBefore(this.#shown, (index) => this.#ranges[index]!.count! > range.count!);
    this.#entered.push({ at, hidden: this.#ranges[at], shown: this.#shown });
    this.#ranges[at] = range;
    this.#shown = at + 1;
  }

  /** Undoes the last `enter`. */
  leave(): void {
    const { at, hidden, shown } = this.#entered.pop()!;
    if (hidden !== undefined) this.#ranges[at] = hidden;
    this.#shown = shown;
  }

  /** The innermost range that contains a register of a name. */
  find(name: string): PtxDeclaration | undefined {
    const number = numberOf(name);
    return this.#ranges[countBefore(this.#shown, (index) => this.#ranges[index]!.count! > number) - 1];
  }
}
