// Which lines of a program's text hold its instructions.

/** The lines of the instructions of a text of Stack PTX, counted from 1, in order. */
export function instructionLines(text: string): number[] {
  return text.split("\n").flatMap((line, index) => {
    const [word = ""] = line.replace(/;.*$/s, "").trim().split(/\s+/);
    return word === "" || word === ".registers" || word === ".routines" ? [] : [index + 1];
  });
}
