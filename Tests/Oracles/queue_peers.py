"""Measures what Procrastinate and PgQueuer do of the work of rawmill-bench's queue benches.

queue_peers.py CONNINFO RUNS JOBS BENCHES prints one JSON object a line: peer, bench, jobsPerSecond,
p50Milliseconds, p99Milliseconds. They work in a database of their own on the server of CONNINFO, with
its settings: commits wait for the disk. Four sessions in four processes claim and complete, as rawmill's
four threads do; each peer's own log of jobs stands for the provenance row. One run to warm up, then RUNS,
of which the median counts.
"""

import asyncio
import json
import multiprocessing
import statistics
import sys
import time
import uuid
from datetime import timedelta

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

CONNINFO, RUNS, JOBS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
BENCHES = sys.argv[4].split(",")
SESSIONS = 4
PAYLOAD = json.dumps({"input": "2026/wedding/card2/IMG_1.dng", "output": "IMG_1.heic"})
DATABASE = make_conninfo(CONNINFO, dbname="queue_peers")


def make_database():
    with psycopg.connect(CONNINFO, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS queue_peers")
        connection.execute("CREATE DATABASE queue_peers")


async def pgqueuer_connection():
    import asyncpg

    parts = conninfo_to_dict(DATABASE)
    return await asyncpg.connect(
        host=parts["host"], port=int(parts.get("port", 5432)), user=parts["user"], database=parts["dbname"]
    )


async def pgqueuer_queries():
    from pgqueuer.db import AsyncpgDriver
    from pgqueuer.queries import Queries

    connection = await pgqueuer_connection()
    return connection, Queries(AsyncpgDriver(connection))


class PgQueuer:
    def __init__(self):
        import importlib.metadata

        self.name = f"PgQueuer {importlib.metadata.version('pgqueuer')}"

    def install(self):
        async def run():
            connection, queries = await pgqueuer_queries()
            await queries.install()
            await connection.close()

        asyncio.run(run())

    def enqueue(self, count, slice_size):
        async def run():
            connection, queries = await pgqueuer_queries()
            latencies = []
            for start in range(0, count, slice_size):
                number = min(slice_size, count - start)
                begin = time.monotonic()
                await queries.enqueue(["render"] * number, [PAYLOAD.encode()] * number, [0] * number)
                latencies.append(time.monotonic() - begin)
            await connection.close()
            return latencies

        return asyncio.run(run())

    def work(self, at_once, ready, start):
        async def run():
            from pgqueuer.queries import EntrypointExecutionParameter

            connection, queries = await pgqueuer_queries()
            manager = uuid.uuid4()
            entrypoints = {"render": EntrypointExecutionParameter(concurrency_limit=0)}

            async def cycle():
                jobs = await queries.dequeue(
                    at_once, entrypoints, manager, None, timedelta(seconds=30)
                )
                if jobs:
                    await queries.log_jobs([(job, "successful", None) for job in jobs])
                return len(jobs)

            ready.release()
            start.wait()
            latencies, done = [], 0
            while True:
                begin = time.monotonic()
                count = await cycle()
                if count == 0:
                    break
                latencies.append(time.monotonic() - begin)
                done += count
            await connection.close()
            return done, latencies

        return asyncio.run(run())


class Procrastinate:
    def __init__(self):
        import procrastinate

        self.name = f"Procrastinate {procrastinate.__version__}"

    def app(self):
        import procrastinate

        app = procrastinate.App(
            connector=procrastinate.PsycopgConnector(conninfo=DATABASE, min_size=1, max_size=1)
        )
        app.task(lambda: None, name="render")
        return app

    def install(self):
        async def run():
            app = self.app()
            async with app.open_async():
                await app.schema_manager.apply_schema_async()

        asyncio.run(run())

    def enqueue(self, count, slice_size):
        async def run():
            app = self.app()
            latencies = []
            async with app.open_async():
                task = app.configure_task("render")
                for start in range(0, count, slice_size):
                    number = min(slice_size, count - start)
                    begin = time.monotonic()
                    await task.batch_defer_async(*[json.loads(PAYLOAD)] * number)
                    latencies.append(time.monotonic() - begin)
            return latencies

        return asyncio.run(run())

    def work(self, at_once, ready, start):
        async def run():
            from procrastinate.jobs import Status

            app = self.app()
            async with app.open_async():
                manager = app.job_manager
                worker = await manager.register_worker()
                ready.release()
                start.wait()
                latencies, done = [], 0
                while True:
                    begin = time.monotonic()
                    # It claims one job a call, whatever a worker's concurrency is.
                    job = await manager.fetch_job(queues=None, worker_id=worker)
                    if job is None:
                        break
                    await manager.finish_job(job, Status.SUCCEEDED, delete_job=False)
                    latencies.append(time.monotonic() - begin)
                    done += 1
                return done, latencies

        return asyncio.run(run())


def session(peer, at_once, ready, start, results):
    results.put(peer.work(at_once, ready, start))


def claim_complete(peer, at_once, jobs):
    """Jobs per second and the latencies of one run."""
    peer.enqueue(jobs, 1_000)
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        connection.execute("ANALYZE")
    ready, start = multiprocessing.Semaphore(0), multiprocessing.Event()
    results = multiprocessing.Queue()
    sessions = [
        multiprocessing.Process(target=session, args=(peer, at_once, ready, start, results))
        for _ in range(SESSIONS)
    ]
    for process in sessions:
        process.start()
    for _ in sessions:
        ready.acquire()
    begin = time.monotonic()
    start.set()
    found = [results.get() for _ in sessions]
    seconds = time.monotonic() - begin
    for process in sessions:
        process.join()
    assert sum(done for done, _ in found) == jobs, found
    return jobs / seconds, [latency for _, latencies in found for latency in latencies]


def enqueue(peer, jobs):
    begin = time.monotonic()
    latencies = peer.enqueue(jobs, 1_000)
    return jobs / (time.monotonic() - begin), latencies


def report(peer, bench, run):
    run()
    runs = [run() for _ in range(RUNS)]
    latencies = sorted(latency for _, part in runs for latency in part)
    print(
        json.dumps(
            {
                "peer": peer.name,
                "bench": bench,
                "jobsPerSecond": statistics.median(rate for rate, _ in runs),
                "p50Milliseconds": 1_000 * latencies[len(latencies) // 2],
                "p99Milliseconds": 1_000 * latencies[int(0.99 * (len(latencies) - 1))],
            }
        ),
        flush=True,
    )


def main():
    for kind in (PgQueuer, Procrastinate):
        try:
            peer = kind()
        except ImportError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        make_database()
        peer.install()
        for bench, at_once in (
            ("queue.claimComplete.1", 1),
            ("queue.claimComplete", 10),
            ("queue.claimComplete.100", 100),
        ):
            if bench not in BENCHES:
                continue
            # Procrastinate's claims are of one job: one measurement stands for all.
            jobs = JOBS if kind is PgQueuer and at_once > 1 else max(200, JOBS // 10)
            report(peer, bench, lambda: claim_complete(peer, at_once, jobs))
        if "queue.enqueue" in BENCHES:
            report(peer, "queue.enqueue", lambda: enqueue(peer, 4 * JOBS))


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    main()
