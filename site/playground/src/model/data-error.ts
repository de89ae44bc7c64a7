// What is wrong with the data of a launch.

/** Data that is not what a buffer or an argument holds. The message says where. */
export class DataError extends Error {
  override readonly name = "DataError";
  readonly code = "DATA";
}
