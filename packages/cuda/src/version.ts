// The version of this package; the addon must have the same. A test compares it with package.json.
export const VERSION = "0.1.0";
