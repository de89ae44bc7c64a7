// What the demo prints.
import { type ActivationResult, knownBetter } from "./demo.js";
import type { JudgedProgram } from "./judged.js";

const INSTRUCTIONS = 12;
const COLUMNS = ["instructions", "special", "largest error", "PTX permits", "y"] as const;

/** The front, known programs, and the machine code of the chosen program, as lines. */
export function activationLines(result: ActivationResult): string[] {
  const { target, seconds, programs, seed, front, known, chosen, counted } = result;
  const lines = [
    `${target.title}: the kernel computes ${target.output}, evolution writes y = ${target.y}`,
    `${programs.toLocaleString("en")} programs in ${Math.round(seconds)} s, seed ${seed}; instructions counted ` +
      ("tools" in counted
        ? `in machine code (${counted.tools})`
        : `by the cost model, because ${counted.missing}`),
    "",
    row(COLUMNS),
    ...front.map(programLine),
    "known:",
    ...known.map((program) => `${programLine(program)}   (${program.label})`),
  ];
  if (chosen === undefined) return [...lines, "nothing was found"];
  lines.push("", `the chosen one: y = ${chosen.formula}`);
  if (chosen.listing !== undefined) lines.push(...arithmetic(chosen.listing).map((text) => `  ${text}`));
  const better = knownBetter(result);
  if (better !== undefined) lines.push(`a known one is at least as good: ${better.label}`);
  return lines;
}

function programLine({ instructions, special, error, permitted, formula }: JudgedProgram): string {
  return row([instructions, special, error.toExponential(2), permitted.toExponential(2), formula]);
}

const row = ([a, b, c, d, e]: readonly (string | number)[]): string =>
  [
    String(a).padStart(INSTRUCTIONS),
    String(b).padStart(7),
    String(c).padStart(13),
    String(d).padStart(11),
    `  ${e}`,
  ].join(" ");

/** The instructions of the listing between the load of x and the store of the output. */
function arithmetic(listing: readonly string[]): string[] {
  return listing.filter(
    (text) => /^(F|MUFU|HFMA|MOV|UMOV|IMAD\.MOV|LOP3|SEL)/.test(text) && !/\bc\[/.test(text),
  );
}
