// A model of a farm as discrete events: one submitter's thread, one server, and machines whose workers take parcels as
// @mm-ptx/farm does. All times are in microseconds.

/** What was measured on one machine, for small kernels in parcels of about 32. */
export const COSTS = {
  /** The submitter's thread: making a parcel and reading its answer, and for each job the key, the frame and the result. */
  front: { parcel: 140, job: 45 },
  /** The server's core, both ways. */
  server: { parcel: 250, job: 12 },
  /** The worker's thread. */
  worker: { parcel: 90, job: 0 },
  /** One way. */
  network: 200,
};
const CORES = 8;
const MOST_OPEN = 64;
/** Jobs for each core that a worker has when it takes another parcel. */
const AHEAD = 2;

/** A resource that does one thing after another. */
class Thread {
  #freeAt = 0;

  /** @returns when `cost` is done, if it is asked for at `now` */
  use(now, cost) {
    this.#freeAt = Math.max(now, this.#freeAt) + cost;
    return this.#freeAt;
  }
}

/** Events in the order of their times, as a binary heap. */
class Events {
  #heap = [];

  add(at, run) {
    const heap = this.#heap;
    heap.push({ at, run });
    for (let i = heap.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (heap[parent].at <= heap[i].at) break;
      [heap[parent], heap[i]] = [heap[i], heap[parent]];
      i = parent;
    }
  }

  take() {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let i = 0; ; ) {
      let least = i;
      for (const child of [2 * i + 1, 2 * i + 2])
        if (child < heap.length && heap[child].at < heap[least].at) least = child;
      if (least === i) return first;
      [heap[least], heap[i]] = [heap[i], heap[least]];
      i = least;
    }
  }
}

/**
 * How many jobs a second a farm does.
 *
 * @param {object} setting
 * @param {number} setting.machines each with eight cores
 * @param {number} setting.jobMs the time of a compile
 * @param {number} [setting.jobs] how many jobs there are
 */
export function jobsPerSecond({ machines, jobMs, jobs = 40_000, costs = COSTS }) {
  const size = Math.max(1, Math.round(100 / jobMs));
  const events = new Events();
  const [front, server] = [new Thread(), new Thread()];
  const workers = Array.from({ length: machines }, () => ({
    thread: new Thread(),
    cores: Array.from({ length: CORES }, () => new Thread()),
    busy: 0,
    asks: true,
  }));
  const queue = [];
  const cost = (of, count) => of.parcel + of.job * count;
  let [left, open, done, end] = [jobs, 0, 0, 0];

  const send = (now) => {
    const most = Math.min(MOST_OPEN, 2 * machines * CORES);
    while (left > 0 && open < most) {
      const count = Math.min(left, size);
      left -= count;
      open++;
      const sent = front.use(now, cost(costs.front, count) / 2) + costs.network;
      events.add(sent, (at) => {
        const stored = server.use(at, cost(costs.server, count) / 2);
        events.add(stored, (then) => {
          queue.push(count);
          hand(then);
        });
      });
    }
  };
  const hand = (now) => {
    for (const worker of workers) {
      if (queue.length === 0) return;
      if (!worker.asks) continue;
      worker.asks = false;
      const count = queue.shift();
      events.add(now + costs.network, (at) => take(worker, count, at));
    }
  };
  const ask = (worker, now) => {
    if (worker.asks || worker.busy >= AHEAD * CORES) return;
    worker.asks = true;
    hand(now);
  };
  const take = (worker, count, now) => {
    const ready = worker.thread.use(now, cost(costs.worker, count));
    worker.busy += count;
    let undone = count;
    for (let job = 0; job < count; job++) {
      const ends = worker.cores.map((core) => core.use(ready, 0));
      const core = worker.cores[ends.indexOf(Math.min(...ends))];
      events.add(core.use(ready, jobMs * 1000), (at) => {
        worker.busy--;
        undone--;
        if (undone === 0) answer(count, at);
        ask(worker, at);
      });
    }
    ask(worker, ready);
  };
  const answer = (count, now) => {
    const passed = server.use(now + costs.network, cost(costs.server, count) / 2) + costs.network;
    events.add(passed, (at) => {
      end = front.use(at, cost(costs.front, count) / 2);
      open--;
      done += count;
      events.add(end, send);
    });
  };

  send(0);
  while (done < jobs) {
    const { at, run } = events.take();
    run(at);
  }
  return (jobs / end) * 1e6;
}

/** What the same cores would do if nothing else took time. */
export const ideal = ({ machines, jobMs }) => (machines * CORES * 1000) / jobMs;
