// What a stub must not do to the text around it, wherever it is put: leave the scope it stands in, swallow what follows, or
// look like a site. All else that can be wrong with it is the PTX compiler's to say.
import { quoted } from "@mm-ptx/types/core";
import { PtxInjectError } from "../error.js";

const QUOTE = 34;
const STAR = 42;
const SLASH = 47;
const OPEN = 123;
const CLOSE = 125;

const MARKERS = ["// PTX_INJECT_START", "// PTX_INJECT_END"];

/**
 * Strings have no escapes and may span lines, comments do not nest, and only a line feed ends a line, as in ptxas.
 *
 * @param name of the injection
 * @throws PtxInjectError INVALID_STUB
 */
export function checkStructure(stub: string, name: string): void {
  for (const marker of MARKERS) {
    const at = stub.indexOf(marker);
    if (at !== -1) fail(stub, name, at, marker.length, `expected no marker, found ${quoted(marker)}`);
  }
  const open: number[] = [];
  for (let at = 0; at < stub.length; at++) {
    const code = stub.charCodeAt(at);
    if (code === OPEN) open.push(at);
    else if (code === CLOSE) {
      if (open.pop() === undefined)
        fail(
          stub,
          name,
          at,
          1,
          "expected a `{` for every `}`, found one that would end the scope of the site",
        );
    } else if (code === QUOTE) {
      const end = stub.indexOf('"', at + 1);
      if (end === -1) fail(stub, name, at, 1, 'expected `"` for this string, found the end of the stub');
      at = end;
    } else if (code === SLASH) {
      const next = stub.charCodeAt(at + 1);
      if (next === SLASH) {
        const end = stub.indexOf("\n", at);
        if (end === -1) break;
        at = end;
      } else if (next === STAR) {
        const end = stub.indexOf("*/", at + 2);
        if (end === -1) fail(stub, name, at, 2, "expected `*/` for this comment, found the end of the stub");
        at = end + 1;
      }
    }
  }
  const unclosed = open.pop();
  if (unclosed !== undefined)
    fail(stub, name, unclosed, 1, "expected `}` for this brace, found the end of the stub");
}

function fail(stub: string, name: string, start: number, length: number, message: string): never {
  const place = { text: stub, span: { start, end: start + length } };
  throw new PtxInjectError("INVALID_STUB", `stub of ${quoted(name)}: ${message}`, place);
}
