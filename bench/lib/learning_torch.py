"""What PyTorch takes for the steps of perceptrons in learning.mjs, with fused Adam, on one thread; prints JSON."""

import json

from learning_data import data, milliseconds  # Sets the number of threads, which must come first.

import time

START = time.perf_counter()

import torch

IMPORT = 1000 * (time.perf_counter() - START)


def main():
    torch.set_num_threads(1)
    rows, labels = (torch.from_numpy(values) for values in data(1024, 32, 3))
    steps = {"import": IMPORT}
    for size in (32, 256, 1024):
        layers = (torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1))
        model = torch.nn.Sequential(*layers)
        adam = torch.optim.Adam(model.parameters(), lr=0.003, fused=True)
        batch, targets = rows[:size], labels[:size, None]

        def step():
            adam.zero_grad(set_to_none=True)
            torch.nn.functional.mse_loss(model(batch), targets).backward()
            adam.step()

        steps[f"mlp{size}"] = 1000 * milliseconds(step, 20)
    print(json.dumps(steps))


main()
