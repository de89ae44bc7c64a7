// The form of a server's address.

const ADDRESS = /^(?:(?:nats|tls):\/\/)?[^\s/@]+$/;

/** Whether a value is an address such as `nats://farm.example:4222`, with or without the scheme and the port. */
export const isAddress = (value: unknown): value is string =>
  typeof value === "string" &&
  ADDRESS.test(value) &&
  URL.canParse(value.includes("://") ? value : `nats://${value}`);
