// Names that are not in use yet.

/** A name that is not among the others: the given one, with underscores after it if necessary. */
export const unusedName = (name: string, others: readonly string[]): string =>
  others.includes(name) ? unusedName(`${name}_`, others) : name;
