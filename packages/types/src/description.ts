// The shapes of the description files as zod schemas, with the words that editors and error messages show. References
// between entries are checked elsewhere. Schemas are built at their first use: building them takes longer than loading
// the rest of this package, which most importers would pay in vain.
import * as z from "zod/mini";
import { MOV_TYPES, REGISTER_TYPES } from "./register-type.js";

/** Entries of each kind that an index of 16 bits can name. */
export const MAX_ENTRIES = 65535;
/** Elements of a vector operand. */
export const MAX_VECTOR_ELEMENTS = 65535;
/** Elements of a special register: x, y, z, w. */
export const MAX_SPECIAL_ELEMENTS = 4;
/** Arguments of an instruction. */
export const MAX_ARGS = 4;
/** Results of an instruction. */
export const MAX_RESULTS = 2;
/** The versions of the formats that this package reads. */
export const ABI_VERSIONS = [1] as const;

/** The kinds of description files: Stack PTX, PTX Inject, AST PTX. */
export type DescriptionKind = "ast" | "inject" | "stack";

/** The schemas of one kind of file. */
interface FileSchemas<Complete extends z.ZodMiniType, Extending extends z.ZodMiniType> {
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

/** A schema whose description editors show. */
function described<Schema extends z.ZodMiniType>(description: string, schema: Schema): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

const text = (description: string) => described(description, z.string());

/** Text of a form; `expected` is what messages call it. */
const formed = (description: string, form: RegExp, expected: string) =>
  described(description, z.string().check(z.regex(form, expected)));

const name = (description: string) =>
  formed(description, /^[\x21-\x7e]+$/, "a name of visible ASCII without blanks");

/** The keys that instructions and special registers share. */
const printed = once(() => ({
  name: z.optional(name("What the entry is called; without it `display`, else `ptx`")),
  display: z.optional(described("What people read in place of `ptx`", z.string().check(z.minLength(1)))),
  requires: z.optional(
    described(
      "What the instruction needs at least",
      z.strictObject({
        target: z.optional(
          formed("The least `.target`, such as `sm_90`", /^sm_[0-9]+[af]?$/, "a target such as `sm_90`"),
        ),
        ptx: z.optional(
          formed(
            "The least PTX ISA version, such as `7.8`",
            /^[0-9]+\.[0-9]+$/,
            "a PTX ISA version such as `7.8`",
          ),
        ),
      }),
    ),
  ),
}));

const mnemonic = () =>
  formed(
    "The PTX mnemonic with its modifiers, as printed, such as `add.ftz.f32`",
    /^[a-z][A-Za-z0-9_.:]*$/,
    "a PTX mnemonic such as `add.ftz.f32`",
  );

const list = <Entry extends z.ZodMiniType>(
  description: string,
  entry: Entry,
  ...checks: z.core.$ZodCheck<unknown[]>[]
) => described(description, z.array(entry).check(z.maxLength(MAX_ENTRIES), ...checks));

/** The keys of every file but `extends`. */
const head = () => ({
  $schema: z.optional(text("The JSON Schema that editors check this file with")),
  abi_version: described("The version of the format", z.literal(ABI_VERSIONS)),
});

const bases = () => {
  const specifier = z.string().check(z.minLength(1));
  return described(
    "Descriptions whose entries come before those of this file: relative paths, or files of packages such as `@scope/package/stack.json`",
    z.union([specifier, z.array(specifier).check(z.minLength(1))]),
  );
};

function fileSchemas<Lists extends z.core.$ZodShape>(description: string, lists: () => Lists) {
  const builtLists = once(lists);
  return {
    complete: once(() => described(description, z.strictObject({ ...head(), ...builtLists() }))),
    extending: once(() =>
      described(
        `${description} that extends others`,
        z.strictObject({ ...head(), extends: bases(), ...z.partial(z.object(builtLists())).shape }),
      ),
    ),
  };
}

const stack = fileSchemas("A Stack PTX description", () => {
  const stackType = z.strictObject({
    name: name("What the stack is called: unique, visible ASCII without blanks"),
    literal_prefix: described(
      "The PTX type of the stack's registers, and of the `mov` that copies one",
      z.enum(MOV_TYPES),
    ),
    constant_type: z.optional(
      described(
        "The kind of constants that programs may push; without it there are none",
        z.enum(["f32", "s32", "u32"]),
      ),
    ),
    encoder_type: z.optional(text("Carried along for other tools; `constant_type` is what makes an encoder")),
  });
  const argType = z.strictObject({
    name: name("What the argument type is called: unique, visible ASCII without blanks"),
    stack_type: text("The stack that its values are on, by name"),
    num_vec_elems: z.optional(
      described(
        "How many values the operand has in braces; 0 for a scalar",
        z.int().check(z.gte(0), z.lte(MAX_VECTOR_ELEMENTS)),
      ),
    ),
  });
  const operands = (most: number, description: string) =>
    described(
      `${description}, as names of argument types, at most ${most}`,
      z.array(z.string()).check(z.maxLength(most)),
    );
  const instruction = z.strictObject({
    ptx: mnemonic(),
    args: operands(MAX_ARGS, "What it takes"),
    rets: operands(MAX_RESULTS, "What it gives"),
    aligned: z.optional(
      described(
        "Whether all threads of a warp have to execute it together; false when left out",
        z.boolean(),
      ),
    ),
    ...printed(),
  });
  const specialRegister = z.strictObject({
    ptx: formed(
      "The special register without `%`, such as `tid.x`",
      /^[a-z][A-Za-z0-9_.]*$/,
      "a special register without `%`, such as `tid.x`",
    ),
    arg_type: text(
      `Its argument type by name; a vector of at most ${MAX_SPECIAL_ELEMENTS} elements reads \`.x\` to \`.w\``,
    ),
    ...printed(),
  });
  return {
    stack_types: list("The stacks, in the order of their indices", stackType, z.minLength(1)),
    arg_types: list("What operands may be: a scalar or a vector of a stack", argType),
    instructions: list("The PTX instructions, in the order of their indices", instruction),
    special_registers: z.optional(
      list("The special registers, in the order of their indices", specialRegister),
    ),
  };
});

const inject = fileSchemas("A PTX Inject description", () => {
  const dataType = z.strictObject({
    name: name("The word in annotations and markers, such as `F32`"),
    register_type: described(
      "The PTX type that the operand's register is declared with",
      z.enum(REGISTER_TYPES),
    ),
    mov_postfix: described(
      "The type of the `mov` that copies the operand into the register and back",
      z.enum(MOV_TYPES),
    ),
    register_char: formed(
      "The constraint in inline assembly: h, r, l, f, d or q",
      /^[ -~]$/,
      "one character",
    ),
    register_cast_str: text(
      "C text before the operand that reinterprets its bits, such as `*(unsigned short*)&`",
    ),
  });
  return { data_type_infos: list("The types that operands of a site may have", dataType) };
});

const ast = fileSchemas("An AST PTX description", () => {
  const instruction = z.strictObject({
    ptx: mnemonic(),
    args: described("How many values it takes", z.int().check(z.gte(0), z.lte(MAX_ARGS))),
    ...printed(),
  });
  return { instructions: list("The PTX instructions, in the order of their indices", instruction) };
});

/** The schemas of each kind. */
export const DESCRIPTION_SCHEMAS = { ast, inject, stack } satisfies Record<
  DescriptionKind,
  FileSchemas<z.ZodMiniType, z.ZodMiniType>
>;

/** What a file of each kind says: every list optional, because a base may have it. */
export type StackDescription = z.infer<ReturnType<typeof stack.extending>>;
export type InjectDescription = z.infer<ReturnType<typeof inject.extending>>;
export type AstDescription = z.infer<ReturnType<typeof ast.extending>>;
