"""What scikit-learn, LightGBM, CatBoost and numpy take for the work of learning.mjs, on one thread; prints JSON."""

import json

from learning_data import data, milliseconds, share  # Sets the number of threads, which must come first.

import time

START = time.perf_counter()

import lightgbm
import sklearn.linear_model

IMPORT = 1000 * (time.perf_counter() - START)

import catboost
import numpy
from sklearn.decomposition import IncrementalPCA
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.neural_network import MLPRegressor


def features(rows, count, generator):
    weights = generator.standard_normal((rows.shape[1], count), numpy.float32) / numpy.float32(rows.shape[1] ** 0.5)
    return numpy.maximum(rows @ weights + generator.standard_normal(count, numpy.float32), 0)


def numpy_fit(rows, labels, count, generator):
    """What numpy alone takes from rows to weights: scaled rows, random features that were drawn before, and normal equations in f32."""
    weights = generator.standard_normal((rows.shape[1], count), numpy.float32) / numpy.float32(rows.shape[1] ** 0.5)
    offsets = generator.standard_normal(count, numpy.float32)
    ridge = numpy.eye(count, dtype=numpy.float32)

    def run():
        scaled = numpy.clip((rows - rows.mean(0)) / rows.std(0), -5, 5)
        targets = (labels - labels.mean()) / labels.std()
        phi = numpy.maximum(scaled @ weights + offsets, 0)
        return numpy.linalg.solve(phi.T @ phi + ridge, phi.T @ targets)

    return milliseconds(run)


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
    many, many_labels = data(10_000, 16, 5)
    far = KNeighborsRegressor(15, algorithm="brute", n_jobs=1).fit(many, many_labels)
    near_tree = KNeighborsRegressor(15, algorithm="kd_tree", n_jobs=1).fit(rows, labels)
    far_tree = KNeighborsRegressor(15, algorithm="kd_tree", n_jobs=1).fit(many, many_labels)
    ridge = milliseconds(lambda: Ridge().fit(features(wide, 128, generator), wide_labels))
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
                "linearFit": ridge,
                "refit": 1000 * ridge,
                "numpyFit": numpy_fit(wide, wide_labels, 128, generator),
                "pca": 1000 * milliseconds(lambda: pca.partial_fit(behaviors)),
                "neighbours": milliseconds(lambda: near.predict(queries)),
                "neighbours10000": milliseconds(lambda: far.predict(queries), 1, 7),
                "kdTree": milliseconds(lambda: near_tree.predict(queries), 1, 5),
                "kdTree10000": milliseconds(lambda: far_tree.predict(queries), 1, 3),
                "import": IMPORT,
                "explained": share(truths, scores),
                **steps,
            }
        )
    )


main()
