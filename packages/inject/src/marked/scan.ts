// Finds all sites of a PTX text and groups them by name. Hot: most sites repeat one that was read before, character for
// character (unrolled loops, inlined functions, numbered names) but for the registers of the kernel in those of 0.x, so
// each is first compared with what is likely to stand there. Comparing a substring is what V8 does fastest: `startsWith`
// takes five times as long.
import type { InjectTypes } from "@mm-ptx/types/core";
import type { PtxInjectError } from "../error.js";
import { skipRegister } from "./legacy.js";
import { type MarkedSite, nameLine, nameStart, type Operand, readOperands, START } from "./marker.js";
import { countMismatch, firstDifference, operandMismatch } from "./merge.js";
import { NameTable } from "./names.js";
import { lineEnd, trimBlanks } from "./text.js";

/** The lines of operands with the end marker, as they stood at some site. */
interface SiteBody {
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
  /** 1 for a site of 0.x, around whose stub stands what `normalized` tells; else 0. */
  readonly legacy: ArrayLike<number>;
}

/** A group while it is scanned. */
interface OpenGroup {
  readonly index: number;
  readonly body: SiteBody;
  /** Of the first 0.x site, where the first site is one of 1.x. */
  movTypes: readonly string[] | undefined;
  /** What stands after the start marker, in pieces as the body; kept when the name comes for the second time. */
  pieces: readonly string[] | undefined;
  /** The group of the site that last came after one of this group. */
  follower: OpenGroup | undefined;
}

const TAB = 9;
const SPACE = 32;
const SLASH = 47;

/**
 * @throws PtxInjectError FORMATTING, INCONSISTENT_INJECTION, UNKNOWN_TYPE.
 */
export function scan(text: string, types: InjectTypes): Scan {
  const sites = new SiteReader(text, types);
  const groupOf: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const legacy: number[] = [];
  let previous: OpenGroup | undefined;

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

    let group = previous?.follower;
    let body = group?.body;
    let next = group?.pieces === undefined ? -1 : endOf(text, after, group.pieces);
    if (next === -1) {
      ({ group, body, next } = sites.read(marker));
      if (previous !== undefined) previous.follower = group;
    }
    starts.push(text.charCodeAt(marker - 1) === TAB ? marker - 1 : marker);
    ends.push(next - body!.lineEnd);
    legacy.push(body!.movTypes === undefined ? 0 : 1);
    groupOf.push(group!.index);
    previous = group;
    found = text.indexOf(START, next);
  }

  if (sites.difference !== undefined) throw sites.difference;
  return lazily({ groupOf, starts, ends, legacy }, () => sites.named());
}

/** A scan whose groups are made when they are first asked for. */
export function lazily(sites: Omit<Scan, "groups">, groups: () => readonly SiteGroup[]): Scan {
  let made: readonly SiteGroup[] | undefined;
  return {
    ...sites,
    get groups() {
      made ??= groups();
      return made;
    },
  };
}

/** A site that was read, and the injection it belongs to. */
interface GroupedSite {
  readonly group: OpenGroup;
  readonly body: SiteBody;
  /** After the line end of the end marker. */
  readonly next: number;
}

/** How many bodies are kept for names that come for the first time. */
const RECENT = 4;

/** Reads the sites that were not foreseen, and knows which names there are. */
class SiteReader {
  /** The first site whose operands differ: an error once the whole text is read. */
  difference: PtxInjectError | undefined;
  readonly #text: string;
  readonly #types: InjectTypes;
  readonly #names: NameTable;
  readonly #groups: OpenGroup[] = [];
  readonly #recent: SiteBody[] = [];
  #last: SiteBody | undefined;

  constructor(text: string, types: InjectTypes) {
    this.#text = text;
    this.#types = types;
    this.#names = new NameTable(text);
  }

  /** The site whose start marker begins at `marker`. */
  read(marker: number): GroupedSite {
    const text = this.#text;
    const after = marker + START.length + 3;
    const newline = nameLine(text, after);
    const end = lineEnd(text, after, newline);
    const name = nameStart(text, after, end);
    const index = this.#names.numberOf(name, trimBlanks(text, name, end));
    const known = this.#groups[index];
    const at = newline + 1;

    let body = known === undefined ? this.#last?.follower : known.body;
    let next = body === undefined ? -1 : endOf(text, at, body.pieces);
    if (next === -1 && known === undefined) {
      body = this.#recent.find((recent) => {
        next = endOf(text, at, recent.pieces);
        return next !== -1;
      });
    }
    if (body === undefined || next === -1) {
      const site = readOperands(text, marker, at, this.#types);
      body = bodyOf(text, at, site);
      next = site.next;
      if (known === undefined) this.#remember(body);
      else this.#compare(marker, at, known, body);
    } else if (known !== undefined && known.pieces === undefined) {
      const [first, ...others] = body.pieces;
      known.pieces = [text.substring(after, at + first!.length), ...others];
    }
    if (this.#last !== undefined) this.#last.follower = body;
    this.#last = body;
    if (known !== undefined) return { group: known, body, next };
    const group = { index, body, movTypes: body.movTypes, pieces: undefined, follower: undefined };
    this.#groups.push(group);
    return { group, body, next };
  }

  named(): readonly SiteGroup[] {
    return this.#groups.map(({ index, body: { operands }, movTypes }) => ({
      name: this.#names.at(index),
      operands,
      movTypes,
    }));
  }

  #remember(body: SiteBody): void {
    if (this.#recent.unshift(body) > RECENT) this.#recent.pop();
  }

  /** Sites of 0.x and 1.x may share a name: what counts is what they are when normalized. */
  #compare(marker: number, at: number, group: OpenGroup, { operands, movTypes }: SiteBody): void {
    const expected = group.body.operands;
    const name = () => this.#names.at(group.index);
    if (expected.length !== operands.length) {
      throw countMismatch(this.#text, marker, name(), expected, operands);
    }
    group.movTypes ??= movTypes;
    if (this.difference !== undefined) return;
    const index = firstDifference(expected, operands);
    if (index === -1) return;
    this.difference = operandMismatch(this.#text, at, name(), index, expected[index]!, operands[index]!);
  }
}

function bodyOf(
  text: string,
  at: number,
  { operands, movTypes, registers, end, next }: MarkedSite,
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
  return { pieces, operands, movTypes, lineEnd: next - end, follower: undefined };
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
