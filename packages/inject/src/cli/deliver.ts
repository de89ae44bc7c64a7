// Writes the text that a command made to its file, or to stdout.
import { type Outcome, printable, refuseClashes, STANDARD, writeWhole } from "./framework.js";
import { type Problem, problemText } from "./problems.js";

/**
 * Writes the result of a command.
 *
 * @param read files that must not be overwritten, with their descriptions
 * @param warnings the warnings to report along with it
 * @param more properties that only the JSON output contains
 * @throws UsageError, FileError
 */
export function deliver(
  bytes: Uint8Array,
  out: string | undefined,
  read: ReadonlyMap<string, string>,
  warnings: readonly Problem[] = [],
  more: object = {},
): Outcome {
  const complaints: Outcome["complaints"] = (colors) =>
    warnings.map((warning) => problemText(warning, colors)).join("");
  if (out === undefined || out === STANDARD) {
    const json = () => ({ ok: true, text: Buffer.from(bytes).toString(), ...more, problems: warnings });
    return { ok: true, json, complaints, text: () => bytes };
  }
  refuseClashes([], read, new Map([[out, "the output"]]));
  const state = writeWhole(out, bytes) ? "written" : "unchanged";
  return {
    ok: true,
    json: () => ({ ok: true, output: out, state, ...more, problems: warnings }),
    complaints,
    text: (colors) => `${state === "written" ? colors.green(state) : colors.dim(state)} ${printable(out)}\n`,
  };
}
