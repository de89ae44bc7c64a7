// What the loops of signature and analysis are told, and tell: words of `LoopMemory.state`. assembly/layout.ts has the same.

/** While lines of a signature are written. */
export const enum LineState {
  line,
  named,
  end,
}

/** While a program is observed, and its live values are marked. */
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
