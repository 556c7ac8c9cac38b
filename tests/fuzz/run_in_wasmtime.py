"""Runs command modules in wasmtime. Each input line is a job in JSON with the paths of the module, its standard input
and its output; each output line is the result in JSON."""

import json
import sys

from wasmtime import Engine, ExitTrap, Linker, Module, Store, WasiConfig

engine = Engine()
for line in sys.stdin:
    job = json.loads(line)
    wasi = WasiConfig()
    wasi.argv = ["skill"]
    wasi.stdin_file = job["stdin"]
    wasi.stdout_file = job["stdout"]
    store = Store(engine)
    store.set_wasi(wasi)
    linker = Linker(engine)
    linker.define_wasi()
    instance = linker.instantiate(store, Module.from_file(engine, job["module"]))
    exit_code = 0
    try:
        instance.exports(store)["_start"](store)
    except ExitTrap as trap:
        exit_code = trap.code
    # Closes the output.
    del instance, linker, store, wasi
    print(json.dumps({"exitCode": exit_code}), flush=True)
