"""Runs scenarios; `scripts/browsers` is how to start it."""

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

import ahead, connections, controls, examples, fields, laws, layout, places, pointer, reloads, rows, viewers  # noqa: F401
from stage import LATENCIES, PROGRAM, Browser, scenarios

browser = None


def start_browser():
    global browser
    os.nice(5)
    browser = Browser()


def play(name, latency):
    start = time.monotonic()
    return name, latency, browser.play(name, latency), time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(prog="scripts/browsers")
    parser.add_argument("names", nargs="*", metavar="SCENARIO", help="all by default; part of a name will do")
    parser.add_argument("--latency", default=",".join(map(str, LATENCIES)), help="milliseconds of a round trip")
    parser.add_argument("--jobs", type=int, default=3, help="how many browsers at once")
    parser.add_argument("--list", action="store_true", help="only name the scenarios")
    parser.add_argument("--verbose", action="store_true", help="say what has passed and how long it took")
    options = parser.parse_args()

    latencies = [int(each) for each in options.latency.split(",")]
    names = [name for name in scenarios
             if not options.names or any(each in name for each in options.names)]
    if not names:
        parser.error("there is no such scenario; --list names them")
    if options.list:
        return print("\n".join(names))
    # The slow ones first, so that none is waited for at the end.
    runs = [(name, latency) for latency in sorted(latencies, reverse=True) for name in names
            if latency in scenarios[name].latencies]
    folder = tempfile.TemporaryDirectory(prefix="tidelock-")
    os.environ["TIDELOCK"] = shutil.copy(PROGRAM, folder.name)
    failures = 0
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.jobs, spawn, start_browser) as pool:
        for future in as_completed([pool.submit(play, *run) for run in runs]):
            name, latency, problems, seconds = future.result()
            if problems:
                failures += 1
                print(f"failed: {name} at {latency} ms", *problems, sep="\n    ", flush=True)
            elif options.verbose:
                print(f"passed: {name} at {latency} ms in {seconds:.1f} s", flush=True)
    if failures:
        sys.exit(f"{failures} of {len(runs)} runs failed.")


if __name__ == "__main__":
    main()
