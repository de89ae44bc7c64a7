// Descriptions of traps other than `trap`, shared by both engines.

export const BEYOND_TARGETS = "an index past the targets of the branch";

/** The trap of an indirect call. */
export const NO_FUNCTION = "an address that does not belong to a function with these parameters";
