// Where files are.

/** A path, relative to the current folder, or a `file:` URL, such as `new URL("x.npy", import.meta.url)`. */
export type FilePath = string | URL;
