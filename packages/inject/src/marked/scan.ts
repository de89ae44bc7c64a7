// Finds all sites of a PTX text and groups them by name. Hot: most sites repeat one that was read before, character for
// character (unrolled loops, inlined functions, numbered names), so each is first compared with what is likely to stand
// there. Comparing a substring is what V8 does fastest: `startsWith` takes five times as long.
import type { PtxInjectError } from "../error.js";
import { type Operand, readName, readOperands, START } from "./marker.js";
import { countMismatch, firstDifference, operandMismatch } from "./merge.js";

/** All sites of one name. */
export interface SiteGroup {
  readonly name: string;
  /** Place in the order of first appearance. */
  readonly index: number;
  readonly operands: readonly Operand[];
  /** The text of the first site, from after its start marker to after the line end of its end marker. */
  readonly block: string;
  /** The part of `block` after the line of the name. */
  readonly body: string;
  /** The length of the line end at the end of `block`. */
  readonly lineEnd: number;
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
      ends.push(next - group.lineEnd);
    } else {
      const site = sites.read(marker, previous);
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

/** Reads the sites that were not foreseen, and knows which names there are. */
class SiteReader {
  readonly groups: SiteGroup[] = [];
  /** The first site whose operands differ: an error once the whole text is read. */
  difference: PtxInjectError | undefined;
  readonly #text: string;
  readonly #byName = new Map<string, SiteGroup>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The site whose start marker begins at `marker`; its operands are likely those of `previous`. */
  read(marker: number, previous: SiteGroup | undefined): GroupedSite {
    const text = this.#text;
    const after = marker + START.length + 3;
    const { name, next: body } = readName(text, after);
    const known = this.#byName.get(name);
    const likely = known ?? previous;
    if (likely !== undefined && standsAt(text, body, likely.body)) {
      const next = body + likely.body.length;
      const end = next - likely.lineEnd;
      return { group: known ?? this.#add(name, likely.operands, after, body, end, next), end, next };
    }
    const { operands, end, next } = readOperands(text, marker, body);
    if (known === undefined) return { group: this.#add(name, operands, after, body, end, next), end, next };
    if (known.operands.length !== operands.length)
      throw countMismatch(text, marker, name, known.operands, operands);
    const index = this.difference === undefined ? firstDifference(known.operands, operands) : -1;
    if (index !== -1) {
      this.difference = operandMismatch(text, body, name, index, known.operands[index]!, operands[index]!);
    }
    return { group: known, end, next };
  }

  #add(
    name: string,
    operands: readonly Operand[],
    after: number,
    body: number,
    end: number,
    next: number,
  ): SiteGroup {
    const group: SiteGroup = {
      name,
      index: this.groups.length,
      operands,
      block: this.#text.substring(after, next),
      body: this.#text.substring(body, next),
      lineEnd: next - end,
      follower: undefined,
    };
    this.groups.push(group);
    this.#byName.set(name, group);
    return group;
  }
}

const standsAt = (text: string, at: number, block: string): boolean =>
  text.substring(at, at + block.length) === block;
