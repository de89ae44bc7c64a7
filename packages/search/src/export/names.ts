// Names for languages that do not allow all names of registers.

const RESERVED = new Set(
  (
    "asm auto bool break case char const continue default do double else enum extern false float for goto if inline int long " +
    "register restrict return short signed sizeof static struct switch true typedef union unsigned void volatile while " +
    "class delete new operator private public template this throw try using namespace"
  ).split(" "),
);

/** An identifier of C for each name, in the same order, all different. */
export function identifiers(names: readonly string[], taken: readonly string[] = []): string[] {
  const used = new Set([...RESERVED, ...taken]);
  return names.map((name) => {
    let identifier = name.replaceAll(/[^A-Za-z0-9_]/g, "_");
    if (!/^[A-Za-z]/.test(identifier)) identifier = `x${identifier}`;
    while (used.has(identifier)) identifier += "_";
    used.add(identifier);
    return identifier;
  });
}
