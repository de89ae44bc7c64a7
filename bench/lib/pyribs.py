# Measures pyribs and prints JSON. Times are CPU time of one thread.
#   pyribs.py grid CANDIDATES              microseconds of a candidate, all in one batch, in a grid of 1,000 x 1,000
#   pyribs.py cvt CELLS CANDIDATES         seconds that k-means takes for a tenth of the cells, microseconds of a candidate with given centroids
#   pyribs.py loop DIMENSIONS BATCH COUNT  microseconds of a candidate of iso+line, without evaluation
#   pyribs.py cmaBefore20|arm12|rastrigin6 SEED CENTROIDS
#       QD score a cell and coverage of searches of bench/lib/illuminating.mjs, with the points of a JSON file as centroids
import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from ribs.archives import CVTArchive, GridArchive
from ribs.emitters import EvolutionStrategyEmitter, IsoLineEmitter
from ribs.schedulers import Scheduler

ROUNDS = 3
what, *texts = sys.argv[1:]
generator = np.random.default_rng(1)


def timed(action):
    start = time.process_time()
    action()
    return time.process_time() - start


def best(make, count):
    """The least time of a candidate, after a round that compiles and warms up."""
    times = []
    for _ in range(ROUNDS + 1):
        archive = make()
        x = generator.normal(size=(count, 2))
        objective = generator.uniform(size=count)
        measures = generator.uniform(-1, 1, size=(count, 2))
        times.append(timed(lambda: archive.add(x, objective, measures)))
    return min(times[1:]) / count * 1e6


def grid(count):
    make = lambda: GridArchive(solution_dim=2, dims=[1000, 1000], ranges=[(-1, 1)] * 2)
    return {"microseconds": best(make, count)}


def cvt(cells, count):
    options = {"solution_dim": 2, "ranges": [(-1, 1)] * 2}
    construct = lambda: CVTArchive(centroids=cells // 10, **options)
    points = generator.uniform(-1, 1, size=(cells, 2))
    make = lambda: CVTArchive(centroids=points, **options)
    return {"seconds": timed(construct), "microseconds": best(make, count)}


def loop(dimensions, batch, count):
    archive = GridArchive(solution_dim=dimensions, dims=[100, 100], ranges=[(-1, 1)] * 2)
    emitter = IsoLineEmitter(archive, iso_sigma=0.5, line_sigma=0.2, x0=np.zeros(dimensions), batch_size=batch)
    scheduler = Scheduler(archive, [emitter])
    objectives = generator.uniform(size=(64, batch))
    measures = generator.uniform(-1, 1, size=(64, batch, 2))

    def run():
        for number in range(count // batch):
            scheduler.ask()
            scheduler.tell(objectives[number % 64], measures[number % 64])

    run()
    return {"microseconds": min(timed(run) for _ in range(ROUNDS)) / (count // batch * batch) * 1e6}


def searched(archive, emitters, score, batches, looks):
    """QD scores a cell and coverage in percent after some batches."""
    scheduler = Scheduler(archive, emitters)
    results = {}
    for batch in range(1, batches + 1):
        x = scheduler.ask()
        scheduler.tell(*score(x))
        if batch in looks:
            results[str(len(x) * batch)] = [archive.stats.qd_score / archive.cells, 100 * archive.stats.coverage]
    return results


def cma_sphere(seed, _):
    """CMA-ME on the sphere, with the update of the covariance as the tutorial of CMA-ES has it."""
    import ribs.emitters.opt._cma_es as cma

    def update(cov, c1a, cmu, c1, pc, sigma, rank_mu_update, weights):
        return cov * (1 - c1a - cmu * np.sum(weights)) + (c1 * np.outer(pc, pc) + cmu * rank_mu_update) / sigma**2

    def score(x):
        objectives = 100 * (1 - ((x - 2.048) ** 2).sum(axis=1) / (7.168**2 * dimensions))
        folded = np.where(np.abs(x) > limit, limit / np.where(x == 0, 1, x), x)
        halves = [folded[:, : dimensions // 2].sum(axis=1), folded[:, dimensions // 2 :].sum(axis=1)]
        return objectives, np.stack(halves, axis=1)

    cma.CMAEvolutionStrategy._calc_cov_update = staticmethod(update)
    dimensions, limit = 20, 5.12
    reach = dimensions / 2 * limit
    archive = GridArchive(solution_dim=dimensions, dims=[100, 100], ranges=[(-reach, reach)] * 2)
    emitters = [
        EvolutionStrategyEmitter(archive, x0=np.zeros(dimensions), sigma0=0.5, batch_size=36, seed=100 * seed + number)
        for number in range(15)
    ]
    return searched(archive, emitters, score, 200, (100, 200))


def around_points(dimensions, reach, bound, offset, batch, path, seed):
    """An archive around the centroids of a file, and an emitter for it."""
    with open(path) as file:
        points = np.array(json.load(file)).reshape(-1, 2)
    archive = CVTArchive(
        solution_dim=dimensions, centroids=points, ranges=[(-reach, reach)] * 2, qd_score_offset=offset
    )
    emitter = IsoLineEmitter(
        archive,
        iso_sigma=0.1,
        line_sigma=0.2,
        x0=np.zeros(dimensions),
        bounds=[(-bound, bound)] * dimensions,
        batch_size=batch,
        seed=seed,
    )
    return archive, [emitter]


def arm(seed, path):
    archive, emitters = around_points(12, 12, np.pi, -10, 150, path, seed)

    def score(x):
        angles = np.cumsum(x, axis=1)
        ends = [np.cos(angles).sum(axis=1), np.sin(angles).sum(axis=1)]
        return -x.var(axis=1), np.stack(ends, axis=1)

    return searched(archive, emitters, score, 700, (100, 700))


def rastrigin(seed, path):
    archive, emitters = around_points(6, 5.12, 5.12, -250, 100, path, seed)
    score = lambda x: (-(60 + (x**2 - 10 * np.cos(2 * np.pi * x)).sum(axis=1)), x[:, :2])
    return searched(archive, emitters, score, 1000, (100, 1000))


SEARCHES = {"cmaBefore20": cma_sphere, "arm12": arm, "rastrigin6": rastrigin}
if what in SEARCHES:
    result = SEARCHES[what](int(texts[0]), texts[1])
else:
    result = {"grid": grid, "cvt": cvt, "loop": loop}[what](*map(int, texts))
print(json.dumps(result))
