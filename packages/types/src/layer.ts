// A description file together with the files that it extends. Opens all of them, each once, and rejects cycles.

import type { DescriptionKind } from "./description.js";
import { describeError, describeValue, quoted } from "./internal/describe.js";
import { type JsonPath, valueAt } from "./json/document.js";
import { KIND_NAMES, kindOfFile } from "./kind.js";
import type { Problems } from "./problems.js";
import { type CheckedFile, checkSchema } from "./schema.js";
import { Source } from "./source.js";

/** A description file as returned by `resolve`. */
export interface DescriptionSource {
  /**
   * The name of the file. It is used in messages, as `from` for the files that this one extends, and to recognize the
   * file.
   */
  readonly name: string;
  /** Its text, or the result of `JSON.parse`. */
  readonly json: unknown;
}

/**
 * Finds a file that an `extends` refers to.
 * @param specifier the text in `extends`
 * @param from the name of the file that contains it; empty when that file has none
 * @throws anything; its message becomes part of the problem
 */
export type ResolveDescription = (specifier: string, from: string) => DescriptionSource;

export interface Layer {
  readonly source: Source;
  readonly file: CheckedFile;
  /** The bases in the order of `extends`. */
  readonly bases: readonly Layer[];
  /** Whether some of them could not be opened. */
  readonly lacksBases: boolean;
}

/** The most files in a chain and in all; more of them indicate a `resolve` that never ends. */
const MAX_CHAIN = 64;
const MAX_FILES = 256;

/** The reason why a base could not be opened. */
interface Refused {
  readonly expected: string;
  readonly found: string;
}

/** Calls `resolve` once for each file. */
export class Resolver {
  readonly #answers = new Map<string, Refused | Source>();
  readonly #sources = new Map<string, Source>();

  readonly #resolve: ResolveDescription | undefined;

  constructor(resolve: ResolveDescription | undefined) {
    this.#resolve = resolve;
  }

  find(specifier: string, from: Source): Refused | Source {
    const key = JSON.stringify([specifier, from.name]);
    const answer = this.#answers.get(key) ?? this.#ask(specifier, from.name ?? "");
    this.#answers.set(key, answer);
    return answer;
  }

  #ask(specifier: string, from: string): Refused | Source {
    if (this.#resolve === undefined) {
      return {
        expected: "a file without `extends`, because no `resolve` was given",
        found: quoted(specifier),
      };
    }
    let given: Partial<DescriptionSource> | null | undefined;
    try {
      given = this.#resolve(specifier, from) as typeof given;
      if (typeof given?.name === "string" && "json" in given) {
        const { name, json } = given;
        const source = this.#sources.get(name) ?? new Source(json, name);
        this.#sources.set(name, source);
        return source;
      }
    } catch (error) {
      return {
        expected: "a description that can be read",
        found: `${quoted(specifier)}: ${describeError(error)}`,
      };
    }
    return { expected: "`{ name, json }` from `resolve`", found: describeValue(given) };
  }
}

export class LayerOpener {
  readonly #opened = new Map<string, Layer>();
  /** The files that are being opened, each extended by the one before. */
  readonly #chain: Source[] = [];
  #files = 0;

  readonly #kind: DescriptionKind;
  readonly #resolver: Resolver;
  readonly #problems: Problems;

  constructor(kind: DescriptionKind, resolver: Resolver, problems: Problems) {
    this.#kind = kind;
    this.#resolver = resolver;
    this.#problems = problems;
  }

  open(source: Source): Layer {
    this.#files++;
    this.#problems.addSource(source);
    this.#chain.push(source);
    const file = checkSchema(source, this.#kind, this.#problems);
    const bases = specifiersOf(source).flatMap(([specifier, path]) =>
      this.#openBase(source, specifier, path),
    );
    this.#chain.pop();
    const wanted = [valueAt(source.document.value, ["extends"]) ?? []].flat();
    const layer = { source, file, bases, lacksBases: bases.length < wanted.length };
    if (source.name !== undefined) this.#opened.set(source.name, layer);
    return layer;
  }

  #openBase(source: Source, specifier: string, path: JsonPath): readonly Layer[] {
    const refuse = (expected: string, found: string): [] => {
      this.#problems.add({ code: "EXTENDS", source, path, expected, found });
      return [];
    };
    const base = this.#resolver.find(specifier, source);
    if (!(base instanceof Source)) return refuse(base.expected, base.found);
    const name = base.name ?? "";
    const known = this.#opened.get(name);
    if (known !== undefined) return [known];
    const start = this.#chain.findIndex((file) => file.name === name);
    if (start !== -1) {
      const names = [...this.#chain.slice(start).map((file) => file.name ?? ""), name];
      return refuse("files that do not extend themselves", names.map(quoted).join(" -> "));
    }
    if (this.#chain.length >= MAX_CHAIN) {
      return refuse(`at most ${MAX_CHAIN} files that extend one another`, "another one");
    }
    if (this.#files >= MAX_FILES) return refuse(`at most ${MAX_FILES} files in all`, "another one");
    const kind = kindOfFile(base.document.value);
    if (kind !== undefined && kind !== this.#kind) {
      return refuse(KIND_NAMES[this.#kind], `${KIND_NAMES[kind]}, ${quoted(name)}`);
    }
    return [this.open(base)];
  }
}

/**
 * The kind of a file according to its top-level keys, or to those of the first base that determines it. When bases
 * cannot be opened or do not determine it either, any kind will do, because opening the file as that kind reports the
 * reason.
 */
export function kindOf(source: Source, resolver: Resolver): DescriptionKind | undefined {
  let at = source;
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    const kind = kindOfFile(at.document.value);
    if (kind !== undefined) return kind;
    const [first] = specifiersOf(at);
    if (first === undefined) return at === source ? undefined : "stack";
    const base = resolver.find(first[0], at);
    if (!(base instanceof Source)) break;
    at = base;
  }
  return "stack";
}

/** The specifiers in a file's `extends` with their paths; malformed ones are left out. */
function specifiersOf({ document }: Source): (readonly [string, JsonPath])[] {
  const value = valueAt(document.value, ["extends"]);
  if (typeof value === "string") return value === "" ? [] : [[value, ["extends"]]];
  if (!Array.isArray(value)) return [];
  return value.flatMap((specifier, index) =>
    typeof specifier === "string" && specifier !== "" ? [[specifier, ["extends", index]] as const] : [],
  );
}
