// The shapes of the description files as zod schemas, with the wording that editors and error messages show. References
// between entries are checked elsewhere. Schemas are built at their first use, because building them takes longer than
// loading the rest of this package, and most importers never need them.
import * as z from "zod/mini";
import { MOV_TYPES, REGISTER_TYPES } from "./core/register-type.js";

/** The most entries of each kind, because an index has 16 bits. */
export const MAX_ENTRIES = 65535;
/** The most elements of a vector operand. */
export const MAX_VECTOR_ELEMENTS = 65535;
/** The most elements of a special register: x, y, z, w. */
export const MAX_SPECIAL_ELEMENTS = 4;
/** The most arguments of an instruction. */
export const MAX_ARGS = 4;
/** The most results of an instruction. */
export const MAX_RESULTS = 2;
/** The versions of the formats that this package reads. */
export const ABI_VERSIONS = [1] as const;

/** The kinds of description files: Stack PTX, PTX Inject, AST PTX. */
export type DescriptionKind = "ast" | "inject" | "stack";

/** The schemas of one kind of file. */
interface FileSchemas<Complete extends z.ZodMiniType, Extending extends z.ZodMiniType> {
  /** A file without `extends`. */
  readonly complete: () => Complete;
  /** A file with `extends`, which may omit what its bases define. */
  readonly extending: () => Extending;
}

/** Builds a value at the first call and returns the same one from then on. */
function once<T>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/** A schema with a description for editors. */
function described<Schema extends z.ZodMiniType>(description: string, schema: Schema): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

const text = (description: string) => described(description, z.string());

/** A string with a given form, which messages call `expected`. */
const formed = (description: string, form: RegExp, expected: string) =>
  described(description, z.string().check(z.regex(form, expected)));

/** The words for `true` and `false` that the description files of mm-ptx 1.1 may have as text. */
const FLAG_TEXT = /^\s*([Tt]([Rr][Uu][Ee])?|1|[Yy]([Ee][Ss])?|[Ff]([Aa][Ll][Ss][Ee])?|0|[Nn][Oo]?)\s*$/;
/** What `aligned` has to be, in words. */
const FLAG = "true or false";

const name = (description: string) =>
  formed(description, /^[\x21-\x7e]+$/, "a name of visible ASCII without blanks");

/** The keys that instructions and special registers share. */
const printed = once(() => ({
  name: z.optional(name("The name of the entry; by default its `display`, or else its `ptx`")),
  display: z.optional(
    described("A more readable name to show instead of `ptx`", z.string().check(z.minLength(1))),
  ),
  requires: z.optional(
    described(
      "The minimum that the instruction requires",
      z.strictObject({
        target: z.optional(
          formed("The minimum `.target`, such as `sm_90`", /^sm_[0-9]+[af]?$/, "a target such as `sm_90`"),
        ),
        ptx: z.optional(
          formed(
            "The minimum PTX ISA version, such as `7.8`",
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

/** The keys of all files, except for `extends`. */
const head = () => ({
  $schema: z.optional(text("The JSON Schema that editors check this file with")),
  abi_version: described("The version of the format", z.literal(ABI_VERSIONS)),
});

const bases = () => {
  const specifier = z.string().check(z.minLength(1));
  return described(
    "Descriptions whose entries come before those of this file: relative paths, or files of packages such as `@scope/package/stack.json`",
    z.union([specifier, z.array(specifier).check(z.minLength(1))], "a string or an array of strings"),
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
    name: name("The name of the stack: unique, visible ASCII without blanks"),
    literal_prefix: described(
      "The PTX type of the stack's registers, and of the `mov` that copies one; no request can name a register of a type that `mov` does not take",
      z.enum(REGISTER_TYPES),
    ),
    constant_type: z.optional(
      formed(
        "The type of the constants that programs may push (f32, s32, u32); by default the stack has no constants",
        /^\s*[FfSsUu]32\s*$/,
        "one of f32, s32, u32",
      ),
    ),
    encoder_type: z.optional(text("Kept for other tools; it is `constant_type` that determines the encoder")),
  });
  const argType = z.strictObject({
    name: name("The name of the argument type: unique, visible ASCII without blanks"),
    stack_type: text("The name of the stack that holds its values"),
    num_vec_elems: z.optional(
      described(
        "The number of values that the operand has in braces; 0 for a scalar",
        z.int().check(z.gte(0), z.lte(MAX_VECTOR_ELEMENTS)),
      ),
    ),
  });
  const operands = (most: number, description: string) =>
    described(
      `${description}, as at most ${most} names of argument types`,
      z.array(z.string()).check(z.maxLength(most)),
    );
  const instruction = z.strictObject({
    ptx: mnemonic(),
    args: operands(MAX_ARGS, "The arguments of the instruction"),
    rets: operands(MAX_RESULTS, "The results of the instruction"),
    aligned: z.optional(
      described(
        "Whether all threads of a warp have to execute it together; false by default",
        z.union([z.boolean(), z.string().check(z.regex(FLAG_TEXT, FLAG))], FLAG),
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
      `The name of its argument type; a vector of at most ${MAX_SPECIAL_ELEMENTS} elements reads \`.x\` to \`.w\``,
    ),
    ...printed(),
  });
  return {
    stack_types: list("The stacks, in the order of their indices", stackType, z.minLength(1)),
    arg_types: list("The possible types of operands: scalars and vectors of a stack", argType),
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
      "C text that is written before the operand to reinterpret its bits, such as `*(unsigned short*)&`",
    ),
  });
  return { data_type_infos: list("The types that operands of a site may have", dataType) };
});

const ast = fileSchemas("An AST PTX description", () => {
  const instruction = z.strictObject({
    ptx: mnemonic(),
    args: described("The number of its arguments", z.int().check(z.gte(0), z.lte(MAX_ARGS))),
    ...printed(),
  });
  return { instructions: list("The PTX instructions, in the order of their indices", instruction) };
});

/** The schemas of each kind. */
export const DESCRIPTION_SCHEMAS = { ast, inject, stack } satisfies Record<
  DescriptionKind,
  FileSchemas<z.ZodMiniType, z.ZodMiniType>
>;

/** The content of a file of each kind; every list is optional, because a base may define it. */
export type StackDescription = z.infer<ReturnType<typeof stack.extending>>;
export type InjectDescription = z.infer<ReturnType<typeof inject.extending>>;
export type AstDescription = z.infer<ReturnType<typeof ast.extending>>;
