// Finds all sites of a PTX text and groups them by name. This is hot code. Most sites repeat an earlier one character
// for character (unrolled loops, inlined functions, numbered names), except for the kernel's registers in 0.x sites, so
// each is first compared with the predicted text. V8 compares substrings fastest; `startsWith` takes five times as
// long.
import type { PtxInjectError } from "../error.js";
import { type LegacyForm, skipRegister } from "./legacy.js";
import { failName, type MarkedSite, nameStart, type Operand, readOperands, START } from "./marker.js";
import { firstDifference, operandMismatch } from "./merge.js";
import { NameTable } from "./names.js";
import { NumberList } from "./number-list.js";

/** The operand lines and the end marker, as they appeared at some site. */
interface SiteBody {
  /** The index among all bodies. */
  readonly index: number;
  /** The text; in 0.x sites it is cut at the kernel's registers. */
  readonly pieces: readonly string[];
  readonly operands: readonly Operand[];
  readonly movTypes: readonly string[] | undefined;
  /** The length of the line end after the end marker. */
  readonly lineEnd: number;
  /** The body that followed this one last time, as a prediction for new names. */
  follower: SiteBody | undefined;
}

/** All sites of one name. */
export interface SiteGroup {
  readonly name: string;
  readonly operands: readonly Operand[];
  /** The type of each operand's moves; known if one of the sites is a 0.x site, whose moves we write. */
  readonly movTypes: readonly string[] | undefined;
}

/** The sites of a text, in order; entry i of each list is about site i. */
export interface Scan {
  /** In order of first appearance. */
  readonly groups: readonly SiteGroup[];
  /** The index of the site's group. */
  readonly groupOf: ArrayLike<number>;
  /** Where the text that a stub replaces begins and ends. */
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  /** 1 for a 0.x site, whose stub is surrounded by the text that `normalize` returns; otherwise 0. */
  readonly legacy: ArrayLike<number>;
}

/** Predicts the sites of a name that has appeared more than once. */
interface Repeated {
  readonly group: number;
  readonly body: SiteBody;
  /** The text from the start marker on, cut into pieces like the body. */
  readonly block: readonly string[];
  /** The name whose site followed last time. */
  follower: Repeated | undefined;
}

const TAB = 9;
const SPACE = 32;
const SLASH = 47;
/**
 * The text that is searched for. V8 finds fewer than seven characters with the C library's `memchr` for the first one,
 * which is rare in PTX; longer patterns take it fifteen times as long.
 */
const NEEDLE = START.slice(0, 6);
const REST = START.slice(NEEDLE.length);

/**
 * @throws PtxInjectError FORMATTING, INCONSISTENT_INJECTION, UNKNOWN_TYPE.
 */
export function scan(text: string, form: LegacyForm): Scan {
  const scanner = new Scanner(text, form);
  scanner.run();
  return scanner;
}

/** How many bodies are remembered as predictions for new names. */
const RECENT = 4;

/** Groups are numbers while sites are read, so that a text with thousands of names does not need an object for each. */
class Scanner implements Scan {
  readonly groupOf: number[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly legacy: number[] = [];
  readonly #text: string;
  readonly #form: LegacyForm;
  readonly #names: NameTable;
  /** All bodies, and for each group the body of its first site. */
  readonly #bodies: SiteBody[] = [];
  readonly #bodyOf = new NumberList();
  readonly #repeated = new Map<number, Repeated>();
  /** For groups whose first site is a 1.1 site, the types of moves of a 0.x site. */
  readonly #movTypes = new Map<number, readonly string[]>();
  readonly #recent: SiteBody[] = [];
  /** The first site whose operands differ; it becomes an error once the whole text has been read. */
  #difference: PtxInjectError | undefined;
  #groups: readonly SiteGroup[] | undefined;
  /** The group and the body of the last site, and the end of the last body that was read. */
  #group = 0;
  #body: SiteBody | undefined;
  #next = 0;

  constructor(text: string, form: LegacyForm) {
    this.#text = text;
    this.#form = form;
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
    let next: number;
    for (let found = text.indexOf(NEEDLE); found !== -1; found = text.indexOf(NEEDLE, next)) {
      const marker = found - 3;
      let repeated = previous?.follower;
      next = repeated === undefined ? -1 : endOf(text, marker, repeated.block);
      if (repeated !== undefined && next !== -1) {
        this.#group = repeated.group;
        this.#body = repeated.body;
      } else if (isMarker(text, found)) {
        repeated = this.#read(marker, found + START.length);
        next = this.#next;
        if (previous !== undefined) previous.follower = repeated;
      } else {
        next = found + NEEDLE.length;
        continue;
      }
      const { lineEnd, movTypes } = this.#body!;
      this.groupOf.push(this.#group);
      this.starts.push(text.charCodeAt(marker - 1) === TAB ? marker - 1 : marker);
      this.ends.push(next - lineEnd);
      this.legacy.push(movTypes === undefined ? 0 : 1);
      previous = repeated;
    }
    if (this.#difference !== undefined) throw this.#difference;
  }

  /**
   * Reads a site that was not predicted; returns the prediction for its name unless it is the first site of the name.
   */
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
    return isFirst ? undefined : this.#repeat(group, marker, at);
  }

  /** The body of a new name's site, because injections often have the same operands as others. */
  #readFirst(marker: number, at: number): SiteBody {
    const likely = this.#body?.follower;
    if (likely !== undefined && this.#isAt(at, likely)) return likely;
    for (const body of this.#recent) if (this.#isAt(at, body)) return body;
    const body = this.#readBody(marker, at, undefined);
    if (this.#recent.unshift(body) > RECENT) this.#recent.pop();
    return body;
  }

  #readAgain(marker: number, at: number, group: number): void {
    const first = this.#bodyOfGroup(group);
    if (this.#isAt(at, first)) return;
    this.#compare(at, group, first, this.#readBody(marker, at, first.operands.length));
  }

  #repeat(group: number, marker: number, at: number): Repeated {
    let repeated = this.#repeated.get(group);
    if (repeated === undefined) {
      const body = this.#bodyOfGroup(group);
      const [first, ...others] = body.pieces;
      const block = [this.#text.substring(marker, at) + first, ...others];
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

  #readBody(marker: number, at: number, count: number | undefined): SiteBody {
    const site = readOperands(this.#text, marker, at, this.#form, count);
    this.#body = bodyOf(this.#text, at, site, this.#bodies.length);
    this.#bodies.push(this.#body);
    this.#next = site.next;
    return this.#body;
  }

  /** Sites of 0.x and 1.1 may share a name; they are compared in their normalized form. */
  #compare(at: number, group: number, first: SiteBody, body: SiteBody): void {
    const [expected, found] = [first.operands, body.operands];
    if (body.movTypes !== undefined) this.#movTypes.set(group, body.movTypes);
    if (this.#difference !== undefined) return;
    const index = firstDifference(expected, found);
    if (index === -1) return;
    const name = this.#names.names()[group]!;
    this.#difference = operandMismatch(this.#text, at, name, index, expected[index]!, found[index]!);
  }
}

/** Whether the needle that was found belongs to a start marker. */
function isMarker(text: string, found: number): boolean {
  return (
    text.charCodeAt(found - 1) === SPACE &&
    text.charCodeAt(found - 2) === SLASH &&
    text.charCodeAt(found - 3) === SLASH &&
    text.substring(found + NEEDLE.length, found + START.length) === REST
  );
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
    // A constant stays in the text, because only registers are skipped between pieces.
    if (skipRegister(text, register.start) !== register.end) continue;
    pieces.push(text.substring(from, register.start));
    from = register.end;
  }
  pieces.push(text.substring(from, next));
  return { index, pieces, operands, movTypes, lineEnd: next - end, follower: undefined };
}

/** The end of the text that consists of these pieces with kernel registers in between; -1 if it is not at `at`. */
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
