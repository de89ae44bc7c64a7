// Finds all sites of a PTX text and groups them by name. Hot: most sites repeat one that was read before, character for
// character (unrolled loops, inlined functions, numbered names), so each is first compared with what is likely to stand
// there. Comparing a substring is what V8 does fastest: `startsWith` takes five times as long.
import type { PtxInjectError } from "../error.js";
import { type Operand, readName, readOperands, START } from "./marker.js";
import { countMismatch, firstDifference, operandMismatch } from "./merge.js";

/** The lines of operands with the end marker, as they stood at some site. */
interface SiteBody {
  readonly text: string;
  readonly operands: readonly Operand[];
  /** The length of the line end after the end marker. */
  readonly lineEnd: number;
  /** The body that last came after this one, for names that come for the first time. */
  follower: SiteBody | undefined;
}

/** All sites of one name. */
export interface SiteGroup {
  readonly name: string;
  /** Place in the order of first appearance. */
  readonly index: number;
  /** The text of the first site, from after its start marker to after the line end of its end marker. */
  readonly block: string;
  readonly body: SiteBody;
  /** The group of the site that last came after one of this group. */
  follower: SiteGroup | undefined;
}

/** The sites of a text, in its order; entry i of the arrays is site i. */
export interface Scan {
  readonly groups: readonly SiteGroup[];
  readonly groupOf: readonly SiteGroup[];
  /** Where the text that a stub replaces begins and ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** A site that was read, and the injection it belongs to. */
interface GroupedSite {
  readonly group: SiteGroup;
  readonly end: number;
  readonly next: number;
}

const TAB = 9;
const SPACE = 32;
const SLASH = 47;

/**
 * @throws PtxInjectError FORMATTING, INCONSISTENT_INJECTION.
 */
export function scan(text: string): Scan {
  const sites = new SiteReader(text);
  const groupOf: SiteGroup[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let previous: SiteGroup | undefined;

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
    let next: number;
    if (group !== undefined && standsAt(text, after, group.block)) {
      next = after + group.block.length;
      ends.push(next - group.body.lineEnd);
    } else {
      const site = sites.read(marker);
      ({ group, next } = site);
      ends.push(site.end);
      if (previous !== undefined) previous.follower = group;
    }
    starts.push(text.charCodeAt(marker - 1) === TAB ? marker - 1 : marker);
    groupOf.push(group);
    previous = group;
    found = text.indexOf(START, next);
  }

  if (sites.difference !== undefined) throw sites.difference;
  return { groups: sites.groups, groupOf, starts, ends };
}

/** How many bodies are kept for names that come for the first time. */
const RECENT = 4;

/** Reads the sites that were not foreseen, and knows which names there are. */
class SiteReader {
  readonly groups: SiteGroup[] = [];
  /** The first site whose operands differ: an error once the whole text is read. */
  difference: PtxInjectError | undefined;
  readonly #text: string;
  readonly #byName = new Map<string, SiteGroup>();
  readonly #recent: SiteBody[] = [];
  #last: SiteBody | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The site whose start marker begins at `marker`. */
  read(marker: number): GroupedSite {
    const text = this.#text;
    const after = marker + START.length + 3;
    const { name, next: at } = readName(text, after);
    const known = this.#byName.get(name);
    let body = known === undefined ? this.#recentAt(at) : known.body;
    if (body === undefined || (known !== undefined && !standsAt(text, at, body.text))) {
      const { operands, end, next } = readOperands(text, marker, at);
      body = { text: text.substring(at, next), operands, lineEnd: next - end, follower: undefined };
      if (known === undefined) this.#remember(body);
      else this.#compare(marker, at, known, operands);
    }
    if (this.#last !== undefined) this.#last.follower = body;
    this.#last = body;
    const next = at + body.text.length;
    const group = known ?? this.#add(name, body, text.substring(after, next));
    return { group, end: next - body.lineEnd, next };
  }

  /** Injections often have the operands of others: the body that stands here, if it was read lately. */
  #recentAt(at: number): SiteBody | undefined {
    const likely = this.#last?.follower;
    if (likely !== undefined && standsAt(this.#text, at, likely.text)) return likely;
    return this.#recent.find((body) => standsAt(this.#text, at, body.text));
  }

  #remember(body: SiteBody): void {
    if (this.#recent.unshift(body) > RECENT) this.#recent.pop();
  }

  #compare(marker: number, at: number, { name, body }: SiteGroup, operands: readonly Operand[]): void {
    if (body.operands.length !== operands.length) {
      throw countMismatch(this.#text, marker, name, body.operands, operands);
    }
    if (this.difference !== undefined) return;
    const index = firstDifference(body.operands, operands);
    if (index === -1) return;
    this.difference = operandMismatch(this.#text, at, name, index, body.operands[index]!, operands[index]!);
  }

  #add(name: string, body: SiteBody, block: string): SiteGroup {
    const group: SiteGroup = { name, index: this.groups.length, block, body, follower: undefined };
    this.groups.push(group);
    this.#byName.set(name, group);
    return group;
  }
}

const standsAt = (text: string, at: number, block: string): boolean =>
  text.substring(at, at + block.length) === block;
