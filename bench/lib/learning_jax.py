"""What JAX takes for the steps of perceptrons in learning.mjs: 100 compiled steps of Adam in a scan, on one thread; prints JSON."""

import json
import os

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

from learning_data import data, milliseconds  # Sets the number of threads, which must come first.

import time

import jax
import jax.numpy as jnp

STEPS = 100


def loss(parameters, rows, labels):
    values = rows
    for weights, biases in parameters[:-1]:
        values = jnp.tanh(values @ weights + biases)
    weights, biases = parameters[-1]
    return jnp.mean((values @ weights + biases - labels) ** 2)


def main():
    rows, labels = data(1024, 32, 3)
    steps = {}
    for size in (32, 256, 1024):
        batch, targets = jnp.asarray(rows[:size]), jnp.asarray(labels[:size, None])
        keys = jax.random.split(jax.random.PRNGKey(0), 3)
        sizes = (32, 64, 64, 1)
        parameters = [
            (jax.random.normal(key, (sizes[i], sizes[i + 1])) * sizes[i] ** -0.5, jnp.zeros(sizes[i + 1]))
            for i, key in enumerate(keys)
        ]
        zeros = jax.tree_util.tree_map(jnp.zeros_like, parameters)

        def step(state, index):
            values, first, second = state
            gradients = jax.grad(loss)(values, batch, targets)
            tree = jax.tree_util.tree_map
            first = tree(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
            second = tree(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
            rate = 0.003 * jnp.sqrt(1 - 0.999 ** (index + 1)) / (1 - 0.9 ** (index + 1))
            values = tree(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), values, first, second)
            return (values, first, second), None

        run = jax.jit(lambda state: jax.lax.scan(step, state, jnp.arange(STEPS, dtype=jnp.float32))[0])
        state = (parameters, zeros, zeros)
        # XLA computes in a thread of its own, so the time is that of the process.
        steps[f"mlp{size}"] = 1000 * milliseconds(lambda: jax.block_until_ready(run(state)), clock=time.process_time) / STEPS
    print(json.dumps(steps))


main()
