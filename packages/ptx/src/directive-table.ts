// What statements the directives of PTX begin, and how each of those ends (PTX ISA, Directives).

/** What a statement that begins with a directive is. From `variable` on, directives stand within other statements too. */
export const enum Role {
  /** A declaration or an instruction to the compiler, up to its semicolon. */
  plain = 0,
  /** A number, string or word and more of them behind commas; neither semicolon nor line end ends it. */
  listed = 1,
  /** `.section name { … }`. */
  section = 2,
  /** `.entry` or `.func`, up to its body or semicolon. */
  function = 3,
  /** `.visible` and its like, which stand before a function or a variable. */
  linkage = 4,
  /** A state space, which begins the declaration of variables or registers. */
  variable = 5,
  /** Part of something else: `.align`, `.b32`, `.maxntid`. */
  part = 6,
}

const ROLES: ReadonlyMap<string, Role> = new Map([
  [".version", Role.listed],
  [".target", Role.listed],
  [".address_size", Role.listed],
  [".file", Role.listed],
  [".loc", Role.listed],
  [".section", Role.section],
  [".entry", Role.function],
  [".func", Role.function],
  [".extern", Role.linkage],
  [".visible", Role.linkage],
  [".weak", Role.linkage],
  [".common", Role.linkage],
  [".reg", Role.variable],
  [".sreg", Role.variable],
  [".const", Role.variable],
  [".global", Role.variable],
  [".local", Role.variable],
  [".param", Role.variable],
  [".shared", Role.variable],
  [".tex", Role.variable],
  [".alias", Role.plain],
  [".branchtargets", Role.plain],
  [".calltargets", Role.plain],
  [".callprototype", Role.plain],
  [".pragma", Role.plain],
]);

/** The role of a directive, with its dot. */
export function roleOf(directive: string): Role {
  return ROLES.get(directive) ?? Role.part;
}
