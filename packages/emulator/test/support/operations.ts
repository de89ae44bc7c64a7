// Opcodes as operations, as the front end decodes them.
import { matchOpcode } from "../../src/isa/match.js";
import type { Operation } from "../../src/program/operation.js";

/** The operation of an opcode, as an instance of its first row. */
export function operationOf(opcode: string): Operation {
  const [match] = matchOpcode(opcode);
  if (match === undefined) throw new Error(`no row has \`${opcode}\``);
  return match.operation;
}
