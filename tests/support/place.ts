// Places in texts and bytes that properties damage.
import fc from "fast-check";

/** A place as a part of the whole, from 0 to below 1, all alike: `fc.double` nearly always gives the very beginning. */
export const anywhere = fc.noBias(fc.nat(2 ** 30 - 1)).map((place) => place / 2 ** 30);
