// Packs: programs that are compiled and launched together.
import type { Prediction } from "../predicting/predictor.js";
import type { CrossShape } from "./writer.js";

/** A program on its way, with the stubs that it became. */
export interface Candidate {
  /** Its position among the programs of the run. */
  readonly index: number;
  readonly signature: string;
  /** One for each site, in the order of the pipeline's sites. */
  readonly stubs: readonly string[];
  /** The positions of equal programs that wait for its result. */
  readonly duplicates: number[];
  /** What was predicted, if costs are. */
  readonly prediction?: Prediction | undefined;
}

/** Programs that share a module; each is alternative or variant number i of it. */
export interface Pack {
  readonly members: readonly Candidate[];
  /** Present if the members are all combinations of the stubs of several sites, the last site's varying fastest. */
  readonly cross?: CrossShape;
  /** Whether its members are launched as kernels of their own although others are alternatives, because a stub needs that. */
  readonly apart?: boolean;
  /** Whether its members may write to inputs, which are uploaded again. */
  readonly restores?: boolean;
  /** How often members at fault have been taken out. */
  readonly removals?: number;
}

/**
 * The parts of a pack that failed. Members that are known to be at fault stand alone, and the others stay together for the first time;
 * then they are cut in half, because a launch names one of those at fault, and there may be many. If no one is known to be at fault, the
 * pack is cut in half.
 */
export function splitPack(
  { members, cross, removals = 0, ...shared }: Pack,
  culprits: ReadonlySet<number>,
): readonly Pack[] {
  if (culprits.size > 0 && culprits.size < members.length) {
    const others = members.filter((_, i) => !culprits.has(i));
    const alone = members.filter((_, i) => culprits.has(i));
    const rest = removals === 0 ? [others] : halvesOf(others);
    return [
      ...rest.map((part) => ({ ...shared, members: part, removals: removals + 1 })),
      ...alone.map((member) => ({ ...shared, members: [member] })),
    ];
  }
  if (cross !== undefined) return splitCross(members, cross);
  return halvesOf(members).map((part) => ({ ...shared, members: part, removals }));
}

function halvesOf<Member>(members: readonly Member[]): readonly (readonly Member[])[] {
  const half = Math.ceil(members.length / 2);
  return [members.slice(0, half), members.slice(half)].filter(({ length }) => length > 0);
}

/** Cuts the first site that has several stubs in half, so that both parts have all combinations again. */
function splitCross(members: readonly Candidate[], { counts }: CrossShape): readonly Pack[] {
  const site = counts.findIndex((count) => count > 1);
  const inner = counts.slice(site + 1).reduce((product, count) => product * count, 1);
  const half = Math.ceil(counts[site]! / 2);
  const cut = half * inner;
  return [[half, members.slice(0, cut)] as const, [counts[site]! - half, members.slice(cut)] as const].map(
    ([count, part]) => ({
      members: part,
      cross: { counts: counts.map((each, i) => (i === site ? count : each)) },
    }),
  );
}
