// Converts names of a description to identifiers in generated code.

/** Names that no constant of a TypeScript module may have: reserved words, and globals that cannot be redeclared. */
const RESERVED_WORDS = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected
  public return static super switch this throw true try typeof undefined var void while with yield`.split(
    /\s+/,
  ),
);

/** `add.ftz.f32` to `addFtzF32`: dots, colons, blanks and other signs separate words. */
export function camelCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join("");
  return /^[0-9]/.test(joined) || joined === "" ? `_${joined}` : joined;
}

/**
 * Makes an identifier usable as the name of a constant: `delete` becomes `delete_`, which `camelCase` never returns.
 * @param taken other names that the module declares
 */
export function topLevelName(identifier: string, taken: ReadonlySet<string>): string {
  return RESERVED_WORDS.has(identifier) || taken.has(identifier) ? `${identifier}_` : identifier;
}

/** `F32` to `f32`, `V2_F32` to `v2F32`: the name of a stack's constant encoder. */
export function encoderName(stack: string): string {
  return camelCase(stack.toLowerCase());
}

/** `add.ftz.f32` to `add_ftz_f32`, for C and Python. These names begin with a prefix, so none of them is a keyword. */
export function cIdentifier(name: string): string {
  return name.replace(/[^A-Za-z0-9_]+/g, "_");
}

function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
