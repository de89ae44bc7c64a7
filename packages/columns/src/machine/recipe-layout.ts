// The layout of recipes, which `composed` runs. The file is both TypeScript and AssemblyScript.

/** The fields of a recipe. */
export const enum RecipeField {
  /** The address of scratch memory. */
  scratch = 0,
  /** The number of steps, that of constants (`constantShift`), and one bit for each of the first registers with 8 bytes a row. */
  shape = 4,
  constantShift = 8,
  wideShift = 16,
  /** Constants, 8 bytes each, then steps. */
  constants = 8,
  constantBytes = 8,
  stepBytes = 16,
  kernel = 0,
  least = 4,
  extra = 8,
  /** The registers of the target and of four operands. */
  registers = 12,
  registerBits = 5,
  registerMask = 31,
  /**
   * The operands of the operation are the first registers; then come its result, constants, and intermediate values.
   */
  result = 4,
  firstScratch = 5,
  registerCount = 32,
  /** In scratch memory: the addresses of registers, and columns. */
  places = 64,
  columns = 256,
  /** The rows of a part, and the bytes of a scratch column. */
  rows = 128,
  columnShift = 10,
}
