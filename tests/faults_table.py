"""The table of the faults of tests/faults: each with its goal, its function and its counts."""

import collections

import faults_kills as kills

Fault = collections.namedtuple("Fault", "name how goal act short long kills")


FAULTS = [
    Fault("kills of a node on SQLite", "kill -9 at random times under load", "lost 0, doubled 0; ready ≤ 1 s p99",
          kills.kills_sqlite, 4, 400, True),
    Fault("kills of a node on PostgreSQL", "the same, with one node on PostgreSQL", "lost 0, doubled 0; ready ≤ 1 s p99",
          kills.kills_postgres, 3, 200, True),
    Fault("kills of one of two nodes", "the same, with two nodes on one PostgreSQL", "other node's errors ≤ 0.1 %",
          kills.kills_nodes, 3, 200, True),
]
