// What a launch may use: enough for every example, and little enough for a page.

/** The milliseconds that a launch may take. */
export const LAUNCH_MS = 8000;

/** The milliseconds for everything that a launch needs: reading the kernel, translating it, filling buffers. */
export const WORK_MS = 60_000;

/** The instructions that the threads of a launch may execute together. */
export const LAUNCH_INSTRUCTIONS = 4_000_000_000;
