// Places in texts and bytes that property tests damage.
import fc from "fast-check";

/**
 * A place as a fraction of the whole, from 0 to below 1, uniform: `fc.double` is nearly always close to 0.
 */
export const anywhere = fc.noBias(fc.nat(2 ** 30 - 1)).map((place) => place / 2 ** 30);
