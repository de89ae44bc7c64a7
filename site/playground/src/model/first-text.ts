// What the program of a site that nobody has written yet begins with.
import type { Operand } from "@mm-ptx/inject";
import type { Language, SiteText } from "./state.js";

/** A text that reads the operands of a site. */
export function firstText(operands: readonly Operand[], language: Language): string {
  const read = operands.filter(({ direction }) => direction !== "out").map(({ name }) => name);
  if (language === "stack") return `${read.map((name) => `input ${name}`).join("\n")}\n`;
  if (language === "formula") return `${read.join(" + ") || "0"}\n`;
  return "";
}

/** The first program of a site: Stack PTX if the site computes something, PTX otherwise. */
export function startOfSite(operands: readonly Operand[]): SiteText {
  const language = operands.some(({ direction }) => direction !== "in") ? "stack" : "ptx";
  return { language, text: firstText(operands, language) };
}
