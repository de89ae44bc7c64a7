// Matchers compare long arrays of numbers at once: Vitest takes microseconds for each number of a typed array.

import { expect } from "vitest";

/** Shorter arrays are left to Vitest. */
const LONG = 32;

/** `true` if two arrays certainly are equal, otherwise `undefined`: then Vitest compares them, and says what differs. */
function equalAtOnce(a: unknown, b: unknown): true | undefined {
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) {
    return a.constructor === b.constructor && bytesOf(a).equals(bytesOf(b)) ? true : undefined;
  }
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length || a.length < LONG) return undefined;
  for (let i = 0; i < a.length; i++) {
    if (typeof a[i] !== "number" || !Object.is(a[i], b[i])) return undefined;
  }
  return true;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Testers stay for all files that share a process. */
const ADDED = Symbol.for("mm-ptx.tests.equality");

if (!Reflect.has(globalThis, ADDED)) {
  Reflect.set(globalThis, ADDED, true);
  expect.addEqualityTesters([equalAtOnce]);
}
