// All elites with the same probability.
import type { Archive } from "../../archives/archive.js";
import type { Draws } from "../../draws.js";
import type { Selection } from "./selection.js";

/** Selects all elites with the same probability, as the original MAP-Elites does (Mouret and Clune, arXiv 1504.04909). */
export function uniform(): Selection {
  return {
    kind: "uniform",
    description: { kind: "uniform" },
    select: (archive: Archive, draws: Draws) => draws.below(archive.count),
  };
}
