"""What XGBoost takes for the work of learning.mjs, on one thread; prints JSON."""

import json

from learning_data import data, milliseconds  # Sets the number of threads, which must come first.

import numpy
import xgboost


def main():
    rows, labels = data(2000, 16, 1)
    queries, _ = data(10_000, 16, 2)
    options = dict(max_depth=4, learning_rate=0.1, max_bin=32, nthread=1, tree_method="hist")
    fit = lambda: xgboost.train(options, xgboost.QuantileDMatrix(rows, labels, max_bin=32, nthread=1), 100)
    trees = fit()
    one = numpy.ascontiguousarray(queries[:1])
    print(
        json.dumps(
            {
                "treesFit": milliseconds(fit),
                "treesPredict": milliseconds(lambda: trees.inplace_predict(queries)),
                "treesOne": 1000 * milliseconds(lambda: trees.inplace_predict(one), 100),
            }
        )
    )



main()
