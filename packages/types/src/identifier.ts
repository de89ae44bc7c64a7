// From the names of a description to identifiers of generated code.

/** `add.ftz.f32` to `addFtzF32`: words are what dots, colons, blanks and other signs separate. */
export function camelCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join("");
  return /^[0-9]/.test(joined) || joined === "" ? `_${joined}` : joined;
}

/** `F32` to `f32`, `V2_F32` to `v2F32`: a stack's name as the name of its constant encoder. */
export function encoderName(stack: string): string {
  return camelCase(stack.toLowerCase());
}

function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
