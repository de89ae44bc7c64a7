// Instances of the rows of the instruction table, each as a kernel that executes it on values from memory and
// records its effects: results, the carry flag, memory of all kinds, and whether the thread before it was
// already past it.
import { type Match, type MatchedOperand, matchOpcode } from "../../src/isa/match.js";
import type { Form } from "../../src/isa/notation.js";
import { GLOBAL_HINTS } from "../../src/isa/slots.js";
import { formsOf, instructionRows } from "../../src/isa/table.js";
import { type PtxType, TYPES } from "../../src/program/types.js";

/** A row with words in its slots; `whole` with the optional operands. */
export interface Instance {
  readonly opcode: string;
  readonly match: Match;
  readonly whole: boolean;
}

/**
 * Whether an instruction works on an object, in memory, on the barrier of a cluster or on the stack memory of a call, so
 * that it fails on other contents.
 */
export const needsObject = ({ match: { operation } }: Instance): boolean =>
  (operation.traits.procedure && !/^(atom|red)$/.test(operation.name)) ||
  /^(mapa|getctarank|alloca|stacksave|stackrestore)$/.test(operation.name) ||
  operation.words.has("cluster");

/** Slots whose words mean nothing to the emulator, or nothing to a single block. */
const HINTS: ReadonlySet<string> = new Set([...GLOBAL_HINTS, "cop", "scope"]);

/**
 * For every row: the first words of its slots, and each other word of a slot with the first ones of the
 * others.
 */
export function instances(): readonly Instance[] {
  return [...instructionRows().keys()].flatMap(formsOf).flatMap((form) => {
    const found = instancesOf(form, HINTS);
    // Some rows differ from others only in their hints.
    return found.length > 0 ? found : instancesOf(form, new Set());
  });
}

function instancesOf(form: Form, without: ReadonlySet<string>): readonly Instance[] {
  return [...opcodesOf(form, without)].flatMap((opcode) => {
    const match = matchOpcode(opcode).find((one) => one.form === form);
    if (match === undefined) return [];
    const hasMore = match.operands.some((operand) => operand.form.optional);
    return (hasMore ? [false, true] : [false]).map((whole) => ({ opcode, match, whole }));
  });
}

function opcodesOf({ mnemonic, elements }: Form, without: ReadonlySet<string>): ReadonlySet<string> {
  const lists = elements.map(({ name, words, optional, isType }) => {
    const all = optional && without.has(name) ? [] : [...words.keys()];
    // Two words represent a long list that is not of types, such as comparisons.
    const taken = isType || all.length <= 4 ? all : [all[0]!, all.at(-1)!];
    return optional ? [undefined, ...taken] : taken;
  });
  const opcodes = new Set<string>();
  const make = (words: readonly (string | undefined)[]) =>
    opcodes.add([mnemonic, ...words.filter((word) => word !== undefined)].join("."));
  lists.forEach((list, slot) => {
    for (const word of list) make(lists.map((other, index) => (index === slot ? word : other[0])));
  });
  if (lists.length === 0) make([]);
  return opcodes;
}

/** Bytes of a value in the buffers, and of each kind of memory of a thread. */
export const SLOT = 16;
export const REGION = 32;
export const THREADS = 32;
/** The number of values that a thread has. */
export const VALUES = 48;
/**
 * Offsets in a thread's output: results of the first and second execution, then 8 bytes each, then memory.
 */
export const OUT = {
  ...{ first: 0, second: 256, carry: 512, earlier: 520, done: 528 },
  ...{ shared: 544, local: 576, param: 608, bytes: 640 },
} as const;

const REGISTER_OF: Readonly<Partial<Record<PtxType, PtxType>>> = {
  ...{ bf16: "b16", bf16x2: "b32", tf32: "b32", u16x2: "b32", s16x2: "b32" },
  ...{ e4m3: "b8", e5m2: "b8", e4m3x2: "b16", e5m2x2: "b16", f32x2: "b64" },
};

/** A value operand with the number of its first slot. */
export interface Field {
  readonly type: PtxType;
  readonly items: number;
  readonly slot: number;
}

/** The operands of an instance that are values in registers. */
export interface Fields {
  readonly results: readonly Field[];
  readonly sources: readonly Field[];
}

const itemsOf = ({ items }: { readonly items: number }): number => Math.max(1, items);

export function fieldsOf({ match, whole }: Instance): Fields {
  const fields = (isResult: boolean): readonly Field[] => {
    let slot = 0;
    return match.operands
      .filter((operand) => operand.form.result === isResult && constantOf(operand, match) === undefined)
      .filter(({ form }) => form.kind === "value" && (whole || !form.optional))
      .map(({ type, items }) => {
        const field = { type: type!, items, slot };
        slot += Math.max(1, items);
        return field;
      });
  };
  return { results: fields(true), sources: fields(false) };
}

/** Operands that require certain numbers: barriers, their threads, masks of lanes, strides of matrices. */
function constantOf({ form, type }: MatchedOperand, { operation }: Match): string | undefined {
  const { traits, words } = operation;
  if (form.kind === "constant") return `${form.constants[0] ?? 150n}`;
  if (form.limit === 16n) return "0";
  if (form.result || form.kind !== "value" || type !== "u32") return undefined;
  if (traits.waits === "barrier" && form.name === "b") return `${THREADS}`;
  if (traits.waits === "lanes" && form.name === "m") return "0xffffffff";
  const isStride = traits.waits === "lanes" && (words.has("load") || words.has("store")) && form.optional;
  return isStride ? "8" : undefined;
}

/** The address of each thread's own region, or of the first one's for operations of a whole warp. */
const ADDRESSES: Readonly<Record<string, string>> = {
  ...{ global: "[%m]", shared: "[%sh]", local: "[lo]", const: "[co]", param: "[pa]" },
};

function instructionText(instance: Instance, results: string, sources: string): string {
  const { opcode, match, whole } = instance;
  const next = { [results]: 0, [sources]: 0 };
  let text = "";
  for (const operand of match.operands) {
    const { form, space } = operand;
    if (form.optional && !whole) continue;
    text += text === "" ? " " : form.paired ? "|" : ", ";
    if (form.kind === "address") {
      const isStore = space === "param" && match.operation.traits.writes;
      // Some instructions that only access shared memory accept its generic addresses.
      const isGeneric = space === "shared" && match.operation.space === "generic";
      text += isStore ? "[sp]" : isGeneric ? "[%gsh]" : ADDRESSES[space ?? "global"]!;
      continue;
    }
    const constant = constantOf(operand, match);
    if (constant !== undefined) {
      text += constant;
      continue;
    }
    const prefix = form.result ? results : sources;
    const names = Array.from({ length: itemsOf(operand) }, () => `${prefix}${next[prefix]!++}`);
    text += operand.items === 0 ? names[0]! : `{${names.join(", ")}}`;
  }
  return `${opcode}${text};`;
}

function declared(prefix: string, fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ type, items, slot }) =>
    Array.from(
      { length: itemsOf({ items }) },
      (_, item) => `.reg .${REGISTER_OF[type] ?? type} ${prefix}${slot + item};`,
    ),
  );
}

function moved(
  direction: "ld" | "st",
  prefix: string,
  fields: readonly Field[],
  address: string,
  offset: number,
): readonly string[] {
  return fields.flatMap(({ type, items, slot }) =>
    Array.from({ length: itemsOf({ items }) }, (_, item) => {
      const name = `${prefix}${slot + item}`;
      const place = `[${address}+${offset + SLOT * (slot + item)}]`;
      const { bits } = TYPES[type];
      if (bits > 1) {
        return direction === "ld"
          ? `ld.global.b${bits} ${name}, ${place};`
          : `st.global.b${bits} ${place}, ${name};`;
      }
      return direction === "ld"
        ? `ld.global.u32 %x, ${place}; and.b32 %x, %x, 1; setp.ne.u32 ${name}, %x, 0;`
        : `selp.u32 %x, 1, 0, ${name}; st.global.u32 ${place}, %x;`;
    }),
  );
}

const words = (write: (at: number, turned: number) => string): readonly string[] =>
  Array.from({ length: REGION / 8 }, (_, index) => write(8 * index, turnedPlace(8 * index)));

/**
 * The offset of a byte of a region in the other kinds of memory: their halves are swapped, so that copies are
 * noticed.
 */
export const turnedPlace = (at: number): number => at ^ (REGION / 2);

/**
 * The kernel of an instance: `(in, out, memory, carry, bytes)`.
 *
 * @param order what is executed: the instance once, twice, or on the values of two threads one after another
 */
export function instanceKernel(
  name: string,
  instance: Instance,
  order: "once" | "twice" | "own, other" | "other, own",
): string {
  const { results, sources } = fieldsOf(instance);
  const isTogether = instance.match.operation.traits.waits !== undefined;
  const own = instructionText(instance, "%d", "%s");
  const second = {
    once: [],
    twice: [instructionText(instance, "%e", "%s")],
    "own, other": [instructionText(instance, "%e", "%u")],
    "other, own": [],
  }[order];
  const first = order === "other, own" ? [instructionText(instance, "%e", "%u")] : [];
  return [
    `.visible .entry ${name}(.param .u64 in, .param .u64 out, .param .u64 memory, .param .u32 carry, .param .align 32 .b8 pa[${REGION}])`,
    "{",
    `.local .align 32 .b8 lo[${REGION}]; .param .align 32 .b8 sp[${REGION}];`,
    ".reg .b64 %in, %out, %own, %sown, %m, %sh, %gsh, %l, %oin; .reg .b32 %t, %x, %c; .reg .pred %q;",
    ...declared("%d", results),
    ...declared("%e", results),
    ...declared("%s", sources),
    ...declared("%u", sources),
    "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %m, [memory]; mov.u64 %sh, sh;",
    `mov.u32 %t, %tid.x; mad.wide.u32 %out, %t, ${OUT.bytes}, %out;`,
    `xor.b32 %x, %t, 1; mad.wide.u32 %oin, %x, ${SLOT * VALUES}, %in; mad.wide.u32 %in, %t, ${SLOT * VALUES}, %in;`,
    `mad.wide.u32 %own, %t, ${REGION}, %m; mad.wide.u32 %sown, %t, ${REGION}, %sh;`,
    ...(isTogether ? [] : ["mov.u64 %m, %own; mov.u64 %sh, %sown;"]),
    "cvta.shared.u64 %gsh, %sh;",
    ...words(
      (at, turned) =>
        `ld.global.b64 %l, [%own+${at}]; st.shared.b64 [%sown+${turned}], %l; st.local.b64 [lo+${turned}], %l; st.param.b64 [sp+${turned}], %l;`,
    ),
    ...moved("ld", "%s", sources, "%in", 0),
    ...moved("ld", "%u", sources, "%oin", 0),
    "bar.sync 0;",
    `setp.ne.u32 %q, %t, 0; mov.b32 %x, 1; @%q ld.global.u32 %x, [%out+${OUT.done - OUT.bytes}]; st.global.u32 [%out+${OUT.earlier}], %x;`,
    "ld.param.u32 %x, [carry]; add.cc.u32 %x, %x, 0xffffffff;",
    ...first,
    own,
    `addc.u32 %c, 0, 0; st.global.u32 [%out+${OUT.carry}], %c;`,
    ...second,
    `mov.b32 %x, 1; st.global.u32 [%out+${OUT.done}], %x;`,
    "bar.sync 0;",
    ...moved("st", "%d", results, "%out", OUT.first),
    ...(order === "twice" ? moved("st", "%e", results, "%out", OUT.second) : []),
    ...words(
      (at) =>
        `ld.shared.b64 %l, [%sown+${at}]; st.global.b64 [%out+${OUT.shared + at}], %l; ld.local.b64 %l, [lo+${at}]; st.global.b64 [%out+${OUT.local + at}], %l; ld.param.b64 %l, [sp+${at}]; st.global.b64 [%out+${OUT.param + at}], %l;`,
    ),
    "ret;",
    "}",
    "",
  ].join("\n");
}

/** A module of kernels. */
export function instanceModule(kernels: readonly string[]): string {
  return [
    ".version 9.0\n.target sm_100a\n.address_size 64",
    `.const .align 32 .b8 co[${REGION}];`,
    `.shared .align 32 .b8 sh[${REGION * THREADS}];`,
    ...kernels,
  ].join("\n");
}
