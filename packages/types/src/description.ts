// The shapes of the description files as zod schemas, with the words that editors and error messages show. References
// between entries are checked elsewhere. Schemas are built at their first use: building them takes longer than loading
// the rest of this package, which most importers would pay in vain.
import { z } from "zod";
import { MOV_TYPES, REGISTER_TYPES } from "./register-type.js";

/** Entries of each kind that an index of 16 bits can name. */
export const MAX_ENTRIES = 65535;
/** Elements of a vector operand. */
export const MAX_VECTOR_ELEMENTS = 65535;
/** Elements of a special register: x, y, z, w. */
export const MAX_SPECIAL_ELEMENTS = 4;
export const MAX_ARGS = 4;
export const MAX_RESULTS = 2;
/** The versions of the formats that this package reads. */
export const ABI_VERSIONS = [1] as const;

/** The kinds of description files: Stack PTX, PTX Inject, AST PTX. */
export type DescriptionKind = "ast" | "inject" | "stack";

/** The schemas of one kind of file. */
interface FileSchemas<Complete extends z.ZodType, Extending extends z.ZodType> {
  /** A file that stands alone. */
  readonly complete: () => Complete;
  /** A file with `extends`, which may leave out what its bases have. */
  readonly extending: () => Extending;
}

/** Builds at the first call, and gives the same from then on. */
function once<T>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

const name = once(() =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/, "a name of visible ASCII without blanks")
    .describe("What the entry is called: unique, visible ASCII without blanks"),
);

/** The keys that instructions and special registers share. */
const printed = once(() => ({
  name: name().describe("What the entry is called; without it `display`, else `ptx`").optional(),
  display: z.string().min(1).describe("What people read in place of `ptx`").optional(),
  requires: z
    .strictObject({
      target: z
        .string()
        .regex(/^sm_[0-9]+[af]?$/, "a target such as `sm_90`")
        .describe("The least `.target`, such as `sm_90`")
        .optional(),
      ptx: z
        .string()
        .regex(/^[0-9]+\.[0-9]+$/, "a PTX ISA version such as `7.8`")
        .describe("The least PTX ISA version, such as `7.8`")
        .optional(),
    })
    .describe("What the instruction needs at least")
    .optional(),
}));

const mnemonic = once(() =>
  z
    .string()
    .regex(/^[a-z][A-Za-z0-9_.:]*$/, "a PTX mnemonic such as `add.ftz.f32`")
    .describe("The PTX mnemonic with its modifiers, as printed, such as `add.ftz.f32`"),
);

const list = <Entry extends z.ZodType>(entry: Entry, description: string) =>
  z.array(entry).max(MAX_ENTRIES).describe(description);

/** The keys of every file but `extends`. */
const head = () => ({
  $schema: z.string().describe("The JSON Schema that editors check this file with").optional(),
  abi_version: z.literal(ABI_VERSIONS).describe("The version of the format"),
});

const bases = () => {
  const specifier = z.string().min(1);
  return z
    .union([specifier, z.array(specifier).min(1)])
    .describe(
      "Descriptions whose entries come before those of this file: relative paths, or files of packages such as `@scope/package/stack.json`",
    );
};

function fileSchemas<Lists extends z.ZodRawShape>(description: string, lists: () => Lists) {
  const builtLists = once(lists);
  return {
    complete: once(() => z.strictObject({ ...head(), ...builtLists() }).describe(description)),
    extending: once(() =>
      z
        .strictObject({ ...head(), extends: bases(), ...z.object(builtLists()).partial().shape })
        .describe(`${description} that extends others`),
    ),
  };
}

const stack = fileSchemas("A Stack PTX description", () => {
  const stackType = z.strictObject({
    name: name(),
    literal_prefix: z
      .enum(MOV_TYPES)
      .describe("The PTX type of the stack's registers, and of the `mov` that copies one"),
    constant_type: z
      .enum(["f32", "s32", "u32"])
      .describe("The kind of constants that programs may push; without it there are none")
      .optional(),
    encoder_type: z
      .string()
      .describe("Carried along for other tools; `constant_type` is what makes an encoder")
      .optional(),
  });
  const argType = z.strictObject({
    name: name(),
    stack_type: z.string().describe("The stack that its values are on, by name"),
    num_vec_elems: z
      .int()
      .min(0)
      .max(MAX_VECTOR_ELEMENTS)
      .describe("How many values the operand has in braces; 0 for a scalar")
      .optional(),
  });
  const operands = (most: number, description: string) =>
    z.array(z.string()).max(most).describe(`${description}, as names of argument types, at most ${most}`);
  const instruction = z.strictObject({
    ptx: mnemonic(),
    args: operands(MAX_ARGS, "What it takes"),
    rets: operands(MAX_RESULTS, "What it gives"),
    aligned: z
      .boolean()
      .describe("Whether all threads of a warp have to execute it together; false when left out")
      .optional(),
    ...printed(),
  });
  const specialRegister = z.strictObject({
    ptx: z
      .string()
      .regex(/^[a-z][A-Za-z0-9_.]*$/, "a special register without `%`, such as `tid.x`")
      .describe("The special register without `%`, such as `tid.x`"),
    arg_type: z
      .string()
      .describe(
        `Its argument type by name; a vector of at most ${MAX_SPECIAL_ELEMENTS} elements reads \`.x\` to \`.w\``,
      ),
    ...printed(),
  });
  return {
    stack_types: list(stackType, "The stacks, in the order of their indices").min(1),
    arg_types: list(argType, "What operands may be: a scalar or a vector of a stack"),
    instructions: list(instruction, "The PTX instructions, in the order of their indices"),
    special_registers: list(
      specialRegister,
      "The special registers, in the order of their indices",
    ).optional(),
  };
});

const inject = fileSchemas("A PTX Inject description", () => {
  const dataType = z.strictObject({
    name: name().describe("The word in annotations and markers, such as `F32`"),
    register_type: z
      .enum(REGISTER_TYPES)
      .describe("The PTX type that the operand's register is declared with"),
    mov_postfix: z
      .enum(MOV_TYPES)
      .describe("The type of the `mov` that copies the operand into the register and back"),
    register_char: z
      .string()
      .regex(/^[ -~]$/, "one character")
      .describe("The constraint in inline assembly: h, r, l, f, d or q"),
    register_cast_str: z
      .string()
      .describe("C text before the operand that reinterprets its bits, such as `*(unsigned short*)&`"),
  });
  return { data_type_infos: list(dataType, "The types that operands of a site may have") };
});

const ast = fileSchemas("An AST PTX description", () => {
  const instruction = z.strictObject({
    ptx: mnemonic(),
    args: z.int().min(0).max(MAX_ARGS).describe("How many values it takes"),
    ...printed(),
  });
  return { instructions: list(instruction, "The PTX instructions, in the order of their indices") };
});

/** The schemas of each kind. */
export const DESCRIPTION_SCHEMAS = { ast, inject, stack } satisfies Record<
  DescriptionKind,
  FileSchemas<z.ZodType, z.ZodType>
>;

/** What a file of each kind says: every list optional, because a base may have it. */
export type StackDescription = z.infer<ReturnType<typeof stack.extending>>;
export type InjectDescription = z.infer<ReturnType<typeof inject.extending>>;
export type AstDescription = z.infer<ReturnType<typeof ast.extending>>;
