// The colors of Stack PTX, formulas and PTX.
import { StreamLanguage, type StringStream } from "@codemirror/language";
import { META_WORDS } from "./words.js";

type Rule = readonly [pattern: RegExp, style: string];

/** A language whose tokens need no state: the first rule that matches decides. */
function language(name: string, comment: string, rules: readonly Rule[]) {
  return StreamLanguage.define({
    name,
    token(stream: StringStream): string | null {
      if (stream.eatSpace()) return null;
      for (const [pattern, style] of rules) if (stream.match(pattern)) return style;
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: comment } },
  });
}

const NUMBER = /^-?(0[xX][0-9A-Fa-f]+U?|0[fFdD][0-9A-Fa-f]+|\d+(\.\d*)?([eE][-+]?\d+)?)(?![\w.])/;

export const stackLanguage = language("Stack PTX", ";", [
  [/^;.*/, "comment"],
  [/^\.\w+/, "meta"],
  [new RegExp(`^(${META_WORDS.join("|")})(?=\\s|$)`), "keyword"],
  [/^(F32|F64|U32|S32|U64|S64|PRED|PHILOX|B32|B64|B?F16X2|B?F16)(?=\s|$)/, "typeName"],
  [NUMBER, "number"],
  [/^[a-z][\w]*\.[\w.]+/, "macroName"],
  [/^[^\s;]+/, "variableName"],
]);

export const formulaLanguage = language("formula", "//", [
  [NUMBER, "number"],
  [/^[A-Za-z_]\w*(?=\s*\()/, "macroName"],
  [/^[A-Za-z_][\w.]*/, "variableName"],
  [/^[-+*/=]/, "operator"],
]);

export const ptxLanguage = language("PTX", "//", [
  [/^\/\/.*/, "comment"],
  [/^"[^"]*"?/, "string"],
  [/^@!?%\w+/, "keyword"],
  [/^%[\w.]+/, "variableName"],
  [/^\.[A-Za-z_]\w*/, "typeName"],
  [/^[$\w]+:/, "labelName"],
  [NUMBER, "number"],
  [/^[a-z]\w*(\.[\w:]+)*/, "macroName"],
  [/^\$\w+/, "labelName"],
]);
