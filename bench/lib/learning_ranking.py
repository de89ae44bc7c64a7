"""Scores of programs by LightGBM and scikit-learn for learning-ranking.mjs: learning_ranking.py FOLDER TESTS reads the rows of each test
from the folder, writes the scores of each model beside them, and prints the names of the models as JSON."""

import json
import os
import sys

import learning_data  # Sets the number of threads, which must come first.

import lightgbm
import numpy
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

OPTIONS = dict(n_estimators=100, max_depth=4, num_leaves=16, learning_rate=0.1, max_bin=31, n_jobs=1, verbose=-1)


def best_tenth(rows, labels, queries):
    """How likely rows are to be in the best tenth, as learned from those that were."""
    best = labels >= numpy.sort(labels)[-(len(labels) // 10)]
    return lightgbm.LGBMClassifier(**OPTIONS).fit(rows, best).predict_proba(queries)[:, 1]


MODELS = {
    "LightGBM": lambda rows, labels, queries: lightgbm.LGBMRegressor(**OPTIONS).fit(rows, labels).predict(queries),
    "LightGBM, best tenth": best_tenth,
    "HistGradientBoosting": lambda rows, labels, queries: HistGradientBoostingRegressor().fit(rows, labels).predict(queries),
    "k-NN": lambda rows, labels, queries: make_pipeline(StandardScaler(), KNeighborsRegressor(10, algorithm="brute", n_jobs=1))
    .fit(rows, labels)
    .predict(queries),
}


def main(folder, tests):
    for test in range(tests):
        learned, labels, queries = (
            numpy.fromfile(os.path.join(folder, f"{test}.{name}"), numpy.float32) for name in ("learned", "labels", "rows")
        )
        learned = learned.reshape(len(labels), -1)
        queries = queries.reshape(-1, learned.shape[1])
        for name, scores in MODELS.items():
            scores(learned, labels, queries).astype(numpy.float32).tofile(os.path.join(folder, f"{test}.{name}"))
    print(json.dumps(list(MODELS)))


main(sys.argv[1], int(sys.argv[2]))
