// Lists of generated files: a JSON file that says what is generated from what, so that it can be generated again and
// checked.
import { dirname, relative, resolve } from "node:path";
import { DescriptionError } from "../error.js";
import { describeValue, quoted } from "../internal/describe.js";
import { didYouMean } from "../internal/suggest.js";
import { type JsonPath, pathText, valueAt } from "../json/document.js";
import { Problems, tellDocument } from "../problems.js";
import { Source } from "../source.js";
import { textOf } from "./files.js";
import { placeOf } from "./framework.js";
import { outputsOf, refusalOf, type Target } from "./targets.js";

/** A target with an output path. */
export type ListedTarget = Target & { readonly out: string };

/** The keys of the two kinds of targets. */
const SCHEMA_KEYS = { needed: ["schema", "out"], optional: [] };
const CODE_KEYS = { needed: ["from", "language", "out"], optional: ["prefix", "encoders"] };
/** The keys whose values are paths relative to the list. */
const PATH_KEYS = ["from", "out"];

/** How a target of a list uses a file. */
interface Use {
  readonly use: "output" | "source";
  readonly list: string;
  readonly at: JsonPath;
}

/** The files that lists read and write. No file may be written twice, and no source may be written. */
export class Claims {
  readonly #uses = new Map<string, Use>();

  /** The existing use of the same file that conflicts with a new one. */
  find(file: string, use: Use["use"]): Use | undefined {
    const first = this.#uses.get(placeOf(file));
    return use === "source" && first?.use === "source" ? undefined : first;
  }

  add(file: string, use: Use): void {
    this.#uses.set(placeOf(file), use);
  }
}

function useText({ list, at }: Use, path: string): string {
  return [pathText(at), list === path ? "" : list].filter((part) => part !== "").join(" of ") || list;
}

/** @param of whether the place is that of the value at the path, or of its key */
type Tell = (path: JsonPath, expected: string, found: string, hint?: string, of?: "key") => void;

/**
 * Reads the targets of a list, `{ "generated": [{ "from": "stack.json", "language": "c", "out": "stack.h" }, …] }`.
 * Their paths become relative to the working directory.
 * @param claims the files of other lists, to which those of this one are added
 * @throws DescriptionError FILE when there is no such file, SYNTAX or SCHEMA with all problems when it is not a list of
 * targets
 */
export function readTargetList(path: string, claims = new Claims()): ListedTarget[] {
  const text = textOf(path);
  if (text === undefined) {
    throw new DescriptionError("FILE", `expected a list of generated files, found no file ${quoted(path)}`);
  }
  const source = new Source(text, path);
  const problems = new Problems();
  problems.addSource(source);
  tellDocument(source, problems);
  const tell: Tell = (at, expected, found, hint = "", of) =>
    problems.add({ code: "SCHEMA", source, path: at, expected, found, hint, span: source.span(at, of) });

  const { value } = source.document;
  const entries = valueAt(value, ["generated"]);
  for (const key of Array.isArray(entries) ? Object.keys(value as object) : []) {
    if (key === "generated") continue;
    tell([key], "only the key `generated`", quoted(key), didYouMean(key, ["generated"]), "key");
  }
  if (value !== undefined && !Array.isArray(entries)) {
    tell([], 'a list of targets, `{ "generated": [...] }`', describeValue(value));
  }
  const targets = (Array.isArray(entries) ? entries : []).map((entry, index) =>
    readTarget(entry, ["generated", index], dirname(path), tell),
  );
  const claim = (file: string, use: Use["use"], at: JsonPath, expected: string) => {
    const first = claims.find(file, use);
    if (first === undefined) claims.add(file, { use, list: path, at });
    else tell(at, expected, quoted(file), ` again, first at ${useText(first, path)}`);
  };
  claims.add(path, { use: "source", list: path, at: [] });
  targets.forEach((target, index) => {
    if (!("from" in target) || target.from === undefined) return;
    claim(target.from, "source", ["generated", index, "from"], "a description that is not generated itself");
  });
  targets.forEach((target, index) => {
    for (const output of outputsOf(target)) {
      claim(output, "output", ["generated", index, "out"], "each output once, and no source");
    }
  });
  if (problems.any) throw problems.error("the list of generated files");
  return targets;
}

function readTarget(entry: unknown, at: JsonPath, folder: string, tell: Tell): ListedTarget {
  const target: Record<string, string> = {};
  const isObject = typeof entry === "object" && entry !== null && !Array.isArray(entry);
  if (!isObject) tell(at, "an object", describeValue(entry));
  const given = new Map(Object.entries(isObject ? entry : {}));
  const { needed, optional } = given.has("schema") ? SCHEMA_KEYS : CODE_KEYS;
  const known = [...needed, ...optional];
  let isWhole = isObject;
  const refuse: Tell = (...problem) => {
    isWhole = false;
    tell(...problem);
  };
  for (const [key, value] of given) {
    if (!known.includes(key)) {
      refuse([...at, key], `a known key (${known.join(", ")})`, quoted(key), didYouMean(key, known), "key");
    } else if (typeof value !== "string" || value === "") {
      refuse([...at, key], "a string that is not empty", describeValue(value));
    } else target[key] = PATH_KEYS.includes(key) ? seenFromHere(folder, value) : value;
  }
  for (const key of isObject ? needed : []) {
    if (!given.has(key)) refuse([...at, key], `the key \`${key}\``, "none");
  }
  const listed = target as unknown as ListedTarget;
  const refusal = isWhole ? refusalOf(listed) : undefined;
  if (refusal !== undefined) tell([...at, refusal.key], refusal.expected, refusal.found, refusal.hint);
  return listed;
}

/** A path relative to the list's folder; a final slash marks a folder and is kept. */
function seenFromHere(folder: string, path: string): string {
  const slash = /[\\/]$/.test(path) ? "/" : "";
  return (relative(process.cwd(), resolve(folder, path)) || ".") + slash;
}
