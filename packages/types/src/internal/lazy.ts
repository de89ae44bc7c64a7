// Properties that are computed on first use. They are own and enumerable, so that printing, cloning and posting an
// object includes them like any other.

/** Defines such a property on an object; it is read-only. */
export function defineLazy<T extends object, Key extends keyof T>(
  object: T,
  key: Key,
  make: () => T[Key],
): void {
  let made = false;
  let value: T[Key];
  Object.defineProperty(object, key, {
    enumerable: true,
    get() {
      if (!made) {
        value = make();
        made = true;
      }
      return value;
    },
  });
}
