// Lists of generated files: a JSON file that says what is generated from what, so that it can be made anew and checked.
import { dirname, relative, resolve } from "node:path";
import { describeValue, quoted } from "../core/describe.js";
import { didYouMean } from "../core/suggest.js";
import { DescriptionError } from "../error.js";
import { valueAt } from "../json/document.js";
import { Problems, Source, tellDocument } from "../source.js";
import { textOf } from "./files.js";
import type { Target } from "./targets.js";

/** The keys of an entry; those that are paths, relative to the list, are told. */
const KEYS: Readonly<Record<string, "path" | "text">> = {
  from: "path",
  language: "text",
  schema: "text",
  out: "path",
  prefix: "text",
  encoders: "text",
};

/**
 * The targets of a list, `{ "generated": [{ "from": "stack.json", "language": "c", "out": "stack.h" }, …] }`, with paths as
 * they are seen from the working directory.
 * @throws DescriptionError FILE when there is no such file, SYNTAX or SCHEMA when it is no list, with all problems
 */
export function readTargetList(path: string): (Target & { readonly out: string })[] {
  const text = textOf(path);
  if (text === undefined) {
    throw new DescriptionError("FILE", `expected a list of generated files, found no file ${quoted(path)}`);
  }
  const source = new Source(text, path);
  const problems = new Problems();
  problems.addSource(source);
  tellDocument(source, problems);
  const tell = (at: readonly (number | string)[], expected: string, found: unknown, hint = "") =>
    problems.add({ code: "SCHEMA", source, path: at, expected, found: describeValue(found), hint });

  const { value } = source.document;
  const entries = valueAt(value, ["generated"]);
  if (value !== undefined && !Array.isArray(entries))
    tell([], 'a list of targets, `{ "generated": [...] }`', value);
  const targets = (Array.isArray(entries) ? entries : []).map((entry: unknown, index) => {
    const at = ["generated", index];
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
      tell(at, "an object", entry);
      return undefined;
    }
    const target: Record<string, string> = {};
    for (const [key, inner] of Object.entries(entry)) {
      const kind = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
      if (kind === undefined) tell([...at, key], "a known key", key, didYouMean(key, Object.keys(KEYS)));
      else if (typeof inner !== "string" || inner === "")
        tell([...at, key], "a string that is not empty", inner);
      else target[key] = kind === "path" ? seenFromHere(path, inner) : inner;
    }
    for (const key of "schema" in entry ? ["out"] : ["from", "language", "out"]) {
      if (!(key in entry)) tell(at, `the key \`${key}\``, undefined);
    }
    return target as unknown as Target & { readonly out: string };
  });
  if (problems.any) throw problems.error("the list of generated files");
  return targets.filter((target) => target !== undefined);
}

/** A path beside the list; a slash at its end says that it is a folder. */
function seenFromHere(list: string, path: string): string {
  const folder = /[\\/]$/.test(path) ? "/" : "";
  return (relative(process.cwd(), resolve(dirname(list), path)) || ".") + folder;
}
