// The roles of those who connect to the server, and what each may do there.

import { DECLARE, inboxOf, STATUS, STREAM, SUBMITTERS } from "../names.js";

export const ROLES = ["admin", "worker", "submitter", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** A key that the server accepts. */
export interface KeyEntry {
  readonly role: Role;
  /** The submitter's name; for others, what it is called in the list of keys. */
  readonly name: string;
  /** The public part of an nkey. */
  readonly public: string;
}

interface Permissions {
  readonly publish: { readonly allow: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
  readonly allow_responses?: { readonly max: number; readonly expires: string };
}

/** One reply to each request, in time. */
const REPLIES = { max: 1, expires: "1m" } as const;

/** The subjects that a key may use. */
export function permissionsOf({ role, name }: KeyEntry): Permissions {
  switch (role) {
    case "admin":
      return { publish: { allow: [">"] }, subscribe: { allow: [">"] } };
    case "worker":
      return {
        publish: {
          allow: [
            DECLARE,
            `$JS.API.CONSUMER.INFO.${STREAM}.*`,
            `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.*`,
            `$JS.ACK.${STREAM}.>`,
            "mm.results.>",
            "mm.blob.>",
            STATUS,
            SUBMITTERS,
          ],
        },
        subscribe: {
          allow: [`${inboxOf("worker", "*")}.>`, "mm.direct.*.*.*.*", "mm.ahead.*.*.*.*", STATUS],
        },
        allow_responses: REPLIES,
      };
    case "submitter":
      return {
        publish: {
          allow: [
            `mm.jobs.*.${name}`,
            `mm.direct.*.${name}.*.*`,
            `mm.ahead.*.${name}.*.*`,
            `$JS.API.CONSUMER.INFO.${STREAM}.*`,
            STATUS,
            SUBMITTERS,
          ],
        },
        subscribe: {
          allow: [`${inboxOf("submitter", name)}.>`, `mm.results.${name}.>`, `mm.blob.${name}.>`, SUBMITTERS],
        },
        allow_responses: REPLIES,
      };
    case "viewer":
      return {
        publish: { allow: [STATUS, SUBMITTERS, `$JS.API.CONSUMER.INFO.${STREAM}.*`] },
        subscribe: { allow: [`${inboxOf("viewer", name)}.>`] },
      };
  }
}
