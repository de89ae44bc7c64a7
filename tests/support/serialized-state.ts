// Writes state as the serializer of mm-ptx 1.1.1 for C does on a 64-bit little-endian machine.
import type { StackCompileJob, StackLimits, StackProgram } from "../../packages/stack/src/index.js";
import type { StackTable } from "../../packages/types/src/index.js";

const size = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const u16 = (...values: number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer);
const text = (value: string): Buffer => Buffer.from(`${value}\0`);
const list = <Item>(items: readonly Item[], ...parts: ((item: Item) => Buffer)[]): Buffer =>
  Buffer.concat([size(items.length), ...parts.map((part) => Buffer.concat(items.map(part)))]);

/** The blob of each part. */
export const serialized = {
  compiler_info: (limits: StackLimits): Buffer =>
    Buffer.concat(
      [limits.maxAstSize, limits.maxVisitDepth, limits.stackSize, limits.maxFrameDepth, limits.storeSize].map(
        size,
      ),
    ),

  extra: (major: number, minor: number, executionLimit: number): Buffer =>
    Buffer.concat([Buffer.from(Uint32Array.of(major, minor).buffer), size(executionLimit)]),

  instructions: (programs: readonly StackProgram[]): Buffer =>
    list(programs, ({ bytes, endsWithReturn }) =>
      Buffer.concat([bytes, endsWithReturn ? Buffer.alloc(0) : Buffer.from([10, 0, 0, 0, 0, 0, 0, 0])]),
    ),

  ptx: text,

  registers: ({ registers }: StackCompileJob): Buffer =>
    list(
      registers,
      ({ stackIndex }) => u16(stackIndex),
      ({ name }) => text(name),
    ),

  requests: (lists: readonly (readonly number[])[]): Buffer =>
    list(
      lists,
      ({ length }) => size(length),
      (requests) => Buffer.concat(requests.map(size)),
    ),

  stack_info: (table: StackTable): Buffer =>
    Buffer.concat([
      list(
        table.instructions,
        ({ ptx }) => text(ptx),
        (instruction) => descriptor(table, instruction),
      ),
      list(
        table.specialRegisters,
        ({ ptx }) => text(ptx),
        ({ argType }) => u16(argType),
      ),
      list(table.stackTypes, ({ literalPrefix }) => text(literalPrefix)),
      list(table.argTypes, ({ stackIndex, vectorElements }) => u16(stackIndex, vectorElements)),
    ]),
};

function descriptor(
  table: StackTable,
  { args, results, aligned }: StackTable["instructions"][number],
): Buffer {
  const none = table.argTypes.length;
  const padded = (types: readonly number[], count: number) =>
    Array.from({ length: count }, (_, index) => types[index] ?? none);
  const needs = new Map<number, number>();
  for (const type of args) {
    const { stackIndex, vectorElements } = table.argTypes[type]!;
    needs.set(stackIndex, (needs.get(stackIndex) ?? 0) + Math.max(1, vectorElements));
  }
  const stacks = [...needs].flat();
  return Buffer.concat([
    u16(...padded(args, 4), ...padded(results, 2), needs.size),
    Buffer.of(aligned ? 1 : 0),
    u16(...Array.from({ length: 8 }, (_, index) => stacks[index] ?? 0)),
  ]);
}
