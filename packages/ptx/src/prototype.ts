// Call prototypes: `.callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _);` (PTX ISA, .callprototype).
import { Character } from "./characters.js";
import { type PtxVariable, readParameters } from "./declaration.js";
import { closing } from "./function.js";
import type { Statements } from "./statement.js";
import { TokenKind } from "./token.js";

/**
 * The parameters and results of a function that is called by its address. Only the types and sizes of the variables
 * matter.
 */
export interface PtxPrototype {
  readonly results: readonly PtxVariable[];
  readonly parameters: readonly PtxVariable[];
}

/** Reads the prototype in a statement; missing parts of a malformed one are empty. */
export function readPrototype({ tokens, firsts, ends }: Statements, statement: number): PtxPrototype {
  const end = ends[statement]!;
  let token = tokens.skipBlanks(firsts[statement]! + 1);
  const takeList = (): PtxVariable[] => {
    if (token >= end || tokens.kinds[token] !== Character.openParenthesis) return [];
    const close = closing(tokens, token, end);
    const list = readParameters(tokens, token + 1, close, statement);
    token = tokens.skipBlanks(close + 1);
    return list;
  };
  const results = takeList();
  if (token < end && tokens.kinds[token] === TokenKind.word) token = tokens.skipBlanks(token + 1);
  return { results, parameters: takeList() };
}
