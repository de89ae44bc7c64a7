// Checks the state of a link: JSON from a stranger becomes a state, or a sentence that says what is wrong where.
import {
  type Argument,
  CHECKS,
  type Dimensions,
  ELEMENT_TYPES,
  type Fill,
  LANGUAGES,
  MOST_ELEMENTS,
  NUMBER_TYPES,
  PICTURES,
  type PlaygroundState,
  type SiteText,
} from "./state.js";

/** A link whose content is not a state. */
export class StateError extends Error {
  override readonly name = "StateError";
}

type Reader<Value> = (value: unknown, place: string) => Value;

function wrong(place: string, expected: string, found: unknown): StateError {
  const shown = JSON.stringify(found)?.slice(0, 40) ?? "nothing";
  return new StateError(`\`${place}\`: expected ${expected}, found ${shown}`);
}

const text: Reader<string> = (value, place) => {
  if (typeof value !== "string") throw wrong(place, "a text", value);
  return value;
};

const number: Reader<number> = (value, place) => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(place, "a number", value);
  return value;
};

const flag: Reader<boolean> = (value, place) => {
  if (typeof value !== "boolean") throw wrong(place, "true or false", value);
  return value;
};

/** A flag that links of earlier versions lack. */
const laterFlag: Reader<boolean> = (value, place) => value !== undefined && flag(value, place);

const whole =
  (least: number, most: number): Reader<number> =>
  (value, place) => {
    const found = number(value, place);
    if (!Number.isInteger(found) || found < least || found > most) {
      throw wrong(place, `an integer from ${least} to ${most}`, value);
    }
    return found;
  };

const oneOf =
  <Word extends string>(words: readonly Word[]): Reader<Word> =>
  (value, place) => {
    const found = words.find((word) => word === value);
    if (found === undefined) throw wrong(place, `one of ${words.join(", ")}`, value);
    return found;
  };

const list =
  <Item>(item: Reader<Item>, most: number): Reader<readonly Item[]> =>
  (value, place) => {
    if (!Array.isArray(value) || value.length > most)
      throw wrong(place, `a list of at most ${most} entries`, value);
    return value.map((one, i) => item(one, `${place}[${i}]`));
  };

const object: Reader<Readonly<Record<string, unknown>>> = (value, place) => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong(place, "an object", value);
  return value as Readonly<Record<string, unknown>>;
};

/** An object whose properties are read one by one; others are ignored. */
const fields =
  <Value>(readers: { readonly [Name in keyof Value]: Reader<Value[Name]> }): Reader<Value> =>
  (value, place) => {
    const found = object(value, place);
    const read = Object.entries<Reader<unknown>>(readers).map(([name, reader]) => [
      name,
      reader(found[name], `${place}.${name}`),
    ]);
    return Object.fromEntries(read) as Value;
  };

const exactly =
  <Word extends string>(word: Word): Reader<Word> =>
  (value, place) =>
    oneOf([word])(value, place);

const axis = whole(1, 2 ** 31 - 1);

const dimensions: Reader<Dimensions> = (value, place) => {
  const [x, y, z, ...others] = list(axis, 3)(value, place);
  if (x === undefined || y === undefined || z === undefined || others.length > 0)
    throw wrong(place, "three integers", value);
  return [x, y, z];
};

const FILLS: { readonly [From in Fill["from"]]: Reader<Extract<Fill, { from: From }>> } = {
  zeros: fields({ from: exactly("zeros") }),
  range: fields({ from: exactly("range"), first: number, last: number }),
  noise: fields({ from: exactly("noise"), seed: whole(0, 2 ** 32 - 1), low: number, high: number }),
  csv: fields({ from: exactly("csv"), text }),
};

const fill: Reader<Fill> = (value, place) => {
  const kinds = Object.keys(FILLS) as Fill["from"][];
  const from = oneOf(kinds)(object(value, place).from, `${place}.from`);
  return FILLS[from](value, place);
};

const ARGUMENTS: { readonly [Kind in Argument["kind"]]: Reader<Extract<Argument, { kind: Kind }>> } = {
  buffer: fields({
    kind: exactly("buffer"),
    name: text,
    type: oneOf(ELEMENT_TYPES),
    length: whole(1, MOST_ELEMENTS),
    fill,
    shown: flag,
  }),
  number: fields({
    kind: exactly("number"),
    name: text,
    type: oneOf(NUMBER_TYPES),
    value: number,
    least: number,
    most: number,
    step: number,
  }),
  bytes: fields({ kind: exactly("bytes"), name: text, length: whole(0, 4096) }),
};

const argument: Reader<Argument> = (value, place) => {
  const kinds = Object.keys(ARGUMENTS) as Argument["kind"][];
  const kind = oneOf(kinds)(object(value, place).kind, `${place}.kind`);
  return ARGUMENTS[kind](value, place);
};

const siteText: Reader<SiteText> = fields({ language: oneOf(LANGUAGES), text });

const sites: Reader<Readonly<Record<string, SiteText>>> = (value, place) => {
  const entries = Object.entries(object(value, place));
  return Object.fromEntries(entries.map(([name, one]) => [name, siteText(one, `${place}.${name}`)]));
};

const state = fields<PlaygroundState>({
  example: text,
  kernel: (value, place) => (value === undefined ? undefined : text(value, place)),
  sites,
  launch: fields({
    entry: text,
    grid: dimensions,
    block: dimensions,
    sharedBytes: whole(0, 2 ** 20),
    lockstep: laterFlag,
    cooperative: laterFlag,
  }),
  arguments: list(argument, 256),
  checks: list(oneOf(CHECKS), CHECKS.length),
  picture: fields({ kind: oneOf(PICTURES), x: text, width: whole(1, 65_536) }),
  seed: whole(0, 2 ** 32 - 1),
});

/** Checks a state. @throws StateError with the place of what is wrong */
export const readState = (value: unknown): PlaygroundState => state(value, "state");
