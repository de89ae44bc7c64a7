// What models learn of labels.

/** What a model learns: the label itself, or whether it is among the highest tenth of the labels. */
export type LabelKind = "best tenth" | "value";

export const LABEL_KINDS: readonly LabelKind[] = ["value", "best tenth"];

/** The number of rows in the best tenth of `count`: at least one. */
export const tenthOf = (count: number): number => Math.max(1, Math.round(count / 10));
