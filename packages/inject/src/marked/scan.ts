// Finds all sites of a PTX text and groups them by name. Hot: most sites repeat one that was read before, character for
// character (unrolled loops, inlined functions), so each is first compared with the site that followed last time.
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
  /** How much of the block's end is the line end. */
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

const TAB = 9;
const SPACE = 32;
const SLASH = 47;

export function scan(text: string): Scan {
  const groups: SiteGroup[] = [];
  const byName = new Map<string, SiteGroup>();
  const groupOf: SiteGroup[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let previous: SiteGroup | undefined;
  let difference: PtxInjectError | undefined;

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
    let end: number;
    let next: number;
    if (group !== undefined && text.startsWith(group.block, after)) {
      next = after + group.block.length;
      end = next - group.lineEnd;
    } else {
      const name = readName(text, after);
      group = byName.get(name.name);
      if (group !== undefined && text.startsWith(group.block, after)) {
        next = after + group.block.length;
        end = next - group.lineEnd;
      } else {
        const site = readOperands(text, marker, name.next);
        ({ end, next } = site);
        if (group === undefined) {
          group = {
            name: name.name,
            index: groups.length,
            operands: site.operands,
            block: text.substring(after, next),
            lineEnd: next - end,
            follower: undefined,
          };
          groups.push(group);
          byName.set(group.name, group);
        } else if (group.operands.length !== site.operands.length) {
          throw countMismatch(text, marker, group.name, group.operands, site.operands);
        } else if (difference === undefined) {
          const index = firstDifference(group.operands, site.operands);
          if (index !== -1) {
            difference = operandMismatch(
              text,
              name.next,
              group.name,
              index,
              group.operands[index]!,
              site.operands[index]!,
            );
          }
        }
      }
      if (previous !== undefined) previous.follower = group;
    }

    starts.push(text.charCodeAt(marker - 1) === TAB ? marker - 1 : marker);
    ends.push(end);
    groupOf.push(group);
    previous = group;
    found = text.indexOf(START, next);
  }

  if (difference !== undefined) throw difference;
  return { groups, groupOf, starts, ends };
}
