// Properties that are computed when they are first asked for. They are the object's own and enumerable, so that whoever
// looks at it, prints, clones or posts it finds them like any other.

/** Gives an object such a property; nobody can assign to it. */
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
