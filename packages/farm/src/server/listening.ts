// Why nats-server can't listen at an address, from what it logs.

/** What the system says, and the code of that error. */
const PROBLEMS: Readonly<Record<string, readonly [code: string, problem: string, advice: string]>> = {
  "address already in use": ["EADDRINUSE", "in use", "stop what uses it, or choose another port"],
  "permission denied": ["EACCES", "one that this user may not use", "choose a port from 1024 on"],
  "cannot assign requested address": [
    "EADDRNOTAVAIL",
    "one of another machine",
    "choose an address of this one",
  ],
};

/**
 * One sentence with the address, the system's code and what to do; `undefined` if something else is wrong.
 *
 * @param by the server that has answered at the address instead
 */
export function listenProblem(log: string, by?: string): string | undefined {
  const [, host] = /listen tcp\S* lookup (.+?)(?: on \S+)?: no such host/.exec(log) ?? [];
  if (host !== undefined)
    return `expected an address of this machine, found ${host}, which has none: choose another one with \`--host\``;
  const [, what = "", address = "", reason = ""] =
    /(monitor port|listening on port).*listen tcp\S* (\S+): bind: ([a-z ]+)/.exec(log) ?? [];
  const [code, problem, advice] = PROBLEMS[reason] ?? [];
  if (code === undefined) return undefined;
  const whose = by === undefined ? "" : ` by the server ${by}`;
  const port = what === "monitor port" ? "--monitor" : "--port";
  const flag = code === "EADDRNOTAVAIL" ? "--host" : port;
  return `expected a free port, found ${address}, which is ${problem}${whose} (${code}): ${advice} with \`${flag}\``;
}
