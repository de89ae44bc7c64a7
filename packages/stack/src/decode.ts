// Converts instructions to objects with named fields and back. The machine does not use this code.
import { describeValue } from "@mm-ptx/types/internal";
import { integer, invalid } from "./arguments.js";
import { type Instruction, isInstruction, metaPayload } from "./encode.js";
import { InstructionType, META_OPERATION_NAMES, type MetaOperationName, Packed, packHead } from "./layout.js";

/** The fields of an instruction; `type` is the name of its encoder. Indices may be out of a table's range. */
export type DecodedInstruction =
  | { readonly type: "ptx"; readonly index: number }
  | { readonly type: "constant"; readonly stack: number; readonly bits: number }
  | { readonly type: "input"; readonly index: number }
  | { readonly type: "special"; readonly index: number }
  | { readonly type: "meta"; readonly stack: number; readonly operation: MetaOperationName }
  | { readonly type: "metaConstant"; readonly value: number }
  | { readonly type: "routine"; readonly index: number }
  | { readonly type: "return" }
  | { readonly type: "store"; readonly stack: number; readonly slot: number }
  | { readonly type: "load"; readonly slot: number }
  /** Not an instruction: its type or its meta operation does not exist. */
  | { readonly type: "invalid"; readonly head: number; readonly payload: number };

/** How an instruction's fields are stored in its two words. */
interface Form {
  readonly name: Exclude<DecodedInstruction["type"], "invalid">;
  readonly code: number;
  /** The field that `aux` holds; absent when `aux` is ignored. */
  readonly aux?: string;
  /** The field that the payload holds; absent when the payload is ignored. */
  readonly payload?: string;
}

const FORMS: readonly Form[] = [
  { name: "ptx", code: InstructionType.ptx, payload: "index" },
  { name: "constant", code: InstructionType.constant, aux: "stack", payload: "bits" },
  { name: "input", code: InstructionType.input, payload: "index" },
  { name: "special", code: InstructionType.special, payload: "index" },
  { name: "meta", code: InstructionType.meta, aux: "stack", payload: "operation" },
  { name: "metaConstant", code: InstructionType.metaConstant, payload: "value" },
  { name: "routine", code: InstructionType.routine, payload: "index" },
  { name: "return", code: InstructionType.return },
  { name: "store", code: InstructionType.store, aux: "stack", payload: "slot" },
  { name: "load", code: InstructionType.load, payload: "slot" },
];
const BY_CODE = new Map(FORMS.map((form) => [form.code, form]));
const BY_NAME = new Map<string, Form>(FORMS.map((form) => [form.name, form]));

/**
 * Decodes the two words of an instruction. Bits that the machine ignores are not part of the result; encoding it again
 * sets them to 0. `decodeInstruction(encodeInstruction(x))` equals x.
 * @throws StackPtxError INVALID_ARGUMENT when it is not two words
 */
export function decodeInstruction(instruction: Instruction): DecodedInstruction {
  if (!isInstruction(instruction)) throw invalid("an encoded instruction", instruction);
  const { head, payload } = instruction;
  const form = BY_CODE.get(head & Packed.typeMask);
  const isMeta = form?.code === InstructionType.meta;
  if (form === undefined || (isMeta && payload >= META_OPERATION_NAMES.length)) {
    return { type: "invalid", head, payload };
  }
  const fields: Record<string, unknown> = { type: form.name };
  if (form.aux !== undefined) fields[form.aux] = head >>> Packed.auxShift;
  if (form.payload !== undefined) fields[form.payload] = isMeta ? META_OPERATION_NAMES[payload] : payload;
  return fields as unknown as DecodedInstruction;
}

/**
 * Encodes a decoded instruction. Those of type `invalid` get their original words back.
 * @throws StackPtxError INVALID_ARGUMENT when a field is missing or does not fit its bits
 */
export function encodeInstruction(decoded: DecodedInstruction): Instruction {
  const fields = decoded as unknown as Readonly<Record<string, unknown>> | null | undefined;
  if (fields?.type === "invalid") {
    return { head: field(fields, "head", 0xffffffff), payload: field(fields, "payload", 0xffffffff) };
  }
  const form = BY_NAME.get(fields?.type as string);
  if (fields === null || fields === undefined || form === undefined) {
    throw invalid("the type of an instruction", fields?.type ?? decoded);
  }
  const aux = form.aux === undefined ? 0 : field(fields, form.aux, Packed.auxMax);
  const head = packHead(form.code, aux);
  if (form.payload === undefined) return { head, payload: 0 };
  if (form.payload === "operation") return { head, payload: metaPayload(fields.operation) };
  return { head, payload: field(fields, form.payload, 0xffffffff) };
}

function field(fields: Readonly<Record<string, unknown>>, name: string, most: number): number {
  return integer(`\`${name}\` of ${describeValue(fields.type)}`, fields[name] as number, most);
}
