"""Runs CUDA programs on the CPU with `mm-ptx-emulate run`, and fails with the report of its checks."""

import json
import os
import shlex
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest


class EmulateError(AssertionError):
    """A program that failed, or in which checks have found errors."""


@dataclass
class Result:
    """What a program did."""

    returncode: int
    stdout: str
    stderr: str
    #: The findings as in `--report json`.
    findings: list = field(default_factory=list)
    #: The findings as text.
    report: str = ""


def pytest_addoption(parser):
    group = parser.getgroup("mm-ptx-emulate")
    group.addoption("--emulate-check", metavar="NAMES", help="checks, such as memory,races; overrides emulate_check")
    group.addoption("--emulate-sarif", metavar="DIR", help="write the findings of each program as SARIF to this folder")
    parser.addini("emulate_command", "the command that runs programs", default="mm-ptx-emulate")
    parser.addini("emulate_check", "the checks of each program", default="all")
    parser.addini("emulate_suppress", "a file that names known findings", default="")
    parser.addini("emulate_timeout", "seconds that a program may take", default="600")
    parser.addini("emulate_programs", "patterns of programs that are tests themselves", type="args", default=[])


class Emulator:
    """Runs programs that were built with `nvcc -cudart shared -lineinfo`."""

    def __init__(self, config):
        self._config = config
        self._runs = 0

    def __call__(self, program, *args, check=None, suppress=None, returncode=0, cwd=None):
        """
        Runs a program and returns its `Result`.

        Raises `EmulateError` if checks find errors or its exit code is not `returncode`; `None` allows any exit code.
        """
        ini = self._config.getini
        check = check or self._config.getoption("--emulate-check") or ini("emulate_check")
        suppress = suppress or ini("emulate_suppress")
        with tempfile.TemporaryDirectory() as folder:
            files = {name: Path(folder) / name for name in ("json", "text")}
            reports = [f"{name}={path}" for name, path in files.items()]
            sarif = self._config.getoption("--emulate-sarif")
            if sarif:
                os.makedirs(sarif, exist_ok=True)
                self._runs += 1
                reports.append(f"sarif={Path(sarif).absolute() / f'{Path(program).name}-{os.getpid()}-{self._runs}.sarif'}")
            command = [*shlex.split(ini("emulate_command")), "run", "--check", check]
            for report in reports:
                command += ["--report", report]
            if suppress:
                command += ["--suppress", str(Path(self._config.rootpath, suppress))]
            command += ["--", str(program), *map(str, args)]
            try:
                done = subprocess.run(
                    command, capture_output=True, text=True, errors="replace", cwd=cwd, timeout=float(ini("emulate_timeout"))
                )
            except FileNotFoundError as error:
                raise EmulateError(f"{command[0]} is not installed: npm install -g @mm-ptx/emulator") from error
            except subprocess.TimeoutExpired as error:
                raise EmulateError(f"{program} did not end within {error.timeout:g} s") from error
            if not files["json"].exists():
                raise EmulateError(f"{program} could not be run:\n{done.stderr}")
            found = json.loads(files["json"].read_text("utf-8"))
            result = Result(done.returncode, done.stdout, done.stderr, found["findings"], files["text"].read_text("utf-8"))
        if found["errors"] > 0:
            raise EmulateError(f"the checks of {program} have found errors:\n{result.report}")
        if returncode is not None and result.returncode != returncode:
            raise EmulateError(
                f"{program} ended with exit code {result.returncode}, expected {returncode}:\n{result.stdout}{result.stderr}"
            )
        return result


@pytest.fixture
def emulate(request):
    """Runs a CUDA program on the CPU: `emulate("build/test_scan", "--quick")`."""
    return Emulator(request.config)


@pytest.hookimpl(tryfirst=True)
def pytest_ignore_collect(collection_path, config):
    """Folders of programs are often named `build`, which pytest skips otherwise."""
    folders = {part for pattern in config.getini("emulate_programs") for part in Path(pattern).parts[:-1]}
    return False if collection_path.is_dir() and collection_path.name in folders else None


def pytest_collect_file(file_path, parent):
    patterns = parent.config.getini("emulate_programs")
    if any(file_path.match(pattern) for pattern in patterns) and os.access(file_path, os.X_OK):
        return ProgramFile.from_parent(parent, path=file_path)
    return None


class ProgramFile(pytest.File):
    def collect(self):
        yield ProgramItem.from_parent(self, name=self.path.name)


class ProgramItem(pytest.Item):
    """A program as a test: it passes with exit code 0 and without errors among the findings."""

    def runtest(self):
        Emulator(self.config)(self.path)

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, EmulateError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, f"program {self.name}"
