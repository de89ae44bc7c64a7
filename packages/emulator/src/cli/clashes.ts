// What a launch reads and writes, refused before anything runs where one file would be two things at once.
import { placeOf, STANDARD, statsOf, UsageError } from "@mm-ptx/types/cli";
import { quoted } from "@mm-ptx/types/core";
import type { ArgumentWord } from "./arguments.js";
import type { EmulateOptions } from "./program.js";

/** A file that is written; a buffer may go back to where it came from. */
interface Written {
  readonly path: string;
  readonly origin?: string | undefined;
}

const inputOf = (word: ArgumentWord): string | undefined => {
  if (word.kind === "bytes") return word.input;
  return word.kind === "buffer" && "input" in word.source ? word.source.input : undefined;
};

/** @throws UsageError */
export function refuseClashes(file: string, { arg = [], listing, heatMap }: EmulateOptions): void {
  const read = [file, ...arg.map(inputOf)].filter((path) => path !== undefined);
  if (read.filter((path) => path === STANDARD).length > 1) throw twice("an input", "standard input");
  const views = [listing, heatMap].filter((path) => path !== undefined);
  if (views.length === 2 && views.every((path) => path === STANDARD))
    throw twice("an output", "standard output");
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
        `expected outputs apart from what is read, found ${quoted(path)}, which is an input`,
      );
    }
    if (taken.has(place)) throw twice("each output", quoted(path));
    if (statsOf(path)?.isFile() !== false) taken.add(place);
  }
}

const twice = (what: string, found: string) => new UsageError(`expected ${what} once, found ${found} twice`);
