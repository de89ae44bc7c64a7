# Measures what others need for random programs on random data with five inputs, on one thread, and prints JSON.
#   regression.py operon ROWS ITERATIONS EVALUATIONS    microseconds of CPU time a program, end to end
#   regression.py gplearn ROWS                          the same
#   regression.py numexpr|numba ROWS                    an expression of 24 nodes that was not seen before, with its loss
import json
import random
import sys
import time

import numpy as np

what, rows = sys.argv[1], int(sys.argv[2])
generator = np.random.default_rng(1)
X = generator.uniform(-2, 2, (rows, 5)).astype(np.float32)
y = generator.uniform(0, 1, rows).astype(np.float32)
random.seed(1)


def tree(nodes):
    if nodes <= 2:
        return f"x{random.randrange(5)}" if random.random() < 0.7 else f"{random.uniform(-2, 2):.6f}"
    left = min(1 + 2 * random.randrange((nodes - 1) // 2), nodes - 2)
    return f"({tree(left)} {random.choice('+-*/')} {tree(nodes - 1 - left)})"


def timed(action):
    start = time.process_time()
    count = action()
    return (time.process_time() - start) / count * 1e6


def operon():
    from pyoperon.sklearn import SymbolicRegressor

    iterations, evaluations = int(sys.argv[3]), int(sys.argv[4])
    regressor = SymbolicRegressor(
        allowed_symbols="add,sub,mul,div,constant,variable",
        optimizer_iterations=iterations,
        max_length=24,
        population_size=1000,
        pool_size=1000,
        generations=1000000,
        max_evaluations=evaluations,
        objectives=["mse"],
        n_threads=1,
        random_state=1,
    )
    regressor.fit(X, y)
    return regressor.stats_["evaluation_count"]


def gplearn():
    from gplearn.genetic import SymbolicRegressor

    generations = 5
    SymbolicRegressor(
        population_size=1000,
        generations=generations,
        function_set=("add", "sub", "mul", "div"),
        metric="mse",
        init_depth=(3, 5),
        random_state=1,
    ).fit(X, y)
    return 1000 * generations


def expressions(evaluate, count):
    columns = {f"x{index}": np.ascontiguousarray(X[:, index]) for index in range(5)}

    def action():
        with np.errstate(all="ignore"):
            for _ in range(count):
                error = evaluate(tree(23), columns) - y
                float(np.mean(error * error))
        return count

    return action


def numexpr(text, columns):
    import numexpr as library

    library.set_num_threads(1)
    return library.evaluate(text, columns)


def numba(text, columns):
    import numba as library

    scope = {}
    exec(f"def f({', '.join(columns)}):\n    return {text}", scope)
    return library.njit(scope["f"])(*columns.values())


ACTIONS = {
    "operon": operon,
    "gplearn": gplearn,
    "numexpr": expressions(numexpr, 300),
    "numba": expressions(numba, 3),
}
print(json.dumps({"microseconds": timed(ACTIONS[what])}))
