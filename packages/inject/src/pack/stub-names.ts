// Stubs may use declarations of the module, for example call a function or read a table. Names that are
// renamed in the module are also renamed in stubs.
import { type PtxUse, readFragment } from "@mm-ptx/ptx";
import type { AnnotatedPtx } from "../annotated-ptx.js";
import type { Wishes } from "./choose.js";
import { packedName } from "./names.js";
import { type Plan, planOf } from "./plan.js";

/** The stubs of each variant, in the order of the injections. */
export type StubLists = readonly (readonly string[])[];

/**
 * The plan for these stubs, and the stubs with the names that it assigns. This costs almost nothing unless stubs use
 * such names.
 */
export function planFor(
  annotated: AnnotatedPtx,
  wishes: Omit<Wishes, "mentioned">,
  stubs: StubLists,
): { plan: Plan; stubs: StubLists } {
  const first = planOf(annotated, { ...wishes, mentioned: [] });
  const mentioned = new Set(stubs.flatMap((own) => own.flatMap((stub) => watchedIn(stub, first.watched))));
  if (mentioned.size === 0) return { plan: first, stubs };
  const plan = planOf(annotated, { ...wishes, mentioned: [...mentioned].sort() });
  return { plan, stubs: stubs.map((own, variant) => own.map((stub) => renamed(stub, plan, variant))) };
}

/** The watched names that a stub uses. */
function watchedIn(stub: string, watched: readonly string[]): string[] {
  const likely = watched.filter((name) => stub.includes(name));
  return likely.length === 0 ? [] : usesIn(stub, new Set(likely)).map(({ name }) => name);
}

function renamed(stub: string, { repeated, separator }: Plan, variant: number): string {
  let text = "";
  let from = 0;
  for (const { name, span } of usesIn(stub, repeated)) {
    text += stub.slice(from, span.start) + packedName(name, separator, variant);
    from = span.end;
  }
  return text + stub.slice(from);
}

/** Where a stub uses one of the names, unless it declares the name itself. */
function usesIn(stub: string, names: ReadonlySet<string>): PtxUse[] {
  const { uses } = readFragment(stub, { tolerant: true }).names;
  return uses.filter(({ name, declaration }) => declaration === undefined && names.has(name));
}
