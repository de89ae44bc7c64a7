// Data that the loops of signature and analysis exchange with their callers: words of `LoopMemory.state`.
// assembly/layout.ts has the same.

/** Used while lines of a signature or of a code are written; `named` counts the values that have a name or number. */
export const enum LineState {
  line,
  named,
  end,
}

/** Used while a program is observed and its live values are marked. */
export const enum ObservedState {
  nodeEnd,
  astUsed,
  made,
  skipped,
  nodes,
  sizes,
  stacks,
  stride,
  shape,
  order,
  origins,
  counts,
  dead,
  instructionCount,
  stackCount,
  inputStacks,
  inputCount,
  lastAst,
  liveEnd,
  deadEnd,
}
