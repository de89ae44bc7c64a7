// A description file with the files that it extends: opens them all, each once, and refuses cycles.
import { describeValue, quoted } from "./core/describe.js";
import type { DescriptionKind } from "./description.js";
import { type JsonPath, valueAt } from "./json/document.js";
import { KIND_NAMES, kindOfFile } from "./kind.js";
import { type CheckedFile, checkSchema } from "./schema.js";
import { type Problems, Source } from "./source.js";

/** A description file as `resolve` gives it. */
export interface DescriptionSource {
  /** What the file is called: in messages, as `from` of what it extends, and to know it again. */
  readonly name: string;
  /** Its text, or what `JSON.parse` made of it. */
  readonly json: unknown;
}

/**
 * Finds the file that an `extends` names.
 * @param specifier as written
 * @param from the name of the file in which it is written; empty when that has none
 * @throws anything, whose message becomes that of the problem
 */
export type ResolveDescription = (specifier: string, from: string) => DescriptionSource;

export interface Layer {
  readonly source: Source;
  readonly file: CheckedFile;
  /** In the order of `extends`. */
  readonly bases: readonly Layer[];
  /** Whether some of them could not be had. */
  readonly lacksBases: boolean;
}

/** Files below one another; more of them come from a `resolve` that never ends. */
const MAX_CHAIN = 64;

export class LayerOpener {
  private readonly opened = new Map<string, Layer>();
  /** The files that are being opened, each extended by the one before. */
  private readonly chain: Source[] = [];

  constructor(
    private readonly kind: DescriptionKind,
    private readonly resolve: ResolveDescription | undefined,
    private readonly problems: Problems,
  ) {}

  open(source: Source): Layer {
    this.problems.addSource(source);
    this.chain.push(source);
    const file = checkSchema(source, this.kind, this.problems);
    const bases = specifiersOf(source).flatMap(([specifier, path]) => this.openBase(source, specifier, path));
    this.chain.pop();
    const wanted = [valueAt(source.document.value, ["extends"]) ?? []].flat();
    const layer = { source, file, bases, lacksBases: bases.length < wanted.length };
    if (source.name !== undefined) this.opened.set(source.name, layer);
    return layer;
  }

  private openBase(source: Source, specifier: string, path: JsonPath): readonly Layer[] {
    const refuse = (expected: string, found: string): [] => {
      this.problems.add({ code: "EXTENDS", source, path, expected, found });
      return [];
    };
    if (this.resolve === undefined) {
      return refuse("a file without `extends`, because no `resolve` was given", quoted(specifier));
    }
    let base: DescriptionSource;
    try {
      base = this.resolve(specifier, source.name ?? "");
    } catch (error) {
      const reason = error instanceof Error ? error.message : describeValue(error);
      return refuse("a description that can be read", `${quoted(specifier)}: ${reason}`);
    }
    if (typeof base?.name !== "string" || !("json" in base)) {
      return refuse("`{ name, json }` from `resolve`", describeValue(base));
    }
    const known = this.opened.get(base.name);
    if (known !== undefined) return [known];
    const start = this.chain.findIndex(({ name }) => name === base.name);
    if (start !== -1) {
      const names = [...this.chain.slice(start).map(({ name }) => name ?? ""), base.name];
      return refuse("files that do not extend themselves", names.map(quoted).join(" -> "));
    }
    if (this.chain.length >= MAX_CHAIN) {
      return refuse(`at most ${MAX_CHAIN} files that extend one another`, "another one");
    }
    const opened = new Source(base.json, base.name);
    const kind = kindOfFile(opened.document.value);
    if (kind !== undefined && kind !== this.kind) {
      return refuse(KIND_NAMES[this.kind], `${KIND_NAMES[kind]}, ${quoted(base.name)}`);
    }
    return [this.open(opened)];
  }
}

/**
 * What a file is by its top-level keys, or by those of its first base that says it. Where bases can't be had or
 * do not say it either, any kind will do, because opening the file as that one tells why.
 */
export function kindOf(source: Source, resolve: ResolveDescription | undefined): DescriptionKind | undefined {
  let at = source;
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    const kind = kindOfFile(at.document.value);
    const base = specifiersOf(at)[0];
    if (kind !== undefined) return kind;
    if (base === undefined) return at === source ? undefined : "stack";
    try {
      const { json, name } = resolve!(base[0], at.name ?? "");
      at = new Source(json, name);
    } catch {
      break;
    }
  }
  return "stack";
}

/** The specifiers of a file's `extends` with their paths, as far as they have their shape. */
function specifiersOf({ document }: Source): (readonly [string, JsonPath])[] {
  const value = valueAt(document.value, ["extends"]);
  if (typeof value === "string") return value === "" ? [] : [[value, ["extends"]]];
  if (!Array.isArray(value)) return [];
  return value.flatMap((specifier, index) =>
    typeof specifier === "string" && specifier !== "" ? [[specifier, ["extends", index]] as const] : [],
  );
}
