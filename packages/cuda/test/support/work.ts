// Counts the work of a function without a clock: what it reads, walks and builds with the functions of the language.

/** Adds the cost of a call to the count. */
type Cost = (self: never, args: readonly never[], result: never) => number;

const one: Cost = () => 1;
const itsLength: Cost = (self: { readonly length: number }) => self.length;
const searched: Cost = (self: { readonly length: number }, args, result: number) => {
  const from = (args[1] as number | undefined) ?? 0;
  return (result === -1 ? self.length : result) - from;
};

const COSTS: readonly (readonly [prototype: object, costs: Readonly<Record<string | symbol, Cost>>])[] = [
  [DataView.prototype, { getUint8: one, getUint16: one, getUint32: one }],
  [Object.getPrototypeOf(Uint8Array.prototype), { indexOf: searched }],
  [Buffer.prototype, { latin1Slice: itsLength }],
  [String.prototype, { indexOf: searched, replaceAll: itsLength }],
  [Map.prototype, { set: one, get: one }],
  [
    Array.prototype,
    {
      push: one,
      find: itsLength,
      filter: itsLength,
      some: itsLength,
      map: itsLength,
      flatMap: itsLength,
      sort: itsLength,
      slice: itsLength,
      [Symbol.iterator]: itsLength,
    },
  ],
];

/** The work of `run`, and the size of its result as plain data in which only arrays are shared. */
export function workOf(run: () => unknown): number {
  let work = 0;
  const undo: (() => void)[] = [];
  for (const [prototype, costs] of COSTS) {
    for (const name of Reflect.ownKeys(costs)) {
      const before = Object.getOwnPropertyDescriptor(prototype, name)!;
      const original = before.value as (...args: unknown[]) => unknown;
      const cost = costs[name as string]!;
      const value = function (this: never, ...args: never[]): unknown {
        const result = original.apply(this, args);
        work += Math.max(0, cost(this, args, result as never));
        return result;
      };
      Object.defineProperty(prototype, name, { ...before, value });
      undo.push(() => Object.defineProperty(prototype, name, before));
    }
  }
  let result: unknown;
  try {
    result = run();
  } finally {
    for (const each of undo) each();
  }
  return work + sizeOf(result);
}

function sizeOf(result: unknown): number {
  const seen = new Set<object>();
  const left = [result];
  let size = 0;
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") size += value.length;
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value) && seen.has(value)) continue;
    seen.add(value);
    size++;
    if (value instanceof Uint8Array) size += value.length;
    else for (const inner of Object.values(value)) left.push(inner);
  }
  return size;
}
