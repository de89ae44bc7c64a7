// What traps a thread beside `trap`, in words: both engines tell it alike.

export const BEYOND_TARGETS = "an index beyond the targets of the branch";

/** Of a call by address. */
export const NO_FUNCTION = "an address that is none of a function with such parameters";
