// Where the site explains an error or a finding. The playground is a folder of the site.

/** The class of errors that the emulator throws; its codes are in the reference. */
export const EMULATOR_ERROR = "EmulatorError";

/** Codes of the page itself, which its sentences explain. */
const OWN_CODES = new Set(["DATA", "ERROR", "STOPPED", "WORKER"]);

/**
 * The address of an error's row in the reference.
 *
 * @param name of the error's class
 */
export function errorAddress(name: string, code: string): string | undefined {
  if (OWN_CODES.has(code) || !/^[A-Z_]+$/.test(code) || !/^\w+$/.test(name)) return undefined;
  return `../errors.html#${name}-${code}`.toLowerCase();
}

/** The address of a finding's row in the guide of the emulator. */
export const findingAddress = (kind: string): string =>
  `../guide/emulator.html#finding-${kind.toLowerCase()}`;
