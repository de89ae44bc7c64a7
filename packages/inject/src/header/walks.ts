// The header's repetitive part: macros that count their arguments, and macros that walk over them. The preprocessor has
// no loops, so each length has a row of its own; the longest are long enough for any site.

/** The most operands that one site takes. */
export const MAX_OPERANDS = 32;

/** The most arguments after a site's name: operands, and each option once. */
const MAX_ARGUMENTS = MAX_OPERANDS + 4;

/** Arguments up to here are counted; a site with more of them gets no message of its own. */
const COUNTABLE = 96;

const D = "PTX_INJECT_DETAIL";

const indices = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Rows `#define NAME_3(m, head, a0, a1, a2) m(a0) m(a1) m(a2)`; what stands at the head is left out. */
function rows(name: string, longest: number, call: (i: number) => string, separator: string): string {
  return indices(longest + 1)
    .map((count) => {
      const parameters = ["m", "head", ...indices(count).map((i) => `a${i}`)].join(", ");
      return `#define ${D}_${name}_${count}(${parameters}) ${indices(count).map(call).join(separator)}`.trimEnd();
    })
    .join("\n");
}

/** `NAME(head, a, b)` is the word for two arguments after the head. */
function counter(name: string, word: (count: number) => number): string {
  const words = indices(COUNTABLE + 1)
    .reverse()
    .map(word);
  return `#define ${D}_${name}(...) \\\n  ${D}_PICK(__VA_ARGS__, ${words.join(", ")}, ~)`;
}

/** All counters and walks, as lines of the header. */
export function walks(): string {
  const slots = indices(COUNTABLE + 1).map((i) => `a${i}`);
  const size = (largest: number) => (count: number) => (count === 0 ? 0 : count > largest ? 2 : 1);
  return `// How many arguments stand after the first: COUNT their number, ANY whether there is one (1) or none (0), ARGUMENTS and
// OPERANDS also whether there are too many (2). Digits, because no macro of a program can have their name.
#define ${D}_PICK(${slots.join(", ")}, picked, ...) picked
${counter("COUNT", (count) => count)}
${counter("ANY", size(COUNTABLE))}
${counter("ARGUMENTS", size(MAX_ARGUMENTS))}
${counter("OPERANDS", size(MAX_OPERANDS))}

// Walks over the arguments after the first: EACH as they are, COMMAS with commas between, INDEXED with their place.
${rows("EACH", MAX_ARGUMENTS, (i) => `m(a${i})`, " ")}

${rows("COMMAS", MAX_OPERANDS + 1, (i) => `m(a${i})`, ", ")}

${rows("INDEXED", MAX_OPERANDS, (i) => `m(${i}, a${i})`, " ")}
`;
}
