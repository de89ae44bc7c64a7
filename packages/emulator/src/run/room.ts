// Optional memory: a launch can do without it.
import { EmulatorError } from "../error.js";

/** The result of `take`; undefined if there is no room for it. */
export function ifThereIsRoom<Taken>(take: () => Taken): Taken | undefined {
  try {
    return take();
  } catch (error) {
    if (error instanceof EmulatorError && error.code === "OUT_OF_MEMORY") return undefined;
    throw error;
  }
}
