// Counts how much of a text a function examines, so that tests can tell linear from quadratic time without a
// clock: each character that is read, and each that a search or a copy passes over.

type Method = (this: string, ...args: unknown[]) => unknown;

/** How many characters a call of each method of strings reads. */
const COSTS: Readonly<Record<string, (text: string, args: unknown[], result: unknown) => number>> = {
  charCodeAt: () => 1,
  charAt: () => 1,
  includes: (text) => text.length,
  indexOf: (text, [, from = 0], found) =>
    ((found as number) === -1 ? text.length : (found as number)) - (from as number) + 1,
  lastIndexOf: (text, [, from = text.length], found) => (from as number) - (found as number) + 1,
  replace: (text) => text.length,
  replaceAll: (text) => text.length,
  slice: (_text, _args, piece) => (piece as string).length + 1,
  split: (text) => text.length,
  startsWith: (_text, [search]) => (search as string).length,
  substring: (_text, _args, piece) => (piece as string).length + 1,
  trim: (text) => text.length,
};

/** The number of characters that `run` reads through methods of strings and regular expressions. */
export function charactersRead(run: () => unknown): number {
  let count = 0;
  const strings = String.prototype as unknown as Record<string, Method>;
  const known = Object.keys(COSTS).map((name) => [name, strings[name]!] as const);
  const exec = RegExp.prototype.exec;
  for (const [name, method] of known) {
    strings[name] = function (this: string, ...args) {
      const result = method.apply(this, args);
      count += COSTS[name]!(this, args, result);
      return result;
    };
  }
  RegExp.prototype.exec = function (text) {
    count += text.length;
    return exec.call(this, text);
  };
  try {
    run();
  } finally {
    for (const [name, method] of known) strings[name] = method;
    RegExp.prototype.exec = exec;
  }
  return count;
}
