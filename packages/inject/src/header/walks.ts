// The repetitive part of the header: macros that count their arguments, and macros that walk over them. The
// preprocessor has no loops, so there is a macro for each number of arguments.

/** The most operands that one site takes. */
export const MAX_OPERANDS = 32;

/** The most arguments after a site's name: operands, and each option once. */
const MAX_ARGUMENTS = MAX_OPERANDS + 4;

/** The most arguments that can be counted; with more, the counters expand to one of the arguments. */
const COUNTABLE = 64;

/** The most commas that an operand's expression may have outside parentheses, as in `pick<a, b>(x)`. */
const COMMAS = 15;

const D = "PTX_INJECT_DETAIL";

const indices = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Lines such as `#define NAME_3(m, head, a0, a1, a2) m(a0) m(a1) m(a2)`; only `first` may use the head. */
function rows(name: string, call: (i: number) => string, separator: string, first = ""): string {
  return indices(MAX_ARGUMENTS + 1)
    .map((count) => {
      if (count === 0 && first === "") return `#define ${D}_${name}_0(...)`;
      const parameters = ["m", "head", ...indices(count).map((i) => `a${i}`)].join(", ");
      return `#define ${D}_${name}_${count}(${parameters}) ${first}${indices(count).map(call).join(separator)}`.trimEnd();
    })
    .join("\n");
}

/** `NAME(head, a, b)` expands to the word for two arguments, which `picker` finds after the arguments. */
function counter(name: string, picker: string, countable: number, word: (count: number) => string): string {
  const words = indices(countable + 1)
    .reverse()
    .map(word);
  return `#define ${D}_${name}(...) ${D}_${picker}(__VA_ARGS__, ${words.join(", ")}, ~)`;
}

function picker(name: string, countable: number): string {
  const slots = indices(countable + 1).map((i) => `a${i}`);
  return `#define ${D}_${name}(${slots.join(", ")}, picked, ...) picked`;
}

/** A walk that first counts its arguments. */
const counted = (name: string): string =>
  `#define ${D}_${name}_OF(m, ...) ${D}_CAT(${D}_${name}_, ${D}_COUNT(__VA_ARGS__))(m, __VA_ARGS__)`;

/** All counters and walks, as lines of the header. */
export function walks(): string {
  const any = (count: number) => (count === 0 ? "0" : "1");
  return `// Counters of the arguments after the first: COUNT is their number, or 00 if there are too many; ANY and PARTS are 1 if
// there is at least one, otherwise 0. The results are digits, because no macro of a program can be named like them.
${picker("PICK", COUNTABLE)}
${counter("COUNT", "PICK", COUNTABLE, (count) => (count > MAX_ARGUMENTS ? "00" : String(count)))}
${counter("ANY", "PICK", COUNTABLE, any)}
${picker("PICK_PART", COMMAS)}
${counter("PARTS", "PICK_PART", COMMAS, any)}

// Walks over the arguments after the first: CALL passes each of them to a macro, and the first to its HEAD variant; INDEXED
// also passes the index; EACH passes the contents of tuples; COMMAS separates the results by commas. OF walks count first.
${rows("CALL", (i) => `m(a${i})`, " ", "m##_HEAD(head) ")}
#define ${D}_CALL_00(m, ...) m##_MANY

${rows("EACH", (i) => `m a${i}`, " ")}
${counted("EACH")}

${rows("COMMAS", (i) => `m a${i}`, ", ")}
${counted("COMMAS")}

${rows("INDEXED", (i) => `m(${i}, a${i})`, " ")}
`;
}
