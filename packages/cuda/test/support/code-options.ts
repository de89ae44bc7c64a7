// The options that change machine code, with values to try that are derived from their rows.

import { ARCHITECTURES } from "@mm-ptx/ptx";
import { CODE_OPTIONS, type CodeOption, type CodeValues } from "../../src/ptx/code-options.js";

/** Each option with its row. */
export const ROWS: readonly (readonly [name: string, row: CodeOption])[] = Object.entries(CODE_OPTIONS);

/** All values of an option, or the smallest and the largest of a number. */
export function valuesOf(values: CodeValues): readonly unknown[] {
  switch (values.kind) {
    case "architecture":
      return ARCHITECTURES.map(({ name }) => name);
    case "boolean":
      return [false, true];
    case "number":
      return [values.least, values.most];
    case "word":
      return values.words;
  }
}

/** Every option with every such value except its default. */
export const VARIATIONS: readonly {
  readonly name: string;
  readonly row: CodeOption;
  readonly value: unknown;
}[] = ROWS.flatMap(([name, row]) =>
  valuesOf(row.values)
    .filter((value) => value !== row.default)
    .map((value) => ({ name, row, value })),
);
