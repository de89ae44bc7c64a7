// Where PTX text ends. C programs pass it with the NUL that ends a C string: NVRTC counts it in the size of the PTX, and
// files that such programs write contain it.

/** PTX without the NULs that end it. The result is the same value if there is none; bytes are not copied. */
export function withoutFinalNul<T extends string | Uint8Array>(ptx: T): T;
export function withoutFinalNul(ptx: string | Uint8Array): string | Uint8Array {
  const isNul =
    typeof ptx === "string"
      ? (at: number): boolean => ptx.charCodeAt(at) === 0
      : (at: number): boolean => ptx[at] === 0;
  let end = ptx.length;
  while (end > 0 && isNul(end - 1)) end--;
  if (end === ptx.length) return ptx;
  return typeof ptx === "string" ? ptx.slice(0, end) : ptx.subarray(0, end);
}
