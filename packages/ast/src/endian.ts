// The byte order of this machine.

/** Whether typed arrays of words have the byte order of packed instructions on this machine. */
export const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
