// The shapes of the description files as zod schemas. References between entries are resolved elsewhere.
import { z } from "zod";

/** Entries of each kind that an index of 16 bits can name. */
export const MAX_ENTRIES = 65535;
/** Elements of a vector operand. */
export const MAX_VECTOR_ELEMENTS = 65535;
/** Elements of a special register: x, y, z, w. */
export const MAX_SPECIAL_ELEMENTS = 4;
export const MAX_ARGS = 4;
export const MAX_RESULTS = 2;

/** What `mov` takes as its type, which a register of the same type is declared with. */
export const MOV_TYPES = [
  "pred",
  "b16",
  "b32",
  "b64",
  "u16",
  "u32",
  "u64",
  "s16",
  "s32",
  "s64",
  "f32",
  "f64",
  "b128",
] as const;

const name = z
  .string()
  .min(1)
  .regex(/^[\x21-\x7e]+$/, "expected visible ASCII without blanks");
/** PTX text of an instruction: a mnemonic with modifiers. */
const mnemonic = z.string().regex(/^[a-z][A-Za-z0-9_.:]*$/, "expected a PTX mnemonic such as `add.ftz.f32`");
const requirement = z.strictObject({
  target: z
    .string()
    .regex(/^sm_[0-9]+[af]?$/, "expected a target such as `sm_90`")
    .optional(),
  ptx: z
    .string()
    .regex(/^[0-9]+\.[0-9]+$/, "expected a PTX ISA version such as `7.8`")
    .optional(),
});

const stackType = z.strictObject({
  name,
  literal_prefix: z.enum(MOV_TYPES),
  constant_type: z.enum(["f32", "s32", "u32"]).optional(),
  encoder_type: z.string().optional(),
});

const argType = z.strictObject({
  name,
  stack_type: z.string(),
  num_vec_elems: z.int().min(0).max(MAX_VECTOR_ELEMENTS).optional(),
});

const instruction = z.strictObject({
  ptx: mnemonic,
  args: z.array(z.string()).max(MAX_ARGS),
  rets: z.array(z.string()).max(MAX_RESULTS),
  aligned: z.boolean().optional(),
  name: name.optional(),
  display: z.string().min(1).optional(),
  requires: requirement.optional(),
});

const specialRegister = z.strictObject({
  ptx: z.string().regex(/^[a-z][A-Za-z0-9_.]*$/, "expected a special register without `%`, such as `tid.x`"),
  arg_type: z.string(),
  name: name.optional(),
  display: z.string().min(1).optional(),
  requires: requirement.optional(),
});

const dataType = z.strictObject({
  name,
  register_type: name,
  mov_postfix: z.enum(MOV_TYPES),
  register_char: z.string(),
  register_cast_str: z.string(),
});

const astInstruction = z.strictObject({
  ptx: mnemonic,
  args: z.int().min(0).max(MAX_ARGS),
  name: name.optional(),
  display: z.string().min(1).optional(),
  requires: requirement.optional(),
});

const head = {
  $schema: z.string().optional(),
  abi_version: z.literal(1, { error: "expected 1, the only version there is" }),
};

/** A Stack PTX description file, before references are resolved. */
export const stackDescription = z.strictObject({
  ...head,
  stack_types: z.array(stackType).min(1).max(MAX_ENTRIES),
  arg_types: z.array(argType).max(MAX_ENTRIES),
  instructions: z.array(instruction).max(MAX_ENTRIES),
  special_registers: z.array(specialRegister).max(MAX_ENTRIES).default([]),
});

/** A PTX Inject description file. */
export const injectDescription = z.strictObject({
  ...head,
  data_type_infos: z.array(dataType).max(MAX_ENTRIES),
});

/** An AST PTX description file. */
export const astDescription = z.strictObject({
  ...head,
  instructions: z.array(astInstruction).max(MAX_ENTRIES),
});

export type StackDescription = z.infer<typeof stackDescription>;
export type InjectDescription = z.infer<typeof injectDescription>;
export type AstDescription = z.infer<typeof astDescription>;
