"""Writes the types of a program for mm-ptx 0.1 to 1.0 for Python as a Stack PTX description.

    python export_stack_description.py TYPES [-o FILE] [--stack CLASS] [--arg CLASS] [--ptx CLASS] [--special CLASS]

TYPES is the Python file, or the name of the module, that defines the four enumerations of `StackPtx`. They are found by
what their members have; where a module has several of a kind, name the one to write. Run this with the Python in which
the package `mm-ptx` is installed, since it imports your module. It needs nothing else.

Entries keep their order, so that indices in programs stay valid, and an instruction's name is that of its member.
"""

import argparse
import enum
import importlib
import importlib.util
import json
import os
import sys

# What the members of each enumeration have.
KINDS = {
    "stack": ("literal_prefix",),
    "arg": ("stack_type", "stack_num_vec_elems"),
    "ptx": ("ptx_str", "args", "rets"),
    "special": ("ptx_str", "arg"),
}


def load(types):
    """The module with the enumerations."""
    sys.path.insert(0, os.getcwd())
    if not types.endswith(".py"):
        if importlib.util.find_spec(types.partition(".")[0]) is None:
            fail("expected a Python file or a module, found none named %s" % types)
        return importlib.import_module(types)
    path = os.path.abspath(types)
    if not os.path.isfile(path):
        fail("expected a Python file, found none at %s" % path)
    sys.path.insert(0, os.path.dirname(path))
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def enumerations(module):
    """The enumerations with members that a module has, by name."""
    values = ((name, value) for name, value in vars(module).items() if isinstance(value, type))
    return {name: value for name, value in values if issubclass(value, enum.Enum) and len(value) > 0}


def find(module, kind, wanted):
    """The members of the enumeration of a kind, in the order of their indices."""
    having = {
        name: value
        for name, value in enumerations(module).items()
        if all(hasattr(member, attribute) for member in value for attribute in KINDS[kind])
    }
    if wanted is not None:
        having = {name: value for name, value in having.items() if name == wanted}
    different = list({id(value): value for value in having.values()}.values())
    if len(different) > 1:
        fail("expected one enumeration with %s, found %s: choose one with --%s" % (attributes(kind), ", ".join(having), kind))
    if not different:
        if kind == "special" and wanted is None:
            return []
        fail("expected an enumeration with %s, found none in %s" % (attributes(kind), module.__name__))
    members = list(different[0])
    for index, member in enumerate(members):
        if int(member) != index:
            fail("expected %s to have index %d, found %d" % (member, index, int(member)))
    return members


def attributes(kind):
    return " and ".join("`%s`" % attribute for attribute in KINDS[kind])


def fail(message):
    sys.exit("error: %s" % message)


def name_in(members, member, owner):
    """The name of a stack or of an argument type that a member refers to."""
    if not any(member is each for each in members):
        fail("expected %s to refer to %s, found %s" % (owner, type(members[0]).__name__, member))
    return member.name


def stack_type(member):
    entry = {"name": member.name, "literal_prefix": member.literal_prefix}
    # The Python package makes constants for these register types only.
    if member.literal_prefix in ("f32", "s32", "u32"):
        entry["constant_type"] = member.literal_prefix
    return entry


def arg_type(member, stacks):
    entry = {"name": member.name, "stack_type": name_in(stacks, member.stack_type, member)}
    if member.stack_num_vec_elems:
        entry["num_vec_elems"] = int(member.stack_num_vec_elems)
    return entry


def instruction(member, args):
    entry = {
        "ptx": member.ptx_str,
        "args": [name_in(args, arg, member) for arg in member.args],
        "rets": [name_in(args, ret, member) for ret in member.rets],
        "name": member.name,
    }
    if getattr(member, "aligned", False):
        entry["aligned"] = True
    return entry


def special_register(member, args):
    return {"ptx": member.ptx_str, "arg_type": name_in(args, member.arg, member), "name": member.name}


def description(module, wanted):
    stacks, args, ptx, special = (find(module, kind, wanted[kind]) for kind in KINDS)
    return {
        "abi_version": 1,
        "stack_types": [stack_type(member) for member in stacks],
        "arg_types": [arg_type(member, stacks) for member in args],
        "instructions": [instruction(member, args) for member in ptx],
        "special_registers": [special_register(member, args) for member in special],
    }


def main():
    parser = argparse.ArgumentParser(description="Writes the types of a Python program as a Stack PTX description.")
    parser.add_argument("types", help="the Python file or module that defines the enumerations")
    parser.add_argument("-o", "--out", help="the file to write (default: stdout)")
    for kind in KINDS:
        parser.add_argument("--" + kind, metavar="CLASS", help="the enumeration whose members have %s" % attributes(kind))
    options = parser.parse_args()
    wanted = {kind: getattr(options, kind) for kind in KINDS}
    text = json.dumps(description(load(options.types), wanted), indent=2, ensure_ascii=False) + "\n"
    if options.out is None:
        sys.stdout.write(text)
    else:
        try:
            with open(options.out, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            fail("expected a file to write, found %s: %s" % (options.out, error.strerror))


if __name__ == "__main__":
    main()
