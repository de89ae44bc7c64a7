// Which statement each PTX directive begins, and how those statements end (PTX ISA, Directives).

/**
 * The role of a directive that begins a statement. Directives from `variable` on also occur inside other statements.
 */
export const enum Role {
  /** A declaration or an instruction to the compiler, up to its semicolon. */
  plain = 0,
  /** Numbers, strings or words separated by commas; neither a semicolon nor the end of the line ends it. */
  listed = 1,
  /** `.section name { … }`. */
  section = 2,
  /** `.entry` or `.func`, up to its body or semicolon. */
  function = 3,
  /** `.visible` and similar directives, which precede a function or a variable. */
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
