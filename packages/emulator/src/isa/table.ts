// The instruction table: every supported instruction with its modifiers, types and operands. The rows of a mnemonic are
// parsed when it is first used.
import { type Form, readForm } from "./notation.js";
import { BARRIER_OBJECT } from "./rows/barrier-object.js";
import { COMPARE } from "./rows/compare.js";
import { CONTROL } from "./rows/control.js";
import { FLOAT } from "./rows/float.js";
import { HALF } from "./rows/half.js";
import { INTEGER } from "./rows/integer.js";
import { MATRIX } from "./rows/matrix.js";
import { MEMORY } from "./rows/memory.js";
import { MOVE } from "./rows/move.js";
import { TEXTURE } from "./rows/texture.js";
import { VIDEO } from "./rows/video.js";
import { WMMA } from "./rows/wmma.js";

const GROUPS = [
  INTEGER,
  FLOAT,
  HALF,
  COMPARE,
  MOVE,
  MEMORY,
  BARRIER_OBJECT,
  CONTROL,
  MATRIX,
  WMMA,
  TEXTURE,
  VIDEO,
];

let rows: Map<string, string[]> | undefined;
const forms = new Map<string, readonly Form[]>();

/** The unparsed rows of the table by mnemonic. */
export function instructionRows(): ReadonlyMap<string, readonly string[]> {
  if (rows === undefined) {
    rows = new Map();
    for (const row of GROUPS.join("").split("\n")) {
      const mnemonic = /^\w+/.exec(row)?.[0];
      if (mnemonic === undefined) continue;
      const known = rows.get(mnemonic);
      if (known === undefined) rows.set(mnemonic, [row]);
      else known.push(row);
    }
  }
  return rows;
}

/** The forms of an instruction; empty when PTX or this table does not have it. */
export function formsOf(mnemonic: string): readonly Form[] {
  let found = forms.get(mnemonic);
  if (found === undefined) {
    found = (instructionRows().get(mnemonic) ?? []).map(readForm);
    if (found.length > 0) forms.set(mnemonic, found);
  }
  return found;
}
