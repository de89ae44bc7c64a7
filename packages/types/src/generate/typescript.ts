// Generates the TypeScript module of a Stack PTX table: the table itself and an encoder for everything it has. A pure
// function of its input, so that regenerating gives the same bytes.
import type { ConstantType, StackTable } from "../core/table.js";
import { DescriptionError, type DescriptionProblem } from "../error.js";
import { camelCase, encoderName } from "../identifier.js";

export interface GenerateTypeScriptOptions {
  /** The module that the encoders are imported from; default `@mm-ptx/stack`. */
  readonly encoders?: string;
}

const CONSTANT_ENCODERS: Record<ConstantType, string> = {
  f32: "constantF32",
  s32: "constantS32",
  u32: "constantBits",
};

/**
 * A module that exports `table`, `stacks`, `ptx`, `special`, `input` and one constant encoder for each stack whose
 * type takes constants.
 * @throws DescriptionError REFERENCE when two names become one identifier
 */
export function generateTypeScript(table: StackTable, options: GenerateTypeScriptOptions = {}): string {
  const problems: DescriptionProblem[] = [];
  const instructions = identifiers(
    table.instructions.map(({ name }) => name),
    "instructions",
    problems,
  );
  const specials = identifiers(
    table.specialRegisters.map(({ name }) => name),
    "special_registers",
    problems,
  );
  const constants = table.stackTypes.flatMap(({ name, constantType }, index) =>
    constantType === undefined
      ? []
      : [{ name: encoderName(name), encoder: CONSTANT_ENCODERS[constantType], index }],
  );
  if (problems.length > 0) throw new DescriptionError("REFERENCE", "the stack description", problems);

  const encoders = [
    ...new Set(constants.map(({ encoder }) => encoder)),
    "type Instruction",
    "input",
    "ptxInstruction",
  ];
  if (specials.length > 0) encoders.push("special as specialRegister");
  return [
    "// Generated from a Stack PTX description: change that and generate again.",
    'import { deepFreeze, type StackTable } from "@mm-ptx/types/core";',
    `import { ${encoders.join(", ")} } from "${options.encoders ?? "@mm-ptx/stack"}";`,
    "",
    "export { input };",
    "",
    "/** The index of each stack. */",
    record(
      "stacks",
      table.stackTypes.map(({ name }, index) => `${JSON.stringify(name)}: ${index}`),
    ),
    "",
    "/** Every PTX instruction. */",
    record(
      "ptx",
      instructions.map((name, index) => `${name}: ptxInstruction(${index})`),
    ),
    "",
    "/** Every special register. */",
    record(
      "special",
      specials.map((name, index) => `${name}: specialRegister(${index})`),
    ),
    "",
    ...constants.flatMap(({ name, encoder, index }) => [
      `/** Pushes a constant on stack ${table.stackTypes[index]!.name}. */`,
      `export const ${name} = (value: number): Instruction => ${encoder}(${index}, value);`,
      "",
    ]),
    "/** What the compiler reads. */",
    "export const table: StackTable = deepFreeze({",
    '  kind: "stack",',
    list("stackTypes", table.stackTypes),
    list("argTypes", table.argTypes),
    list("instructions", table.instructions),
    list("specialRegisters", table.specialRegisters),
    `  fingerprint: ${JSON.stringify(table.fingerprint)},`,
    list("bases", table.bases),
    "});",
    "",
  ].join("\n");
}

function record(name: string, entries: readonly string[]): string {
  return `export const ${name} = Object.freeze({\n${entries.map((entry) => `  ${entry},\n`).join("")}} as const);`;
}

function list(name: string, entries: readonly unknown[]): string {
  return `  ${name}: [\n${entries.map((entry) => `    ${JSON.stringify(entry)},\n`).join("")}  ],`;
}

function identifiers(names: readonly string[], path: string, problems: DescriptionProblem[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name, at) => {
    const identifier = camelCase(name);
    const first = seen.get(identifier);
    if (first !== undefined) {
      problems.push({
        path: `${path}[${at}]`,
        message: `expected names that give different identifiers, found \`${identifier}\` for \`${name}\` and for ${path}[${first}]`,
      });
    }
    seen.set(identifier, at);
    return identifier;
  });
}
