/** Why a compiler could not be fetched; the message says what to do. */
export class FetchProblem extends Error {}
