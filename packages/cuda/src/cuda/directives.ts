// The names of headers in the directives of a text. Conditions are not evaluated, so there are more names than the
// compiler has looked for.

/** A name in `#include "name"` or `<name>`. */
export interface IncludedName {
  readonly name: string;
  /** In quotes: the folder of the including file is searched first. */
  readonly quoted: boolean;
  /** In a condition or in a macro, where `__has_include` may use it: a file matters whether it is read or not. */
  readonly tested: boolean;
}

export interface Directives {
  readonly names: readonly IncludedName[];
  /** Conditions and definitions of macros, each on one line. */
  readonly conditions: readonly string[];
}

/** A directive, with the lines that continue it. */
const DIRECTIVE = /^[ \t]*#(?:[^\\\n]|\\(?:\r?\n|.)?)*/gm;
const COMMENT_OR_STRING = /"(?:\\.|[^"\\])*"|\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g;
const INCLUDE = /^#\s*(include|import|embed|include_next)\s*([<"])([^>"]+)[>"]/;
const CONDITION = /^#\s*(?:if|elif|define)\b/;
const NAME = /([<"])([\w.+\-/ ]+)[>"]/g;

export function directivesIn(text: string): Directives {
  const names: IncludedName[] = [];
  const conditions: string[] = [];
  for (const [lines] of text.matchAll(DIRECTIVE)) {
    const line = lines
      .replaceAll(/\\\r?\n/g, " ")
      .replaceAll(COMMENT_OR_STRING, (part) => (part.startsWith('"') ? part : " "))
      .trim();
    const [, directive, mark, name] = INCLUDE.exec(line) ?? [];
    if (name !== undefined) {
      names.push({ name, quoted: mark === '"', tested: directive === "include_next" });
    } else if (CONDITION.test(line)) {
      conditions.push(line);
      for (const [, quote, tested] of line.matchAll(NAME))
        names.push({ name: tested!.trim(), quoted: quote === '"', tested: true });
    }
  }
  return { names, conditions };
}

const DEFINITION = /^#\s*define\s+(\w+)(?:\(([^)]*)\))?(.*)$/;

/**
 * Whether every name that `__has_include` looks for is written out: as its argument, as that of a macro which passes it
 * on, or as a macro of its own. The compiler alone knows names that macros put together.
 */
export function areTestsWrittenOut(conditions: readonly string[]): boolean {
  const bodies = conditions.map((line) => {
    const [, macro, list, body = line] = DEFINITION.exec(line) ?? [];
    return { macro, parameters: list?.split(/[\s,]+/), body };
  });
  const tests = new Set(["__has_include", "__has_include_next", "__has_embed"]);
  const pattern = (after: string) => new RegExp(`\\b(?:${[...tests].join("|")})\\s*${after}`, "g");
  for (let before = 0; before < tests.size; ) {
    before = tests.size;
    const test = pattern("(?:\\(|$)");
    for (const { macro, body } of bodies)
      if (macro !== undefined && body.search(test) !== -1) tests.add(macro);
  }
  const written = new Set(
    bodies
      .filter(({ parameters, body }) => parameters === undefined && /^\s*(?:<[^>]+>|"[^"]+")$/.test(body))
      .map(({ macro }) => macro),
  );
  const call = pattern('\\(\\s*(<[^>]*>|"[^"]*"|\\w*)(\\s*\\))?');
  return bodies.every(({ parameters = [], body }) =>
    [...body.matchAll(call)].every(
      ([, name = "", end]) =>
        end !== undefined && (/^(?:[<"]|$)/.test(name) || parameters.includes(name) || written.has(name)),
    ),
  );
}
