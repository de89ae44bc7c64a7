// The classes of typed arrays by their names, which can be sent to other threads.
import type { TypedArray, TypedArrayClass } from "@mm-ptx/types/device";

export const ELEMENTS: Readonly<Record<string, TypedArrayClass<TypedArray>>> = Object.fromEntries(
  [
    Uint8Array,
    Int8Array,
    Uint16Array,
    Int16Array,
    Uint32Array,
    Int32Array,
    BigUint64Array,
    BigInt64Array,
    Float32Array,
    Float64Array,
  ].map((elements) => [elements.name, elements as unknown as TypedArrayClass<TypedArray>]),
);
