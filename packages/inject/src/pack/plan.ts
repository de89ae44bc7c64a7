// Cuts a module into the text that appears once in a pack and the text that is repeated for each variant, with holes
// for stubs and for the variant's number. This is the slow part of packing, and it is done once per parsed text and
// choice of options.
import type { PtxTemplate } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import type { AnnotatedPtx } from "../annotated-ptx.js";
import { PtxInjectError } from "../error.js";
import { choose, type Wishes } from "./choose.js";
import { type Module, type ModuleItem, readPackable } from "./module.js";
import { separatorFor } from "./names.js";

/** In `VariantText.holes`: the number of the variant. Other holes are injections. */
export const NUMBER = -1;

/** The text of each variant: `literals[0]`, the contents of `holes[0]`, `literals[1]`, and so on. */
interface VariantText {
  readonly literals: readonly string[];
  readonly holes: readonly number[];
  /** For each hole, which of the sites of its injection it is; meaningless for numbers. */
  readonly sites: readonly number[];
}

/** A part of the text without stubs. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Text that appears once, and the parts that it consists of. */
export interface Shared {
  readonly text: string;
  readonly parts: readonly Part[];
}

export interface Plan {
  /** The text with every site empty. */
  readonly text: string;
  readonly template: PtxTemplate;
  /** The text that appears once, before and after the variants. */
  readonly before: Shared;
  readonly after: Shared;
  /** The parts that are repeated for each variant, each on lines of its own. */
  readonly own: readonly Part[];
  readonly variant: VariantText;
  /** The original names of the kernels, and of everything that is repeated for each variant. */
  readonly entries: readonly string[];
  readonly repeated: ReadonlySet<string>;
  readonly separator: string;
  /**
   * Names that differ between variants, or would if a stub used them, and registers that may hold their
   * addresses.
   */
  readonly watched: readonly string[];
}

const PLANS = new WeakMap<AnnotatedPtx, Map<string, Plan>>();

/** The plan of a text, created once for each choice of options. */
export function planOf(annotated: AnnotatedPtx, wishes: Wishes): Plan {
  let plans = PLANS.get(annotated);
  if (plans === undefined) {
    plans = new Map();
    PLANS.set(annotated, plans);
  }
  const { kernels = [], shared, mentioned } = wishes;
  const key = JSON.stringify([wishes.kernels !== undefined, kernels, shared, mentioned]);
  let plan = plans.get(key);
  if (plan === undefined) {
    plan = makePlan(annotated, wishes);
    plans.set(key, plan);
  }
  return plan;
}

/** A place for a stub. */
interface Hole {
  /** The index of the item that contains it. */
  readonly item: number;
  /** The offset in the text with every site empty. */
  readonly offset: number;
  readonly injection: number;
  readonly site: number;
}

function makePlan(annotated: AnnotatedPtx, wishes: Wishes): Plan {
  const template = annotated.template();
  const operands = annotated.injections.flatMap((injection) => injection.operands);
  // Stubs can reach the kernel's memory through their operands, and through registers of the kernel that they name.
  const exposed = new Set([...operands.map(({ register }) => `%${register}`), ...wishes.mentioned]);
  const module = readPackable(template.segments.join(""), exposed);
  const { items } = module;
  const holes = holesOf(template, items);
  const choice = choose(module, new Set(holes.map(({ item }) => item)), wishes);
  const isRepeated = ({ names }: ModuleItem): boolean => names.some((name) => choice.repeated.has(name));
  const own = items.flatMap((item, index) => (isRepeated(item) && !choice.dropped.has(index) ? [index] : []));
  if (own.length === 0) {
    const message = "expected a kernel with a site, or `kernels` that say which to repeat, found neither";
    throw new PtxInjectError("CANNOT_REPEAT", message);
  }
  const ownItems = own.map((index) => items[index]!);
  checkCalls(module, ownItems);
  const separator = separatorFor(choice.repeated, module.words);
  const entries = ownItems.filter(({ kind }) => kind === "entry").flatMap(({ names }) => names);
  return {
    template,
    ...sharedParts(module, isRepeated),
    own: ownItems.map(({ start, end }) => ({ start, end })),
    variant: variantText(module, own, holes, choice.repeated, separator),
    entries: Object.freeze([...new Set(entries)]),
    repeated: new Set(ownItems.flatMap(({ names }) => names)),
    separator,
    watched: [
      ...items
        .filter(({ kind }) => kind !== "entry")
        .flatMap(({ names, isState }) =>
          names.filter((name) => isState || choice.repeated.has(name) || !choice.reached.has(name)),
        ),
      ...module.holders,
    ],
    text: module.text,
  };
}

/**
 * The assembler assumes that a call through an address may reach every function of the module whose address is taken.
 * It puts all of them, including those of other variants, into each kernel that has such a call, so the code would grow
 * with the square of the number of variants.
 */
function checkCalls({ called }: Module, own: readonly ModuleItem[]): void {
  const name = own.flatMap(({ names }) => names).find((each) => called.has(each));
  if (name === undefined) return;
  const message = `expected functions that are repeated for each variant to be called by name, found the address of ${quoted(name)}: a call through it would reach the copies of all variants`;
  throw new PtxInjectError("CANNOT_REPEAT", message);
}

function holesOf({ segments, holes, names }: PtxTemplate, items: readonly ModuleItem[]): Hole[] {
  const sites = new Array<number>(names.length).fill(0);
  let offset = 0;
  let item = 0;
  return holes.map((injection, i) => {
    offset += segments[i]!.length;
    while (item < items.length && items[item]!.end <= offset) item++;
    const site = sites[injection]!++;
    if (item < items.length && items[item]!.start < offset) return { item, offset, injection, site };
    const message = `expected the sites of ${quoted(names[injection]!)} in functions, found one outside`;
    throw new PtxInjectError("CANNOT_REPEAT", message);
  });
}

/**
 * The remainder when the repeated declarations are cut out, each with the blanks and comments before it. What follows
 * the last of them stays after the variants, because debug data may refer to names that were declared before.
 */
function sharedParts(
  { text, items }: Module,
  isRepeated: (item: ModuleItem) => boolean,
): Pick<Plan, "before" | "after"> {
  const before: Part[] = [];
  let from = 0;
  let previousEnd = 0;
  for (const item of items) {
    if (isRepeated(item)) {
      before.push({ start: from, end: previousEnd });
      from = item.end;
    }
    previousEnd = item.end;
  }
  const shared = (parts: readonly Part[], end: string): Shared => ({
    text: parts.map((part) => text.slice(part.start, part.end)).join("") + end,
    parts,
  });
  return { before: shared(before, "\n"), after: shared([{ start: from, end: text.length }], "") };
}

/** @param own the indices of the items that are repeated for each variant */
function variantText(
  { text, items }: Module,
  own: readonly number[],
  holes: readonly Hole[],
  repeated: ReadonlySet<string>,
  separator: string,
): VariantText {
  const holesOfItem = items.map((): Hole[] => []);
  for (const hole of holes) holesOfItem[hole.item]!.push(hole);
  const literals: string[] = [];
  const kinds: number[] = [];
  const sites: number[] = [];
  let literal = "";
  for (const index of own) {
    const { start, end, mentions } = items[index]!;
    const numbers = mentions
      .filter(({ name }) => repeated.has(name))
      .map((mention) => ({ offset: mention.end, injection: NUMBER, site: 0 }));
    let from = start;
    for (const place of [...numbers, ...holesOfItem[index]!].sort((a, b) => a.offset - b.offset)) {
      literals.push(literal + text.slice(from, place.offset) + (place.injection === NUMBER ? separator : ""));
      kinds.push(place.injection);
      sites.push(place.site);
      literal = "";
      from = place.offset;
    }
    literal += `${text.slice(from, end)}\n`;
  }
  return { literals: [...literals, literal], holes: kinds, sites };
}
