// Rejects launches that would use one file for two purposes, before anything runs.

import { quoted } from "@mm-ptx/types/internal";
import type { ArgumentWord } from "./arguments.js";
import { placeOf, STANDARD, statsOf, UsageError } from "./framework.js";
import type { EmulateOptions } from "./program.js";

/** A file that is written. A buffer may be written back to the file it was read from. */
interface Written {
  readonly path: string;
  readonly origin?: string | undefined;
}

const inputOf = (word: ArgumentWord): string | undefined => {
  if (word.kind === "bytes") return word.input;
  return word.kind === "buffer" && "input" in word.source ? word.source.input : undefined;
};

/** @throws UsageError */
export function refuseClashes(file: string, { arg = [], listing, heatMap, lcov }: EmulateOptions): void {
  const read = [file, ...arg.map(inputOf)].filter((path) => path !== undefined);
  if (read.filter((path) => path === STANDARD).length > 1) throw twice("an input", "standard input");
  const views = [listing, heatMap, lcov].filter((path) => path !== undefined);
  if (views.filter((path) => path === STANDARD).length > 1) throw twice("an output", "standard output");
  const buffers = arg.flatMap((word): Written[] =>
    word.kind === "buffer" && word.output !== undefined ? [{ path: word.output, origin: inputOf(word) }] : [],
  );
  const sources = new Set(read.filter((path) => path !== STANDARD).map(placeOf));
  const taken = new Set<string>();
  for (const { path, origin } of [...buffers, ...views.map((path): Written => ({ path }))]) {
    if (path === STANDARD) continue;
    const place = placeOf(path);
    const isItsOwn = origin !== undefined && origin !== STANDARD && placeOf(origin) === place;
    if (sources.has(place) && !isItsOwn) {
      throw new UsageError(
        `expected outputs that do not overwrite inputs, found ${quoted(path)}, which is an input`,
      );
    }
    if (taken.has(place)) throw twice("each output", quoted(path));
    if (statsOf(path)?.isFile() !== false) taken.add(place);
  }
}

const twice = (what: string, found: string) => new UsageError(`expected ${what} once, found ${found} twice`);
