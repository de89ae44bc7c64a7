// The memory layout that the planner, the kernels and their callers share: addresses in the memory of a machine. The
// file is both TypeScript and AssemblyScript.

/**
 * A step: a kernel applied to columns. Operands are addresses, which are multiples of 16, plus a `Lane` that says how the
 * address moves from one block of rows to the next.
 */
export const enum Step {
  bytes = 32,
  /** The index of the kernel's function. */
  kernel = 0,
  target = 4,
  a = 8,
  b = 12,
  c = 16,
  d = 20,
  /** f32: results of smaller magnitude become zeros. */
  least = 24,
  /** An additional value for the kernel, such as the number of an external kernel. */
  extra = 28,
}

/** The low bits of an operand's address. A row of an input moves it by 4 bytes times the value. */
export const enum Lane {
  /** A column of the block. */
  block = 0,
  /** An input whose rows have 4 bytes. */
  word = 1,
  /** An input whose rows have 8 bytes. */
  double = 2,
  /** While planning: not an address but the number of a slot times 4. */
  slot = 3,
  mask = 3,
}

/** Classes of values: how a row of them is stored. */
export const enum Class {
  /** 4 bytes; narrower values are extended. */
  word = 0,
  /** 8 bytes. */
  double = 1,
  /** 4 bytes that hold 0 or 1. */
  predicate = 2,
  bits = 2,
  mask = 3,
}

/** The facts that the planner knows about an operation: an entry of a hash table with open addressing. */
export const enum Entry {
  bytes = 16,
  shift = 4,
  /** The operation; 0 for an empty entry. */
  word = 0,
  /** The index of the kernel's function. */
  kernel = 4,
  flags = 8,
  /** `Step.extra`, or with `Flag.variants` the functions for a constant second operand and, above, a constant first one. */
  extra = 12,
  variantShift = 16,
  variantMask = 0xffff,
  /** Fibonacci hashing. */
  multiplier = 0x9e3779b1,
}

/** The flags of an entry. The classes of four operands are the low bits. */
export const enum Flag {
  resultShift = 8,
  arityShift = 10,
  arityMask = 7,
  /** One bit for each operand that is read bit by bit, so that its NaNs must have PTX's encoding. */
  bitwiseShift = 13,
  bitwiseMask = 15,
  /** NaNs of results have any encoding. */
  loose = 0x20000,
  /** The target must not be the place of an operand. */
  apart = 0x40000,
  /** There are functions for constant operands: see `Entry.extra`. */
  variants = 0x80000,
  /** Results are never subnormal f32: they become zeros. */
  clean = 0x100000,
  /** Operands that are subnormal f32 count as zeros; the planner flushes them. */
  flushes = 0x200000,
  /** The high bits say how derivatives are computed: the `Rule` of the operation, once a caller needs it. */
  ruleShift = 24,
}

/** The fields that the planner keeps for a value. */
export const enum ValueField {
  bytes = 16,
  shift = 4,
  /** Its address, as operands have it. */
  place = 0,
  /** The number of the last item that reads it, plus one. */
  lastUse = 4,
  /** Its class, and `Trait`s. */
  traits = 8,
  /** The address of its item's first word. */
  item = 12,
}

export const enum Trait {
  /** Its NaNs may have any encoding. */
  loose = 4,
  /** It has a slot that is free after its last use. */
  temporary = 8,
  constant = 16,
  input = 32,
  /** It may be a subnormal f32. */
  dirty = 64,
  /** A constant that needs a column, because a kernel reads it like other values. */
  column = 128,
}

/** The words that a machine and its caller exchange, at the address `state`. */
export const enum State {
  bytes = 512,
  /** The hash table of operations, and its number of entries minus one. */
  entries = 0,
  entryMask = 4,
  /** Fields of values, and steps. */
  values = 8,
  steps = 12,
  /** Slots, and how many bytes they may take. */
  slots = 16,
  slotBytes = 20,
  /** For each input: its address as operands have it, and a mask of the types that it may have, with `dirtyInput`. */
  inputs = 24,
  inputCount = 28,
  /** The number of rows, and the same rounded up to `Rows.multiple`. */
  rows = 32,
  paddedRows = 36,
  /** The most bytes that the columns of a block should take. */
  cacheBytes = 40,
  /** 1: every value keeps its slot. */
  keep = 44,
  /** Set by the planner: */
  stepEnd = 48,
  slotCount = 52,
  /** Rows of a block. */
  blockRows = 56,
  /** Bytes of a slot's row. */
  laneBytes = 60,
  itemCount = 64,
  outputCount = 68,
  /** The address of the words of the outputs. */
  outputs = 72,
  /** Where a code was rejected: the number of the item, and the word. */
  problemItem = 76,
  problemWord = 80,
  /**
   * Which output losses read, the loss plus 1, and where rows of the target and of weights are (8 bytes a row). No weights: 0.
   */
  lossOutput = 84,
  loss = 88,
  target = 92,
  weights = 96,
  /** Where the outputs of the next code go, one column after the other, and where there is no more room; 0: nowhere. */
  outputRoom = 100,
  outputEnd = 104,
  /** The row with which `run` continues; 0: it begins. */
  nextRow = 108,
  /** The result of a code: see `Result`. */
  results = 112,
  /** Numbers of free slots, while planning. */
  free = 116,
  /** 1: outputs are read bit by bit, so that their NaNs have to be those of PTX. */
  bitwiseOutputs = 120,
  /** One bit for each type of output that the loss takes. */
  lossTypes = 124,
  /** f64 numbers of a loss: see `LossNumber`. */
  lossNumbers = 128,
  /** Two accumulators of a loss: four lanes of sums, and of compensations. */
  sums = 192,
  sumBytes = 64,
  /** Where each code of a chunk starts in `codes`, in words, and where the last one ends. */
  codes = 180,
  codeOffsets = 184,
  outcome = 188,
  /** The function of the loss for f32 outputs without weights and cases, or 0. */
  quickLoss = 320,
  /** Where outputs are converted to f64, and the bytes by which a row moves that: 0 or 8. */
  lossValues = 324,
  valueStride = 328,
  /** The same for the terms of a loss, one for each row; and how far a code moves them. */
  lossTerms = 332,
  termStride = 336,
  codeStride = 340,
}

/** The numbers of a loss, in bytes from `State.lossNumbers`. */
export const enum LossNumber {
  /** The divisor of the sum. */
  divisor = 0,
  tolerance = 8,
  targetMean = 16,
  weightSum = 24,
  /** u64: the bits that are compared. */
  mask = 32,
}

/** The bit beside the types of an input that says whether it has subnormal f32. */
export const enum InputMask {
  dirty = 0x80000000,
}

/** The result of a code: offsets in bytes from its place. */
export const enum Result {
  bytes = 32,
  loss = 0,
  scale = 8,
  offset = 16,
  status = 24,
}

/** How planning a code can end. */
export const enum Outcome {
  done = 0,
  /** An operation that the table of entries lacks. */
  unknownOperation = 1,
  notACode = 2,
  tooFewWords = 3,
  tooManyWords = 4,
  badOperand = 5,
  badInput = 6,
  wrongInputType = 7,
  wrongClass = 8,
  badOutput = 9,
  memory = 10,
  /** The code lacks the output that the loss reads, or it has another type. */
  missingOutput = 11,
  wrongOutputType = 12,
  /** The budget is spent. */
  paused = 13,
  /** The code has more inputs than there are columns. */
  missingColumns = 14,
}

export const enum Rows {
  /** Blocks have a multiple of this many rows. */
  multiple = 16,
  fewest = 64,
  most = 1024,
}

/** The status of a result. */
export const enum ResultStatus {
  ok = 0,
  notFinite = 1,
}
