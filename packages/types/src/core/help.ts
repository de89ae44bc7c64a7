// Addresses of places in the documentation.

const DOCUMENTS = "https://github.com/mm-ptx/mm-ptx/blob/main/docs";

/**
 * The address of a place in the documentation.
 *
 * @param document such as `errors`
 * @param anchor the `id` of an element there
 */
export const documentAddress = (document: string, anchor: string): string =>
  `${DOCUMENTS}/${document}.md#${anchor}`;

/**
 * Where `docs/errors.md` explains a code.
 *
 * @param name of the error's class, or the heading of a table of other codes
 */
export const errorHelp = (name: string, code: string): string =>
  documentAddress("errors", `${name} ${code}`.toLowerCase().replaceAll(" ", "-"));
