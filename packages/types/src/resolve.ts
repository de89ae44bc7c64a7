// Cross checks of a description: names unique, references to names that exist, constants of their stack's type. The
// result is the frozen table of indices that the compilers read.
import { deepFreeze } from "./core/freeze.js";
import { didYouMean } from "./core/suggest.js";
import type {
  ArgType,
  AstInstruction,
  AstTable,
  InjectTypes,
  Requirement,
  SpecialRegister,
  StackInstruction,
  StackTable,
  StackType,
} from "./core/table.js";
import {
  type AstDescription,
  type InjectDescription,
  MAX_SPECIAL_ELEMENTS,
  type StackDescription,
} from "./description.js";
import { DescriptionError, type DescriptionProblem } from "./error.js";
import { fingerprintOf } from "./fingerprint.js";

/** The register types that take each kind of immediate in an instruction. */
const CONSTANT_PREFIXES: Record<string, readonly string[]> = {
  f32: ["f32"],
  s32: ["s32", "b32"],
  u32: ["u32", "b32"],
};

/** @throws DescriptionError REFERENCE with all problems */
export function resolveStackTable(file: StackDescription, what: string): StackTable {
  const problems: DescriptionProblem[] = [];
  const stackNames = index(
    file.stack_types.map(({ name }) => name),
    "stack_types",
    "name",
    problems,
  );
  const argNames = index(
    file.arg_types.map(({ name }) => name),
    "arg_types",
    "name",
    problems,
  );

  const stackTypes = file.stack_types.map((type, at): StackType => {
    const { constant_type: constantType, literal_prefix: literalPrefix } = type;
    if (constantType !== undefined && !CONSTANT_PREFIXES[constantType]!.includes(literalPrefix)) {
      problems.push({
        path: `stack_types[${at}].constant_type`,
        message: `expected a constant that a \`${literalPrefix}\` register takes, found \`${constantType}\``,
      });
    }
    return {
      name: type.name,
      literalPrefix,
      ...(constantType === undefined ? {} : { constantType }),
      ...(type.encoder_type === undefined ? {} : { encoderType: type.encoder_type }),
    };
  });

  const argTypes = file.arg_types.map(
    (type, at): ArgType => ({
      name: type.name,
      stackIndex: find(stackNames, type.stack_type, "a stack type", `arg_types[${at}].stack_type`, problems),
      vectorElements: type.num_vec_elems ?? 0,
    }),
  );

  const operands = (names: readonly string[], path: string): number[] =>
    names.map((name, operand) => find(argNames, name, "an argument type", `${path}[${operand}]`, problems));

  const instructions = file.instructions.map(
    (entry, at): StackInstruction => ({
      ptx: entry.ptx,
      name: entry.name ?? entry.display ?? entry.ptx,
      args: operands(entry.args, `instructions[${at}].args`),
      results: operands(entry.rets, `instructions[${at}].rets`),
      aligned: entry.aligned ?? false,
      ...(entry.display === undefined ? {} : { display: entry.display }),
      ...(entry.requires === undefined ? {} : { requires: entry.requires as Requirement }),
    }),
  );
  index(
    instructions.map(({ name }) => name),
    "instructions",
    "name, else display, else ptx",
    problems,
  );

  const specialRegisters = file.special_registers.map((entry, at): SpecialRegister => {
    const argType = find(
      argNames,
      entry.arg_type,
      "an argument type",
      `special_registers[${at}].arg_type`,
      problems,
    );
    const elements = argTypes[argType]?.vectorElements ?? 0;
    if (elements > MAX_SPECIAL_ELEMENTS) {
      problems.push({
        path: `special_registers[${at}].arg_type`,
        message: `expected at most ${MAX_SPECIAL_ELEMENTS} elements, found ${elements} in \`${entry.arg_type}\``,
      });
    }
    return {
      ptx: entry.ptx,
      name: entry.name ?? entry.display ?? entry.ptx,
      argType,
      ...(entry.display === undefined ? {} : { display: entry.display }),
      ...(entry.requires === undefined ? {} : { requires: entry.requires as Requirement }),
    };
  });
  index(
    specialRegisters.map(({ name }) => name),
    "special_registers",
    "name, else display, else ptx",
    problems,
  );

  if (problems.length > 0) throw new DescriptionError("REFERENCE", what, problems);
  const content = { kind: "stack" as const, stackTypes, argTypes, instructions, specialRegisters };
  return deepFreeze({ ...content, fingerprint: fingerprintOf(content), bases: [] });
}

/** @throws DescriptionError REFERENCE with all problems */
export function resolveInjectTypes(file: InjectDescription, what: string): InjectTypes {
  const problems: DescriptionProblem[] = [];
  const types = file.data_type_infos.map((type) => ({
    name: type.name,
    registerType: type.register_type,
    movPostfix: type.mov_postfix,
    registerChar: type.register_char,
    registerCast: type.register_cast_str,
  }));
  index(
    types.map(({ name }) => name),
    "data_type_infos",
    "name",
    problems,
  );
  if (problems.length > 0) throw new DescriptionError("REFERENCE", what, problems);
  const content = { kind: "inject" as const, types };
  return deepFreeze({ ...content, fingerprint: fingerprintOf(content), bases: [] });
}

/** @throws DescriptionError REFERENCE with all problems */
export function resolveAstTable(file: AstDescription, what: string): AstTable {
  const problems: DescriptionProblem[] = [];
  const instructions = file.instructions.map(
    (entry): AstInstruction => ({
      ptx: entry.ptx,
      name: entry.name ?? entry.display ?? entry.ptx,
      args: entry.args,
      ...(entry.display === undefined ? {} : { display: entry.display }),
      ...(entry.requires === undefined ? {} : { requires: entry.requires as Requirement }),
    }),
  );
  index(
    instructions.map(({ name }) => name),
    "instructions",
    "name, else display, else ptx",
    problems,
  );
  if (problems.length > 0) throw new DescriptionError("REFERENCE", what, problems);
  const content = { kind: "ast" as const, instructions };
  return deepFreeze({ ...content, fingerprint: fingerprintOf(content), bases: [] });
}

/** Names to indices; a second entry of a name is a problem. */
function index(
  names: readonly string[],
  path: string,
  key: string,
  problems: DescriptionProblem[],
): Map<string, number> {
  const indices = new Map<string, number>();
  names.forEach((name, at) => {
    const first = indices.get(name);
    if (first === undefined) indices.set(name, at);
    else {
      problems.push({
        path: `${path}[${at}]`,
        message: `expected a unique name (${key}), found \`${name}\` again, first at ${path}[${first}]`,
      });
    }
  });
  return indices;
}

function find(
  indices: ReadonlyMap<string, number>,
  name: string,
  expected: string,
  path: string,
  problems: DescriptionProblem[],
): number {
  const found = indices.get(name);
  if (found !== undefined) return found;
  problems.push({
    path,
    message: `expected ${expected}, found \`${name}\`${didYouMean(name, indices.keys())}`,
  });
  return 0;
}
