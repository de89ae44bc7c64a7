// Checks the shape of serialized values, which may come from JSON instead of a blob.
import {
  type Check,
  type Checks,
  isBoolean,
  isList,
  isRecord,
  isText,
  unexpected,
} from "@mm-ptx/types/internal";

const isSize: Check = (value, name) =>
  (typeof value === "bigint" && value >= 0n) || (Number.isSafeInteger(value) && (value as number) >= 0)
    ? undefined
    : unexpected(name, "a size: an integer of at least 0, or a BigInt", value);

const isWord: Check = (value, name) =>
  typeof value === "string" && /^[0-9a-f]{16}$/i.test(value)
    ? undefined
    : unexpected(name, "an instruction as 16 hex digits", value);

/** The check of each part of serialized state. */
export const PART_CHECKS: Checks = {
  annotated_ptx: isText,
  ptx: isText,
  compiler_info: isRecord({
    max_ast_size: isSize,
    max_ast_to_visit_stack_depth: isSize,
    stack_size: isSize,
    max_frame_depth: isSize,
    store_size: isSize,
  }),
  stack_info: isRecord({
    instructions: isList(
      isRecord(
        { ptx: isText },
        {
          arg_types: isList(isSize),
          ret_types: isList(isSize),
          num_unique_stacks: isSize,
          is_aligned: isBoolean,
          unique_stacks: isList(isList(isSize)),
        },
      ),
    ),
    special_registers: isList(isRecord({ ptx: isText }, { arg_type: isSize })),
    literal_prefixes: isList(isText),
    arg_types: isList(isRecord({ stack: isSize, num_vec_elems: isSize })),
  }),
  extra: isRecord({
    device_capability_major: isSize,
    device_capability_minor: isSize,
    execution_limit: isSize,
  }),
  registers: isList(isRecord({ name: isText, stack: isSize })),
  requests: isList(isList(isSize)),
  instructions: isList(isList(isWord)),
};
