// Frees what may be lost with its device.

export function quietly(free: () => void): void {
  try {
    free();
  } catch {
    // The device has freed it.
  }
}
