// Generates a Python module for a table: constants, the entries as plain tuples and dicts, and a function for each kind
// of instruction that returns its 8 bytes. The module needs only the standard library. Generation is a pure function of
// its input.
import { checkTable } from "../arguments.js";
import { cIdentifier } from "../internal/identifier.js";
import type { AnyTable } from "../parse.js";
import {
  type Cell,
  type DataTable,
  type Encoder,
  type Encoding,
  encodingOf,
  type Field,
  parametersOf,
} from "./encoding.js";
import { identifiersOf, NOTICE } from "./names.js";

/** The format characters of `struct` for parameters that need conversion. */
const FORMATS: Readonly<Record<string, string>> = { f32: "<f", s32: "<i" };

/**
 * Generates a module. For each list of the table it contains numbered constants (`STACK_F32`, `PTX_add_f32`, …) and the
 * entries (`INSTRUCTIONS[0]["ptx"]`), and also a function for each kind of instruction (`input(0)`, `constant_F32(1)`,
 * `ptx(PTX_add_f32)`), whose 8 bytes you join to make a program, and `FINGERPRINT`.
 * @throws DescriptionError REFERENCE when two names become the same identifier; INVALID_ARGUMENT unless it is a table
 */
export function generatePython(table: AnyTable): string {
  checkTable(table);
  const encoding = encodingOf(table);
  const constants = encoding.enumerations.map(({ name, doc, path, entries }) => {
    const identifiers = identifiersOf(path, entries, cIdentifier);
    const lines = identifiers.map((one, index) => `${name.toUpperCase()}_${one} = ${index}`);
    return `# ${doc}\n${lines.join("\n")}`;
  });
  const blocks = [
    `# ${NOTICE}`,
    ...(encoding.encoders.length === 0 ? [] : ["import struct"]),
    `FINGERPRINT = ${stringLiteral(table.fingerprint)}`,
    ...constants,
    ...encoding.tables.map(dataTable),
  ];
  return `${[blocks.join("\n\n"), ...encoderBlocks(encoding)].join("\n\n\n")}\n`;
}

function dataTable({ name, columns, rows }: DataTable): string {
  const lines = rows.map((row) => {
    const items = row.map((cell, at) => `"${columns[at]!.name}": ${literal(cell)}`);
    return `    {${items.join(", ")}},`;
  });
  return `${name.toUpperCase()}S = (\n${lines.join("\n")}\n)`;
}

function literal(cell: Cell): string {
  if (cell === undefined) return "None";
  if (typeof cell === "string") return stringLiteral(cell);
  return typeof cell === "number" ? `${cell}` : `(${cell.map((one) => `${one},`).join(" ")})`;
}

function encoderBlocks({ encoders, enumerations }: Encoding): string[] {
  if (encoders.length === 0) return [];
  const counts = new Map(enumerations.map(({ name, entries }) => [name, entries.length]));
  return [HELPERS, ...encoders.map((encoder) => encoderFunction(encoder, counts))];
}

const HELPERS = `_encode = struct.Struct("<HHI").pack


def _bits(layout, value):
    return struct.unpack("<I", struct.pack(layout, value))[0]


def _entry(index, count):
    if not 0 <= index < count:
        raise ValueError(f"expected an index from 0 to {count - 1}, found {index!r}")
    return index`;

function encoderFunction(encoder: Encoder, counts: ReadonlyMap<string, number>): string {
  const parameters = parametersOf(encoder).map((parameter) => parameter.name);
  const payload = fieldText(encoder.payload, encoder, counts);
  const aux = fieldText(encoder.aux, encoder, counts);
  return [
    `def ${cIdentifier(encoder.name)}(${parameters.join(", ")}):`,
    `    """${encoder.doc}"""`,
    `    return _encode(${encoder.type}, ${aux}, ${payload})`,
  ].join("\n");
}

function fieldText(field: Field, encoder: Encoder, counts: ReadonlyMap<string, number>): string {
  if (typeof field === "number") return `${field}`;
  if (field === "arity") {
    const instruction = fieldText(encoder.payload, encoder, counts);
    return `INSTRUCTIONS[${instruction}]["num_args"]`;
  }
  if (field.type === "enumeration") return `_entry(${field.name}, ${counts.get(field.of)})`;
  const layout = FORMATS[field.type];
  return layout === undefined ? field.name : `_bits("${layout}", ${field.name})`;
}

/** A JSON string is also a Python string literal with the same value. */
function stringLiteral(text: string): string {
  return JSON.stringify(text);
}
