// Words as hex digits, 8 for each, the most significant first.

export function hex32(words: Uint32Array, start = 0, end: number = words.length): string {
  let text = "";
  for (let at = start; at < end; at++) text += words[at]!.toString(16).padStart(8, "0");
  return text;
}

export const wordsOfHex = (text: string): Uint32Array =>
  Uint32Array.from({ length: text.length / 8 }, (_, word) =>
    Number.parseInt(text.slice(8 * word, 8 * word + 8), 16),
  );
