// The header's repetitive part: macros that count their arguments, and macros that walk over them. The preprocessor has
// no loops, so each length has a row of its own; the longest are long enough for any site.

/** The most operands that one site takes. */
export const MAX_OPERANDS = 32;

/** The most arguments after a site's name: operands, and each option once. */
const MAX_ARGUMENTS = MAX_OPERANDS + 4;

/** Arguments up to here are counted; of more the counters give one of the arguments. */
const COUNTABLE = 64;

/** Commas that an operand's expression may have outside parentheses, as in `pick<a, b>(x)`. */
const COMMAS = 15;

const D = "PTX_INJECT_DETAIL";

const indices = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Rows `#define NAME_3(m, head, a0, a1, a2) m(a0) m(a1) m(a2)`; what stands at the head is left out, but for `first`. */
function rows(name: string, call: (i: number) => string, separator: string, first = ""): string {
  return indices(MAX_ARGUMENTS + 1)
    .map((count) => {
      if (count === 0 && first === "") return `#define ${D}_${name}_0(...)`;
      const parameters = ["m", "head", ...indices(count).map((i) => `a${i}`)].join(", ");
      return `#define ${D}_${name}_${count}(${parameters}) ${first}${indices(count).map(call).join(separator)}`.trimEnd();
    })
    .join("\n");
}

/** `NAME(head, a, b)` is the word for two arguments after the head; `picker` takes so many and then the words. */
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

/** A walk whose length is counted first. */
const counted = (name: string): string =>
  `#define ${D}_${name}_OF(m, ...) ${D}_CAT(${D}_${name}_, ${D}_COUNT(__VA_ARGS__))(m, __VA_ARGS__)`;

/** All counters and walks, as lines of the header. */
export function walks(): string {
  const any = (count: number) => (count === 0 ? "0" : "1");
  return `// How many arguments stand after the first: COUNT their number, or 00 for too many, ANY and PARTS whether there is one (1)
// or none (0). Digits, because no macro of a program can have their name.
${picker("PICK", COUNTABLE)}
${counter("COUNT", "PICK", COUNTABLE, (count) => (count > MAX_ARGUMENTS ? "00" : String(count)))}
${counter("ANY", "PICK", COUNTABLE, any)}
${picker("PICK_PART", COMMAS)}
${counter("PARTS", "PICK_PART", COMMAS, any)}

// Walks over the arguments after the first: CALL with each of them and, as HEAD, with the first, INDEXED with its place and it; EACH takes tuples and
// calls with what is in them, and COMMAS puts commas between. Walks named OF count first.
${rows("CALL", (i) => `m(a${i})`, " ", "m##_HEAD(head) ")}
#define ${D}_CALL_00(m, ...) m##_MANY

${rows("EACH", (i) => `m a${i}`, " ")}
${counted("EACH")}

${rows("COMMAS", (i) => `m a${i}`, ", ")}
${counted("COMMAS")}

${rows("INDEXED", (i) => `m(${i}, a${i})`, " ")}
`;
}
