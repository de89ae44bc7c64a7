// Generates a C99 header for a table: enumerations, encoders as inline functions, and the entries. The header needs
// only the standard library and also compiles as C++. Generation is a pure function of its input.
import { checkOptions, checkTable, invalid } from "../arguments.js";
import { describeValue } from "../internal/describe.js";
import { cIdentifier } from "../internal/identifier.js";
import type { AnyTable } from "../parse.js";
import {
  type Cell,
  type Column,
  type DataTable,
  type Encoder,
  type Encoding,
  encodingOf,
  type Field,
  parametersOf,
} from "./encoding.js";
import { identifiersOf, NOTICE } from "./names.js";

/** Options of a C header. */
export interface GenerateCHeaderOptions {
  /** The prefix of every name. The default is `mm_ptx_stack`, `mm_ptx_ast` or `mm_ptx_inject`. */
  readonly prefix?: string;
}

const PARAMETER_TYPES = { f32: "float", s32: "int32_t", u16: "uint16_t", u32: "uint32_t" };

/** How the bits of a parameter are obtained. */
const BITS = { f32: "f32_bits", s32: "s32_bits" };

/**
 * Generates a header. For the prefix `p`, it contains for each list of the table an enumeration (`p_stack_t` of
 * `P_STACK_F32`, …), the entries (`p_instruction_table()[0].ptx`) and their number, and also an inline function for
 * each kind of instruction (`p_input(0)`, `p_constant_F32(1)`, `p_ptx(P_PTX_add_f32)`) and `P_FINGERPRINT`.
 * @throws DescriptionError REFERENCE when two names become the same identifier; INVALID_ARGUMENT when the prefix is not
 * an identifier, or an argument is of the wrong kind
 */
export function generateCHeader(table: AnyTable, options: GenerateCHeaderOptions = {}): string {
  checkTable(table);
  checkOptions(options, { prefix: "string" });
  const { prefix = `mm_ptx_${table.kind}` } = options;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(prefix)) {
    throw invalid("a C identifier as `prefix`", describeValue(prefix));
  }
  const encoding = encodingOf(table);
  const upper = prefix.toUpperCase();
  const blocks = [
    `#include <stdint.h>${encoding.encoders.length === 0 ? "" : "\n#include <string.h>"}`,
    `#define ${upper}_FINGERPRINT ${stringLiteral(table.fingerprint)}`,
    ...encoding.enumerations.map(({ name, doc, path, entries }) => {
      const identifiers = identifiersOf(path, entries, cIdentifier);
      const lines = identifiers.map((one, index) => `  ${upper}_${name.toUpperCase()}_${one} = ${index}`);
      return `/* ${doc} */\ntypedef enum {\n${lines.join(",\n")}\n} ${prefix}_${name}_t;`;
    }),
    ...encoding.tables.map((one) => dataTable(one, prefix)),
    ...encoderBlocks(encoding, prefix),
  ];
  const guard = `${upper}_H`;
  return `/* ${NOTICE} */\n#ifndef ${guard}\n#define ${guard}\n\n${blocks.join("\n\n")}\n\n#endif\n`;
}

/** A list of the table inside a function, which does not cause a warning when it is unused. */
function dataTable({ name, columns, rows }: DataTable, prefix: string): string {
  const type = `${prefix}_${name}_info_t`;
  const entries = rows.map(
    (row) => `    { ${row.map((cell, at) => initializer(cell, columns[at]!)).join(", ")} }`,
  );
  return [
    `enum { ${prefix.toUpperCase()}_NUM_${name.toUpperCase()}S = ${rows.length} };`,
    "",
    "typedef struct {",
    ...columns.flatMap(declarations),
    `} ${type};`,
    "",
    `static inline const ${type} *${prefix}_${name}_table(void) {`,
    `  static const ${type} entries[] = {`,
    entries.join(",\n"),
    "  };",
    "  return entries;",
    "}",
  ].join("\n");
}

function declarations(column: Column): string[] {
  switch (column.type) {
    case "text":
      return [`  const char *${column.name};`];
    case "number":
      return [`  uint16_t ${column.name};`];
    case "list":
      return [`  uint16_t num_${column.name};`, `  uint16_t ${column.name}[${column.most}];`];
  }
}

function initializer(cell: Cell, { type }: Column): string {
  if (type === "list") {
    const numbers = cell as readonly number[];
    return `${numbers.length}, { ${numbers.length === 0 ? "0" : numbers.join(", ")} }`;
  }
  return typeof cell === "string" ? stringLiteral(cell) : `${cell ?? 0}`;
}

function encoderBlocks({ encoders }: Encoding, prefix: string): string[] {
  if (encoders.length === 0) return [];
  const used = new Set<string>(encoders.flatMap(parametersOf).map(({ type }) => type));
  const bits = Object.entries(BITS).filter(([type]) => used.has(type));
  return [
    `/* One instruction; a program is an array of them, little-endian. */
typedef struct {
  uint16_t type;
  uint16_t aux;
  uint32_t payload;
} ${prefix}_instruction_t;`,
    `static inline ${prefix}_instruction_t ${prefix}_encode(uint16_t type, uint16_t aux, uint32_t payload) {
  ${prefix}_instruction_t encoded;
  encoded.type = type;
  encoded.aux = aux;
  encoded.payload = payload;
  return encoded;
}`,
    ...bits.map(([type, name]) =>
      bitsFunction(`${prefix}_${name}`, PARAMETER_TYPES[type as keyof typeof BITS]),
    ),
    ...encoders.map((encoder) => encoderFunction(encoder, prefix)),
  ];
}

function bitsFunction(name: string, type: string): string {
  return `static inline uint32_t ${name}(${type} value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}`;
}

function encoderFunction(encoder: Encoder, prefix: string): string {
  const parameters = parametersOf(encoder).map((parameter) =>
    parameter.type === "enumeration"
      ? `${prefix}_${parameter.of}_t ${parameter.name}`
      : `${PARAMETER_TYPES[parameter.type]} ${parameter.name}`,
  );
  const aux = fieldText(encoder.aux, "uint16_t", encoder, prefix);
  const payload = fieldText(encoder.payload, "uint32_t", encoder, prefix);
  return `/* ${encoder.doc} */
static inline ${prefix}_instruction_t ${prefix}_${cIdentifier(encoder.name)}(${parameters.join(", ") || "void"}) {
  return ${prefix}_encode(${encoder.type}, ${aux}, ${payload});
}`;
}

function fieldText(field: Field, type: string, { payload }: Encoder, prefix: string): string {
  if (typeof field === "number") return `${field}`;
  if (field === "arity")
    return `${prefix}_instruction_table()[${(payload as { name: string }).name}].num_args`;
  if (field.type === "enumeration") return `(${type})${field.name}`;
  return field.type in BITS
    ? `${prefix}_${BITS[field.type as keyof typeof BITS]}(${field.name})`
    : field.name;
}

/**
 * Keeps printable ASCII, except for characters that could end the literal or begin a trigraph; all other bytes of the
 * UTF-8 text are written in octal.
 */
function stringLiteral(text: string): string {
  const characters = Array.from(new TextEncoder().encode(text), (byte) =>
    byte >= 0x20 && byte <= 0x7e && !'"\\?'.includes(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, "0")}`,
  );
  return `"${characters.join("")}"`;
}
