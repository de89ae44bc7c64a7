// Hints about names: the one that was probably meant, and its declaration.

import { didYouMean, nearest } from "@mm-ptx/types/internal";
import type { FailedText, VisibleName } from "./failed-text.js";

/** All instructions (PTX ISA, Instructions), by the name before the first dot. */
const INSTRUCTIONS =
  `abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call
  clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fence fma fns
  getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max mbarrier membar min mma
  mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red redux rem ret rsqrt
  sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore stacksave stmatrix sub subc suld suq sured
  sust szext tanh tcgen05 tensormap testp tex tld4 trap txq vabsdiff vadd vmad vmax vmin vote vset vshl vshr vsub wgmma
  wmma xor`.split(/\s+/);

const MODIFIERS =
  `.acquire .aligned .and .approx .b8 .b16 .b32 .b64 .b128 .bf16 .bf16x2 .ca .cas .cg .col .const .cta .dec .eq .exch .f16
  .f16x2 .f32 .f64 .ftz .full .ge .global .gpu .gt .hi .inc .le .lo .local .lt .max .min .nc .ne .or .param .pred .relaxed
  .release .rm .rmi .rn .rni .row .rp .rpi .rz .rzi .s8 .s16 .s32 .s64 .sat .satfinite .shared .sync .sys .tf32 .to .trans
  .u8 .u16 .u32 .u64 .uni .v2 .v4 .volatile .wide .wt .x1 .x2 .x4 .xor`.split(/\s+/);

const SPECIAL_REGISTERS =
  `%tid %ntid %laneid %warpid %nwarpid %ctaid %nctaid %smid %nsmid %gridid %clock %clock64 %globaltimer`.split(
    " ",
  );

/** Among equally near words, those with the same initial come first. */
const meant = (word: string, candidates: readonly string[]): string | undefined => {
  const initial = (candidate: string) => Number(!candidate.startsWith(word[0]!));
  const suggestion = didYouMean(
    word,
    candidates.toSorted((a, b) => initial(a) - initial(b)),
  );
  return suggestion === "" ? undefined : `there is no \`${word}\`${suggestion}`;
};

/** The PTX equivalents of words from other languages. */
const TRANSLATIONS: Readonly<Record<string, string>> = {
  br: "bra",
  ceil: "cvt.rpi.f32.f32",
  exp: "ex2.approx.f32` of the value times `0f3FB8AA3B",
  exp2: "ex2.approx.f32",
  floor: "cvt.rmi.f32.f32",
  goto: "bra",
  jmp: "bra",
  load: "ld",
  log: "lg2.approx.f32` times `0f3F317218",
  log2: "lg2.approx.f32",
  pow: "lg2`, `mul` and `ex2",
  return: "ret",
  round: "cvt.rni.f32.f32",
  store: "st",
  trunc: "cvt.rzi.f32.f32",
};

export function unknownInstruction(_: FailedText, name: string): string | undefined {
  const word = name.split(".", 1)[0]!;
  const known = TRANSLATIONS[word];
  return known === undefined ? meant(word, INSTRUCTIONS) : `\`${word}\` is \`${known}\` in PTX`;
}

export function unknownModifier(_: FailedText, name: string): string | undefined {
  return meant(name, MODIFIERS);
}

/** Words that are not PTX names, with their origin. */
const FOREIGN: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/^%\d+$/, "`%0` and similar names are operands of inline asm; PTX itself uses declared names"],
  [/^(undefined|null|NaN|true|false)$/, "a JavaScript value was converted to text here"],
  [
    /^-?(inf|infinity|nan)f?$/i,
    "PTX writes infinities and NaN as bits: `0f7F800000`, `0fFF800000`, `0f7FFFFFFF`",
  ],
];

/** What an undeclared name may have meant. */
export function unknownSymbol(text: FailedText, name: string): string | undefined {
  const foreign = FOREIGN.find(([pattern]) => pattern.test(name));
  if (foreign !== undefined) return foreign[1];
  const { usable } = text;
  const short = usable.find((each) => each.count !== undefined && belongsTo(name, each));
  if (short !== undefined) return shortRange(text, short);
  const declared = nearestOf(text, name, usable);
  if (declared !== undefined) return declared;
  const opcode = text.instruction?.opcode.split(".", 1)[0];
  if (opcode === "bra")
    return `the function has no such label: write \`${name}:\` before the statement to branch to`;
  if (opcode === "call") return `declare it before the call: \`.extern .func ${name} (…);\`, or define it`;
  return undefined;
}

/** The nearest name; in a stub, preferably a register of its site; if no name is near, all of these registers. */
function nearestOf(text: FailedText, name: string, usable: readonly VisibleName[]): string | undefined {
  const own = text.siteRegisters.map((each) => each.name);
  const declared = usable.map((each) => spelling(each, name));
  const percent = text.meaningOf(`%${name}`);
  if (percent !== undefined && usable.includes(percent)) declared.unshift(`%${name}`);
  const found = nearest(name, own) ?? nearest(name, declared) ?? nearest(name, SPECIAL_REGISTERS);
  if (found !== undefined) {
    const meaning = text.meaningOf(found);
    const place = meaning === undefined ? "" : ` ${text.placeAt(meaning.start)} declares it`;
    return `did you mean \`${found}\`?${place}`;
  }
  if (own.length === 0) return undefined;
  return `the registers of the site are ${own.map((each) => `\`${each}\``).join(", ")}`;
}

/** The registers of a range. */
function shortRange(text: FailedText, { name, count = 0, start }: VisibleName): string {
  const all =
    count > 1
      ? `\`${name}0\` to \`${name}${count - 1}\``
      : count === 1
        ? `only \`${name}0\``
        : "no registers";
  return `\`${name}<${count}>\` in ${text.placeAt(start)} declares ${all}`;
}

/** Whether a name would belong to a range if the range were long enough. */
function belongsTo(name: string, range: VisibleName): boolean {
  return name.startsWith(range.name) && /^\d+$/.test(name.slice(range.name.length));
}

/** The spelling of a declared name; for a range, the register with the same number, or the first one. */
function spelling({ name, count }: VisibleName, like: string): string {
  if (count === undefined) return name;
  const number = Number(/\d+$/.exec(like)?.[0] ?? 0);
  return `${name}${number < count ? number : 0}`;
}

/** The first declaration of a name. */
export function declaredTwice(text: FailedText, name: string): string | undefined {
  const own = name.replace(/<$/, "");
  const all = text.visible.filter((each) => each.name === own);
  const [first, second] = all
    .filter(({ scope }) => scope === all[0]!.scope)
    .sort((a, b) => a.start - b.start);
  if (first === undefined || second === undefined) return undefined;
  const advice = text.inStub ? ": wrap the stub in `{ }`, since it may be inserted at several places" : "";
  return `\`${own}\` is already declared in ${text.placeAt(first.start)}${advice}`;
}

/** The parameters and results of a call's function. */
export function callParameters(text: FailedText): string | undefined {
  const { instruction, module } = text;
  const called = instruction?.operands
    .filter(({ kind }) => kind === "value")
    .map((operand) => module?.function(operand.text))
    .find((each) => each !== undefined);
  if (called === undefined) return undefined;
  const list = (all: typeof called.parameters): string =>
    all.length === 0 ? "nothing" : all.map(({ type, name }) => `\`.${type} ${name}\``).join(", ");
  return `\`${called.name}\` in ${text.placeAt(called.nameSpan.start)} takes ${list(called.parameters)} and returns ${list(called.results)}`;
}

const SPACES: ReadonlySet<string> = new Set(["global", "shared", "const", "local", "param"]);

/** The state space of the variable in an address. */
export function stateSpace(text: FailedText): string | undefined {
  const { instruction } = text;
  const writes = /^(st|atom|red)\b/.test(instruction?.opcode ?? "");
  const address = instruction?.operands.find(({ kind }) => kind === "address");
  const name = /[\w$%]+/.exec(address?.text ?? "")?.[0];
  const declared = name === undefined ? undefined : text.meaningOf(name);
  if (declared?.space === undefined || !SPACES.has(declared.space)) return undefined;
  return `\`${name}\` is declared \`.${declared.space}\` in ${text.placeAt(declared.start)}${declared.space === "const" && writes ? ", and constant memory is read-only" : ""}`;
}
