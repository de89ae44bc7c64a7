// The branches of `#if … #elif … #else … #endif` around a place. Two places in different branches of one conditional
// are never compiled together, and code in `#if 0` is not compiled at all.

/**
 * A branch of a conditional, or the whole file. Everything inside it, except for nested conditionals, has this same
 * object.
 */
export interface Branch {
  readonly parent: Branch | undefined;
  readonly depth: number;
  /** The conditional of the file that this is a branch of. */
  readonly conditional: number;
  /** Whether it begins with `#if 0`, or is inside such a branch. */
  readonly dead: boolean;
}

/** More deeply nested conditionals count as part of the branch around them. */
const DEEPEST = 256;

/** Follows the directives of a file. */
export class Branches {
  current: Branch = { parent: undefined, depth: 0, conditional: 0, dead: false };
  #conditionals = 0;
  #tooDeep = 0;

  /** Processes the directive whose word spans from `start` to `end`. */
  read(text: string, start: number, end: number): void {
    const length = end - start;
    if (length < 2 || length > 8) return;
    const word = text.substring(start, end);
    if (word === "endif") this.#close();
    else if (/^el(se|if|ifdef|ifndef)$/.test(word)) this.#another();
    else if (/^if(def|ndef)?$/.test(word)) this.#open(word === "if" && isZero(text, end));
  }

  #open(dead: boolean): void {
    const parent = this.current;
    if (parent.depth === DEEPEST) this.#tooDeep++;
    else this.#enter(parent, ++this.#conditionals, dead);
  }

  #another(): void {
    const { parent, conditional } = this.current;
    if (parent !== undefined && this.#tooDeep === 0) this.#enter(parent, conditional, false);
  }

  #close(): void {
    const { parent } = this.current;
    if (this.#tooDeep > 0) this.#tooDeep--;
    else if (parent !== undefined) this.current = parent;
  }

  #enter(parent: Branch, conditional: number, dead: boolean): void {
    this.current = { parent, depth: parent.depth + 1, conditional, dead: dead || parent.dead };
  }
}

const isZero = (text: string, at: number): boolean =>
  /^[ \t]*0[ \t]*\r?(\n|$|\/)/.test(text.substring(at, at + 40));

/** Whether two places are in different branches of one conditional. */
export function areExclusive(a: Branch, b: Branch): boolean {
  let [left, right]: [Branch | undefined, Branch | undefined] = [a, b];
  while (left !== undefined && right !== undefined && left !== right) {
    if (left.conditional === right.conditional) return true;
    if (left.depth >= right.depth) left = left.parent;
    else right = right.parent;
  }
  return false;
}
