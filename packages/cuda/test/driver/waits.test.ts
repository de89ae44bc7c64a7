// Sessions that wait for streams that are blocked, that never end, or whose context breaks, and the outcome of these waits.

import { describe, expect, it } from "vitest";
import { FakeDriver, HAS_FAKE_DRIVER } from "./support/fake-driver.js";
import { RawSession, WORKER } from "./support/session.js";
import { PTX } from "./support/tour.js";

const text = new TextEncoder();
const DIED = -5;
const KILLED = -6;
const ILLEGAL_ADDRESS = 700;

/** A session with a stream, memory and a kernel. */
function opened(fake: FakeDriver, worker: string) {
  const session = new RawSession(fake.path, worker);
  session.call("open", [0]);
  const [stream] = session.call("cuStreamCreateWithPriority", [1, 0]).values as [bigint];
  const [memory] = session.call("cuMemAlloc", [64]).values as [bigint];
  const [module] = session.call("load", [true, 0, 255, false], text.encode(PTX)).values as [bigint];
  const [nothing] = session.call("cuModuleGetFunction", [module], text.encode("nothing")).values as [bigint];
  const launch = (): number =>
    session.call("launch", [nothing, 1, 1, 1, 1, 1, 1, 0, stream, 0, 0, 0, 0]).status;
  return { session, stream, memory, launch, [Symbol.dispose]: () => session[Symbol.dispose]() };
}

describe.runIf(HAS_FAKE_DRIVER).each([
  ["a thread", ""],
  ["a process", WORKER],
])("a wait in %s", (_, worker) => {
  it("is answered in the order of its stream, and does not block other calls", async () => {
    using fake = new FakeDriver(["hold streams"]);
    using device = opened(fake, worker);
    const { session, stream, memory } = device;
    const order: string[] = [];
    const waits = [
      session.request("copyIn", [memory, stream], new Uint8Array(64).fill(7)).then(() => order.push("in")),
      session
        .request("copyOut", [memory, 64, stream])
        .then(({ payload }) => order.push(`out ${payload![63]}`)),
      session.request("notify", [stream]).then(() => order.push("notified")),
    ];
    expect(session.call("cuStreamQuery", [stream]).status).toBe(600);
    expect(order).toEqual([]);
    fake.order();
    await Promise.all(waits);
    expect(order).toEqual(["in", "out 7", "notified"]);
    await session.close();
    fake.expectClean();
  });

  it("does not end a capture that begins meanwhile", async () => {
    using fake = new FakeDriver(["hold streams"]);
    using device = opened(fake, worker);
    const { session, stream, launch } = device;
    const waiting = session.request("notify", [stream]);
    expect(session.call("cuStreamBeginCapture", [stream, 2]).status).toBe(0);
    // Long enough for the session to poll its streams.
    await new Promise((resolve) => setTimeout(resolve, 50));
    launch();
    expect(session.call("cuStreamEndCapture", [stream]).status).toBe(0);
    fake.order();
    expect((await waiting).status).toBe(0);
    await session.close();
    fake.expectClean();
  });

  it("fails when the context breaks", async () => {
    using fake = new FakeDriver([`sticky ${ILLEGAL_ADDRESS} 2`]);
    using device = opened(fake, worker);
    const { session, stream, memory, launch } = device;
    expect(launch()).toBe(0);
    expect((await session.request("notify", [stream])).status).toBe(0);
    launch();
    const replies = await Promise.all([
      session.request("notify", [stream]),
      session.request("copyOut", [memory, 64, stream]),
      session.request("copyIn", [memory, stream], new Uint8Array(64)),
    ]);
    for (const { status, text: said } of replies) {
      expect(status).toBe(ILLEGAL_ADDRESS);
      expect(said).toContain("CUDA_ERROR_ILLEGAL_ADDRESS");
    }
    expect(session.call("cuMemAlloc", [16]).status).toBe(ILLEGAL_ADDRESS);
    expect((await session.close()).status).toBe(0);
    fake.expectClean();
  });

  it("is answered when the session is killed", async () => {
    using fake = new FakeDriver(["hang 1"]);
    using device = opened(fake, worker);
    const { session, stream, launch } = device;
    launch();
    const waiting = session.request("notify", [stream]);
    session.hub.addon.killDriver(session.native);
    expect((await waiting).status).toBe(KILLED);
    expect(fake.violations()).toEqual([]);
    // Lets the hanging work end.
    fake.order();
  });
});

describe.runIf(HAS_FAKE_DRIVER && WORKER !== "")("a session that is a process", () => {
  it("is killed by a call that takes too long", () => {
    using fake = new FakeDriver(["hang 1"]);
    using device = opened(fake, WORKER);
    const { session, stream, launch } = device;
    launch();
    expect(session.call("cuStreamSynchronize", [stream], undefined, 200).status).toBe(KILLED);
    expect(session.call("cuDriverGetVersion").status).toBe(KILLED);
  });

  it("answers all pending requests when its process dies", async () => {
    using fake = new FakeDriver(["hold streams"]);
    using device = opened(fake, WORKER);
    const { session, stream } = device;
    const waiting = [session.request("notify", [stream]), session.request("notify", [stream])];
    expect(session.call("cuDriverGetVersion").status).toBe(0);
    process.kill(fake.calls()[0]!.process, "SIGKILL");
    for (const { status, text: said } of await Promise.all(waiting)) {
      expect(status).toBe(DIED);
      expect(said).toContain("Killed");
    }
    expect(session.call("cuMemAlloc", [16]).status).toBe(DIED);
  });
});
