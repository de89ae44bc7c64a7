// Finds all sites of a PTX text and groups them by name. Hot: most sites repeat one that was read before, character for
// character (unrolled loops, inlined functions, numbered names) but for the registers of the kernel in those of 0.x, so
// each is first compared with what is likely to stand there. Comparing a substring is what V8 does fastest: `startsWith`
// takes five times as long.
import type { InjectTypes } from "@mm-ptx/types/core";
import type { PtxInjectError } from "../error.js";
import { skipRegister } from "./legacy.js";
import { failName, type MarkedSite, nameStart, type Operand, readOperands, START } from "./marker.js";
import { countMismatch, firstDifference, operandMismatch } from "./merge.js";
import { NameTable } from "./names.js";
import { NumberList } from "./number-list.js";

/** The lines of operands with the end marker, as they stood at some site. */
interface SiteBody {
  /** Place among all that were read. */
  readonly index: number;
  /** The text; in sites of 0.x cut where registers of the kernel stand. */
  readonly pieces: readonly string[];
  readonly operands: readonly Operand[];
  readonly movTypes: readonly string[] | undefined;
  /** The length of the line end after the end marker. */
  readonly lineEnd: number;
  /** The body that last came after this one, for names that come for the first time. */
  follower: SiteBody | undefined;
}

/** All sites of one name. */
export interface SiteGroup {
  readonly name: string;
  readonly operands: readonly Operand[];
  /** The type of each operand's moves; known when a site of 0.x is among the sites, which get their moves from us. */
  readonly movTypes: readonly string[] | undefined;
}

/** The sites of a text, in its order; entry i of the lists is site i. */
export interface Scan {
  /** In order of first appearance. */
  readonly groups: readonly SiteGroup[];
  /** Index of the site's group. */
  readonly groupOf: ArrayLike<number>;
  /** Where the text that a stub replaces begins and ends. */
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  /** 1 for a site of 0.x, around whose stub stands what `normalize` tells; else 0. */
  readonly legacy: ArrayLike<number>;
}

/** What foresees the sites of a name that came more than once. */
interface Repeated {
  readonly group: number;
  readonly body: SiteBody;
  /** What stands after the start marker, in pieces as the body. */
  readonly block: readonly string[];
  /** Whose site last came after one of this name. */
  follower: Repeated | undefined;
}

const TAB = 9;
const SPACE = 32;
const SLASH = 47;

/**
 * @throws PtxInjectError FORMATTING, INCONSISTENT_INJECTION, UNKNOWN_TYPE.
 */
export function scan(text: string, types: InjectTypes): Scan {
  const scanner = new Scanner(text, types);
  scanner.run();
  return scanner;
}

/** How many bodies are kept for names that come for the first time. */
const RECENT = 4;

/** Groups are numbers while sites are read, so that a text of thousands of names makes no object for each. */
class Scanner implements Scan {
  readonly groupOf: number[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly legacy: number[] = [];
  readonly #text: string;
  readonly #types: InjectTypes;
  readonly #names: NameTable;
  /** All that were read, and of each group which one its first site has. */
  readonly #bodies: SiteBody[] = [];
  readonly #bodyOf = new NumberList();
  readonly #repeated = new Map<number, Repeated>();
  /** Of groups whose first site is one of 1.x, the types of moves that a 0.x site has. */
  readonly #movTypes = new Map<number, readonly string[]>();
  readonly #recent: SiteBody[] = [];
  /** The first site whose operands differ: an error once the whole text is read. */
  #difference: PtxInjectError | undefined;
  #groups: readonly SiteGroup[] | undefined;
  /** Of the last site: its group and body; of the last one that was read, where it ends. */
  #group = 0;
  #body: SiteBody | undefined;
  #next = 0;

  constructor(text: string, types: InjectTypes) {
    this.#text = text;
    this.#types = types;
    this.#names = new NameTable(text);
  }

  get groups(): readonly SiteGroup[] {
    this.#groups ??= this.#names.names().map((name, group) => {
      const { operands, movTypes } = this.#bodyOfGroup(group);
      return { name, operands, movTypes: movTypes ?? this.#movTypes.get(group) };
    });
    return this.#groups;
  }

  run(): void {
    const text = this.#text;
    let previous: Repeated | undefined;
    for (let found = text.indexOf(START); found !== -1; ) {
      const marker = found - 3;
      const after = found + START.length;
      if (
        text.charCodeAt(marker + 2) !== SPACE ||
        text.charCodeAt(marker + 1) !== SLASH ||
        text.charCodeAt(marker) !== SLASH
      ) {
        found = text.indexOf(START, after);
        continue;
      }

      let repeated = previous?.follower;
      let next = repeated === undefined ? -1 : endOf(text, after, repeated.block);
      if (repeated !== undefined && next !== -1) {
        this.#group = repeated.group;
        this.#body = repeated.body;
      } else {
        repeated = this.#read(marker, after);
        next = this.#next;
        if (previous !== undefined) previous.follower = repeated;
      }
      const { lineEnd, movTypes } = this.#body!;
      this.groupOf.push(this.#group);
      this.starts.push(text.charCodeAt(marker - 1) === TAB ? marker - 1 : marker);
      this.ends.push(next - lineEnd);
      this.legacy.push(movTypes === undefined ? 0 : 1);
      previous = repeated;
      found = text.indexOf(START, next);
    }
    if (this.#difference !== undefined) throw this.#difference;
  }

  /** Reads a site that was not foreseen; gives what foresees others of its name when it is not the first. */
  #read(marker: number, after: number): Repeated | undefined {
    const text = this.#text;
    const group = this.#names.numberOf(nameStart(text, after));
    if (group === -1) failName(text, after);
    const at = this.#names.newline + 1;
    this.#group = group;
    const last = this.#body;
    const isFirst = group === this.#bodyOf.length;
    if (isFirst) this.#bodyOf.push(this.#readFirst(marker, at).index);
    else this.#readAgain(marker, at, group);
    if (last !== undefined && last.follower !== this.#body) last.follower = this.#body;
    return isFirst ? undefined : this.#repeat(group, after, at);
  }

  /** The body of a new name's site: injections often have the operands of others. */
  #readFirst(marker: number, at: number): SiteBody {
    const likely = this.#body?.follower;
    if (likely !== undefined && this.#isAt(at, likely)) return likely;
    for (const body of this.#recent) if (this.#isAt(at, body)) return body;
    const body = this.#readBody(marker, at);
    if (this.#recent.unshift(body) > RECENT) this.#recent.pop();
    return body;
  }

  #readAgain(marker: number, at: number, group: number): void {
    const first = this.#bodyOfGroup(group);
    if (!this.#isAt(at, first)) this.#compare(marker, at, group, first, this.#readBody(marker, at));
  }

  #repeat(group: number, after: number, at: number): Repeated {
    let repeated = this.#repeated.get(group);
    if (repeated === undefined) {
      const body = this.#bodyOfGroup(group);
      const [first, ...others] = body.pieces;
      const block = [this.#text.substring(after, at) + first, ...others];
      repeated = { group, body, block, follower: undefined };
      this.#repeated.set(group, repeated);
    }
    return repeated;
  }

  #bodyOfGroup(group: number): SiteBody {
    return this.#bodies[this.#bodyOf.values[group]!]!;
  }

  #isAt(at: number, body: SiteBody): boolean {
    const next = endOf(this.#text, at, body.pieces);
    if (next === -1) return false;
    this.#body = body;
    this.#next = next;
    return true;
  }

  #readBody(marker: number, at: number): SiteBody {
    const site = readOperands(this.#text, marker, at, this.#types);
    this.#body = bodyOf(this.#text, at, site, this.#bodies.length);
    this.#bodies.push(this.#body);
    this.#next = site.next;
    return this.#body;
  }

  /** Sites of 0.x and 1.x may share a name: what counts is what they are when normalized. */
  #compare(marker: number, at: number, group: number, first: SiteBody, body: SiteBody): void {
    const [expected, found] = [first.operands, body.operands];
    if (expected.length !== found.length) {
      throw countMismatch(this.#text, marker, this.#names.names()[group]!, expected, found);
    }
    if (body.movTypes !== undefined) this.#movTypes.set(group, body.movTypes);
    if (this.#difference !== undefined) return;
    const index = firstDifference(expected, found);
    if (index === -1) return;
    const name = this.#names.names()[group]!;
    this.#difference = operandMismatch(this.#text, at, name, index, expected[index]!, found[index]!);
  }
}

function bodyOf(
  text: string,
  at: number,
  { operands, movTypes, registers, end, next }: MarkedSite,
  index: number,
): SiteBody {
  const pieces: string[] = [];
  let from = at;
  for (const register of registers) {
    // A constant stays in the text: what is skipped between pieces is registers.
    if (skipRegister(text, register.start) !== register.end) continue;
    pieces.push(text.substring(from, register.start));
    from = register.end;
  }
  pieces.push(text.substring(from, next));
  return { index, pieces, operands, movTypes, lineEnd: next - end, follower: undefined };
}

/** Where the text ends that consists of these pieces with registers of the kernel between; -1 when it is not at `at`. */
function endOf(text: string, at: number, pieces: readonly string[]): number {
  let end = at;
  for (let i = 0; i < pieces.length; i++) {
    if (i > 0) {
      end = skipRegister(text, end);
      if (end === -1) return -1;
    }
    const piece = pieces[i]!;
    const from = end;
    end += piece.length;
    if (text.substring(from, end) !== piece) return -1;
  }
  return end;
}
