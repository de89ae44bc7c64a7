"""Data and timers of the Python scripts that models are compared with; one thread."""

import os
import statistics
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
warnings.filterwarnings("ignore")

import numpy

ROUNDS = 21


def data(count, columns, seed):
    state = seed

    def draw():
        nonlocal state
        state = state * 48271 % 2147483647
        return state / 2147483647 * 2 - 1

    rows = numpy.array([draw() for _ in range(count * columns)], numpy.float32).reshape(count, columns)
    a, b, c, d, e, f = rows[:, :6].T
    noise = numpy.array([draw() for _ in range(count)], numpy.float32)
    return rows, (2 * a * b + (c > 0.3) + d * d + e * f + numpy.float32(0.1) * noise).astype(numpy.float32)


def milliseconds(run, calls=1, rounds=ROUNDS, clock=time.thread_time):
    """The median of this thread's CPU time of a call."""
    run()
    times = []
    for _ in range(rounds):
        start = clock()
        for _ in range(calls):
            run()
        times.append((clock() - start) / calls * 1000)
    return statistics.median(times)


def share(truths, scores):
    return 1 - float(((truths - scores) ** 2).sum() / ((truths - truths.mean()) ** 2).sum())
