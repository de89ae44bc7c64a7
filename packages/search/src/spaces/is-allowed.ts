// Whether a space has a genome, for callers that make genomes without its operators.
import { SearchError } from "../error.js";
import type { Genome, Space } from "./space.js";

/** Whether a genome satisfies all constraints of a space. */
export function isAllowed(space: Space, genome: Genome): boolean {
  try {
    space.check(genome);
    return true;
  } catch (error) {
    if (error instanceof SearchError) return false;
    throw error;
  }
}
