"""What scikit-learn, LightGBM, CatBoost and numpy take for the work of learning.mjs, on one thread; prints JSON."""

import json
import os
import statistics
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
warnings.filterwarnings("ignore")

import catboost
import lightgbm
import numpy
from sklearn.decomposition import IncrementalPCA
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.neural_network import MLPRegressor

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


def milliseconds(run, calls=1):
    run()
    times = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        for _ in range(calls):
            run()
        times.append((time.thread_time() - start) / calls * 1000)
    return statistics.median(times)


def features(rows, count, generator):
    weights = generator.standard_normal((rows.shape[1], count), numpy.float32) / numpy.float32(rows.shape[1] ** 0.5)
    return numpy.maximum(rows @ weights + generator.standard_normal(count, numpy.float32), 0)


def update(rows, count, generator):
    phi = features(rows, count, generator)
    inverse = numpy.linalg.inv(phi.T @ phi + numpy.eye(count, dtype=numpy.float32)).astype(numpy.float32)
    row = phi[0]
    weights = numpy.zeros(count, numpy.float32)

    def run():
        nonlocal inverse, weights
        product = inverse @ row
        gain = product / (1 + row @ product)
        inverse -= numpy.outer(gain, product)
        weights += gain * (0.5 - row @ weights)

    return 1000 * milliseconds(run, 500)


def share(truths, scores):
    return 1 - float(((truths - scores) ** 2).sum() / ((truths - truths.mean()) ** 2).sum())


def main():
    generator = numpy.random.default_rng(0)
    rows, labels = data(2000, 16, 1)
    queries, truths = data(10_000, 16, 2)
    options = dict(n_estimators=100, max_depth=4, num_leaves=16, learning_rate=0.1, max_bin=31, n_jobs=1, verbose=-1)
    trees = lightgbm.LGBMRegressor(**options).fit(rows, labels)
    booster = trees.booster_
    scores = booster.predict(queries, num_threads=1)
    oblivious = catboost.CatBoostRegressor(
        iterations=100, depth=4, learning_rate=0.1, border_count=32, thread_count=1, verbose=False, allow_writing_files=False
    )
    oblivious.fit(rows, labels)
    wide, wide_labels = data(1000, 32, 3)
    behaviors, _ = data(256, 64, 4)
    pca = IncrementalPCA(8)
    near = KNeighborsRegressor(15, algorithm="brute", n_jobs=1).fit(rows, labels)
    steps = {}
    for size in (32, 256):
        mlp = MLPRegressor(hidden_layer_sizes=(64, 64), activation="tanh", batch_size=size)
        steps[f"mlp{size}"] = 1000 * milliseconds(lambda: mlp.partial_fit(wide[:size], wide_labels[:size]), 20)
    print(
        json.dumps(
            {
                "treesFit": milliseconds(lambda: lightgbm.LGBMRegressor(**options).fit(rows, labels)),
                "treesPredict": milliseconds(lambda: booster.predict(queries, num_threads=1)),
                "obliviousFit": milliseconds(lambda: oblivious.fit(rows, labels)),
                "obliviousPredict": milliseconds(lambda: oblivious.predict(queries, thread_count=1)),
                "obliviousExplained": share(truths, oblivious.predict(queries)),
                "treesOne": 1000 * milliseconds(lambda: booster.predict(queries[:1], num_threads=1), 100),
                "update64": update(wide, 64, generator),
                "update128": update(wide, 128, generator),
                "update256": update(wide, 256, generator),
                "linearFit": milliseconds(lambda: Ridge().fit(features(wide, 128, generator), wide_labels)),
                "pca": 1000 * milliseconds(lambda: pca.partial_fit(behaviors)),
                "neighbours": milliseconds(lambda: near.predict(queries)),
                "explained": share(truths, scores),
                **steps,
            }
        )
    )


main()
