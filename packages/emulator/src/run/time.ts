/** The initial value of `%globaltimer`, which counts one nanosecond per instruction. */
export const TIMER_START = 1_700_000_000_000_000_000n;
