// Parts of a demangled name as functions that print them. A parameter pack prints the element that is being expanded, so
// parts are printed as often as packs need them.

/** The name is not one that this package can read. */
export class Unreadable extends Error {}

/** The state of printing. */
export interface Printing {
  /** Whether template arguments are omitted. */
  readonly bare: boolean;
  /** How much has been printed so far, and how many parts are being printed inside each other. */
  readonly effort: { work: number; depth: number };
  /** Whether the parameters of a lambda are printed, in which template parameters stand for `auto`. */
  readonly isLambda?: boolean;
  /** The element of parameter packs that is being printed. */
  index?: number | undefined;
  /** The number of elements of the pack that was printed last. */
  size?: number | undefined;
}

/**
 * A type in the two parts between which a declarator stands; the third part says whether a declarator needs
 * parentheses, and the fourth whether it is a reference.
 */
export type Parts = readonly [
  left: string,
  right: string,
  encloses?: boolean | undefined,
  reference?: "&" | "&&" | undefined,
];

export type Node = ((printing: Printing) => Parts) & { readonly pack?: readonly Node[] };

/** The most characters that are put together for a name, including those of parts that are printed repeatedly. */
const MOST_WORK = 500_000;
/** The most parts inside each other. */
const DEEPEST = 500;

/** A node that prints what `print` returns. */
export const node = (print: (printing: Printing) => Parts): Node => {
  return (printing) => {
    const { effort } = printing;
    if (++effort.depth > DEEPEST) throw new Unreadable();
    const parts = print(printing);
    effort.depth--;
    effort.work += parts[0].length + parts[1].length + 1;
    if (effort.work > MOST_WORK) throw new Unreadable();
    return parts;
  };
};

export const text = (words: string): Node => node(() => [words, ""]);

/** Prints a node as a text. */
export function shown(one: Node, printing: Printing): string {
  const [left, right] = one(printing);
  return left + right;
}

/** Several nodes separated by commas; packs that are empty leave nothing. */
export function listed(nodes: readonly Node[], printing: Printing): string {
  return nodes
    .map((one) => shown(one, printing))
    .filter((words) => words !== "")
    .join(", ");
}

/** A pack of template arguments. */
export function packOf(elements: readonly Node[]): Node {
  const print = node((printing) => {
    if (printing.index === undefined) return [listed(elements, printing), ""];
    printing.size = elements.length;
    return elements[printing.index]?.(printing) ?? ["", ""];
  });
  return Object.assign((printing: Printing) => print(printing), { pack: elements });
}

/** Repeats a pattern for each element of the packs in it. */
export function expansion(pattern: Node): Node {
  return node((printing) => {
    const { index, size } = printing;
    const words: string[] = [];
    printing.index = 0;
    printing.size = undefined;
    const first = shown(pattern, printing);
    const count: number | undefined = printing.size;
    if (count === undefined) {
      printing.index = index;
      printing.size = size;
      return [`(${first})...`, ""];
    }
    if (count > 0) words.push(first);
    for (printing.index = 1; printing.index < count; printing.index++) words.push(shown(pattern, printing));
    printing.index = index;
    printing.size = size;
    return [words.filter((word) => word !== "").join(", "), ""];
  });
}

/** A type with a pointer, reference or qualifier: `*`, `&`, ` const`. */
export function derived(inner: Node, sign: string): Node {
  return node((printing): Parts => {
    const [left, right, encloses, reference] = inner(printing);
    if (sign.startsWith(" ")) {
      // Qualifiers of a function type follow its parameters, and references have none.
      if (reference !== undefined) return [left, right, encloses, reference];
      return encloses && !right.startsWith(" [")
        ? [left, right + sign, true]
        : [left + sign, right, encloses];
    }
    const isReference = sign === "&" || sign === "&&";
    if (isReference && reference !== undefined) {
      const collapsed = sign === "&" ? "&" : reference;
      return [left.slice(0, left.length - reference.length) + collapsed, right, false, collapsed];
    }
    const opened = encloses ? `${left.trimEnd()} (${sign}` : left + sign;
    return [opened, encloses ? `)${right}` : right, false, isReference ? sign : undefined];
  });
}
