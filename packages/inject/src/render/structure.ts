// Checks that a stub cannot affect the text around it: it must not leave its scope, swallow the text that
// follows, or look like a site. All other mistakes are left to the PTX compiler.
import { quoted } from "@mm-ptx/types/internal";
import { PtxInjectError } from "../error.js";

const STAR = 42;
const SLASH = 47;

const MARKERS = ["// PTX_INJECT_START", "// PTX_INJECT_END"];

/**
 * As in ptxas, strings have no escapes and may span lines, comments do not nest, and only a line feed ends a
 * line. Searching for the next brace, quote or slash takes V8 a small fraction of the time that looking at
 * every character takes.
 *
 * @param name the name of the injection
 * @throws PtxInjectError INVALID_STUB
 */
export function checkStructure(stub: string, name: string): void {
  const opened: number[] = [];
  let open = next(stub, "{", 0);
  let close = next(stub, "}", 0);
  let quote = next(stub, '"', 0);
  let slash = next(stub, "/", 0);
  if (slash < stub.length) refuseMarkers(stub, name);
  for (;;) {
    const at = Math.min(open, close, quote, slash);
    if (at === stub.length) break;
    if (at === open) {
      opened.push(at);
      open = next(stub, "{", at + 1);
    } else if (at === close) {
      if (opened.pop() === undefined)
        fail(
          stub,
          name,
          at,
          1,
          "expected a `{` for every `}`, found one that would end the scope of the site",
        );
      close = next(stub, "}", at + 1);
    } else {
      const end = at === quote ? endOfString(stub, name, at) : endOfComment(stub, name, at);
      if (open < end) open = next(stub, "{", end);
      if (close < end) close = next(stub, "}", end);
      if (quote < end) quote = next(stub, '"', end);
      if (slash < end) slash = next(stub, "/", end);
    }
  }
  const unclosed = opened.pop();
  if (unclosed !== undefined)
    fail(stub, name, unclosed, 1, "expected `}` for this brace, found the end of the stub");
}

/** The offset of the next occurrence of a character; the length of the text if there is none. */
function next(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at === -1 ? text.length : at;
}

function refuseMarkers(stub: string, name: string): void {
  for (const marker of MARKERS) {
    const at = stub.indexOf(marker);
    if (at !== -1) fail(stub, name, at, marker.length, `expected no marker, found ${quoted(marker)}`);
  }
}

/** The offset after a string. */
function endOfString(stub: string, name: string, at: number): number {
  const end = stub.indexOf('"', at + 1);
  if (end === -1) fail(stub, name, at, 1, 'expected `"` for this string, found the end of the stub');
  return end + 1;
}

/** The offset after the comment that begins at a slash, or after the slash if it begins none. */
function endOfComment(stub: string, name: string, at: number): number {
  const second = stub.charCodeAt(at + 1);
  if (second === SLASH) return next(stub, "\n", at);
  if (second !== STAR) return at + 1;
  const end = stub.indexOf("*/", at + 2);
  if (end === -1) fail(stub, name, at, 2, "expected `*/` for this comment, found the end of the stub");
  return end + 2;
}

function fail(stub: string, name: string, start: number, length: number, message: string): never {
  const place = { text: stub, span: { start, end: start + length } };
  throw new PtxInjectError("INVALID_STUB", `stub of ${quoted(name)}: ${message}`, place);
}
