// The repetitive part of the header: macros that count their arguments, and macros that walk over them. The
// preprocessor has no loops, so there is a macro for each number of arguments up to that of most sites. Longer lists are
// padded to one of two lengths.

/** The most operands that one site takes, with its options. */
export const MAX_OPERANDS = 256;

/** The most arguments with a macro of their own. */
const ROWS = 36;

/** The lengths to which longer lists are padded. They are hexadecimal, so that they differ from the numbers of rows. */
const PADDED = [68, MAX_OPERANDS] as const;

/** The most commas that an operand's expression may have outside parentheses, as in `pick<a, b>(x)`. */
const COMMAS = 15;

const D = "PTX_INJECT_DETAIL";

const indices = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const hex = (count: number): string => `0x${count.toString(16)}`;

/**
 * Lines such as `#define NAME_3(m, head, a0, a1, a2) m(a0) m(a1) m(a2)`; only `first` may use the head.
 */
function rows(name: string, call: (i: number) => string, separator = " ", first = ""): string {
  return indices(ROWS + 1)
    .map((count) => {
      if (count === 0 && first === "") return `#define ${D}_${name}_0(...)`;
      const parameters = ["m", "head", ...indices(count).map((i) => `a${i}`)].join(", ");
      return `#define ${D}_${name}_${count}(${parameters}) ${first}${indices(count).map(call).join(separator)}`.trimEnd();
    })
    .join("\n");
}

/** The walks over padded lists, which pass every element with its index to the macro `r`, and the one after the last. */
function padded(count: number): string {
  const slots = indices(count).map((i) => `a${i}`);
  const calls = slots.map((slot, i) => `r(m,${i},${slot})`);
  const row = (name: string, body: (list: string) => string): string =>
    `#define ${D}_${name}_${hex(count)}(m, head, ...) ${body(`(${D}_${name}_ONE, m, __VA_ARGS__, ${D}_PADS_${count}, ~)`)}`;
  const walk = `${D}_WALK_${count}`;
  return [
    `#define ${walk}(...) ${walk}_I(__VA_ARGS__)`,
    `#define ${walk}_I(r,m,${slots.join()},next,...) ${calls.join(" ")} r##_MORE(m, next)`,
    row("CALL", (list) => `m##_HEAD(head) ${walk}${list}`),
    row("EACH", (list) => `${walk}${list}`),
    row("COMMAS", (list) => `${D}_REST(${walk}${list})`),
    row("INDEXED", (list) => `${walk}${list}`),
  ].join("\n");
}

/** As much padding as a list can need: one element more than it has. */
function padding(count: number): string {
  const [whole, rest] = [Math.floor((count + 1) / 16), (count + 1) % 16];
  const blocks = indices(whole).map(() => `${D}_PADS`);
  return `#define ${D}_PADS_${count} ${[...blocks, ...indices(rest).map(() => `${D}_PADDING`)].join(", ")}`;
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
  const [medium, long] = PADDED;
  const row = (count: number): string => (count > ROWS ? hex(medium) : String(count));
  return `// Counters of the arguments after the first. COUNT is the number of their row in the walks below: how many there are, or the
// length of the padded list; NUMBER_OF is their number, and ANY is 1 if there are some, otherwise 0. PARTS is the number of
// all arguments, at most 4. The results are digits, because no macro of a program can be named like them.
${picker("PICK", medium)}
${counter("PICKED", "PICK", medium, row)}
#define ${D}_COUNT(...) ${D}_ROW(${D}_PICKED(__VA_ARGS__))
#define ${D}_ROW(picked) ${D}_ROW_I(${D}_IS_TUPLE(picked), picked)
#define ${D}_ROW_I(is_tuple, picked) ${D}_CAT(${D}_ROW_, is_tuple)(picked)
#define ${D}_ROW_0(picked) picked
#define ${D}_ROW_1(picked) ${hex(long)}
${counter("ANY", "PICK", medium, (count) => (count === 0 ? "0" : "1"))}
${picker("PICK_NUMBER", long)}
${counter("NUMBER_OF", "PICK_NUMBER", long, String)}
${picker("PICK_PART", COMMAS + 2)}
${counter("PARTS", "PICK_PART", COMMAS + 2, (count) => String(Math.min(count + 1, 4)))}

// Walks over the arguments after the first: CALL passes each of them to a macro, and the first to its HEAD variant; INDEXED
// also passes the index; EACH passes the contents of tuples; COMMAS separates the results by commas. OF walks count first.
${rows("CALL", (i) => `m(a${i})`, " ", "m##_HEAD(head) ")}

${rows("EACH", (i) => `m a${i}`)}
${counted("EACH")}

${rows("COMMAS", (i) => `m a${i}`, ", ")}
${counted("COMMAS")}

${rows("INDEXED", (i) => `m(${i}, a${i})`)}

// Walks over longer lists, which are padded. REAL tells an element from padding by its first token.
#define ${D}_PADDING (${D}_PAD, ~, (), ~, ~)
#define ${D}_PADS ${indices(16)
    .map(() => `${D}_PADDING`)
    .join(", ")}
${PADDED.map(padding).join("\n")}
${PADDED.map(padded).join("\n")}
#define ${D}_CALL_ONE(m, i, argument) m(argument)
#define ${D}_CALL_ONE_MORE(m, next) m##_MANY(next)
#define ${D}_EACH_ONE(m, i, tuple) ${D}_CAT(${D}_EACH_ONE_, ${D}_REAL tuple)(m, tuple)
#define ${D}_EACH_ONE_0(m, tuple)
#define ${D}_EACH_ONE_1(m, tuple) m tuple
#define ${D}_EACH_ONE_MORE(m, next)
#define ${D}_COMMAS_ONE(m, i, tuple) ${D}_CAT(${D}_COMMAS_ONE_, ${D}_REAL tuple)(m, tuple)
#define ${D}_COMMAS_ONE_0(m, tuple)
#define ${D}_COMMAS_ONE_1(m, tuple) , m tuple
#define ${D}_COMMAS_ONE_MORE(m, next)
#define ${D}_INDEXED_ONE(m, i, tuple) ${D}_CAT(${D}_INDEXED_ONE_, ${D}_REAL tuple)(m, i, tuple)
#define ${D}_INDEXED_ONE_0(m, i, tuple)
#define ${D}_INDEXED_ONE_1(m, i, tuple) m(i, tuple)
#define ${D}_INDEXED_ONE_MORE(m, next)
#define ${D}_REAL(first, ...) ${D}_SECOND(${D}_FIRST_##first, 1, ~)
#define ${D}_FIRST_${D}_PAD ~, 0
#define ${D}_REST(...) ${D}_REST_I(__VA_ARGS__)
#define ${D}_REST_I(first, ...) __VA_ARGS__
`;
}
