// Helpers that all pictures share: text, numbers and the font of SVG files.

/** The fonts of a page, for `font-family`. */
export const SVG_FONT: string =
  "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** A coordinate without insignificant digits. */
export const svgNumber = (value: number): string => `${Math.round(value * 100) / 100 + 0}`;

/** A text with XML's special characters escaped and the characters that XML does not allow replaced. */
export const escapeXml = (words: string): string =>
  words
    .replace(
      /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      "\ufffd",
    )
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
