// The `.target` of PTX, found without reading more than the beginning of the text.

import { tokenize } from "@mm-ptx/ptx";

/** Most headers end within this many characters; comments before `.target` may make one longer. */
const BEGINNING = 2048;

/** The architecture in `.target`, which precedes all functions; `undefined` if the header has none. */
export function headerTarget(ptx: string): string | undefined {
  for (let length = BEGINNING; ; length *= 8) {
    const isWhole = length >= ptx.length;
    const tokens = tokenize(isWhole ? ptx : ptx.slice(0, length));
    // The last token of a part may continue after it.
    const count = isWhole ? tokens.count : tokens.count - 1;
    for (let token = 0; token < count; token++) {
      const kind = tokens.kind(token);
      if (kind === "punctuation" && tokens.textOf(token) === "{") return undefined;
      if (kind !== "directive" || tokens.textOf(token) !== ".target") continue;
      const name = tokens.skipBlanks(token + 1);
      if (name < count) return tokens.kind(name) === "word" ? tokens.textOf(name) : undefined;
    }
    if (isWhole) return undefined;
  }
}
