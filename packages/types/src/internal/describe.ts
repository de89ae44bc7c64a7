// Describes wrong arguments for messages.

const LONGEST_QUOTE = 60;

/** Text in backticks, on one line and of limited length. */
export function quoted(text: string): string {
  return `\`${quotable(text)}\``;
}

function quotable(text: string): string {
  const clipped = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return clipped.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, escaped);
}

/** A control character or line end as JSON writes it. */
function escaped(sign: string): string {
  const json = JSON.stringify(sign).slice(1, -1);
  return json === sign ? unicodeEscape(sign) : json;
}

/** A character of one UTF-16 unit as `\u001b`. */
export function unicodeEscape(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Describes an unexpected value: texts are quoted, numbers are shown, and anything else is described by its kind. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) {
    return typeof value === "symbol" || typeof value === "bigint" ? `a ${typeof value}` : String(value);
  }
  try {
    if (Array.isArray(value)) return "an array";
    const name: unknown = value.constructor?.name;
    return typeof name !== "string" || name === "" || name === "Object"
      ? "an object"
      : `an object of ${quotable(name)}`;
  } catch {
    // A proxy or a getter that throws.
    return "an object";
  }
}

/** The reason of a failure: the message of whatever was thrown. */
export function describeError(error: unknown): string {
  try {
    if (error instanceof Error && typeof error.message === "string") return error.message;
  } catch {
    // As above.
  }
  return describeValue(error);
}
