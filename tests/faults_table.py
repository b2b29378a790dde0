"""The table of the faults of tests/faults: each with its goal, its function and its counts."""

import collections

import faults_clock as clock
import faults_database as database
import faults_disk as disk
import faults_gateways as gateways
import faults_kills as kills
import faults_limits as limits
import faults_migration as migration
import faults_network as network
import faults_planted as planted
import faults_power as power
import faults_promotions as promotions
import faults_receivers as receivers
import faults_slow as slow
import faults_soak as soak
import faults_stops as stops

Fault = collections.namedtuple("Fault", "name how goal act short long kills waits", defaults=[False])

# The fault whose count is minutes.
SOAK = "everything for a long time"
FAULTS = [
    Fault("judge", "a lost row, a doubled one, half a pair, a wrong counter, a changed file, planted beside the ledger",
          "each is found", planted.planted, 1, 1, False),
    Fault("kills of a node on SQLite", "kill -9 at random times under load", "lost 0, doubled 0; ready ≤ 1 s p99",
          kills.kills_sqlite, 4, 400, True),
    Fault("kills of a node on PostgreSQL", "the same, with one node on PostgreSQL", "lost 0, doubled 0; ready ≤ 1 s p99",
          kills.kills_postgres, 3, 200, True),
    Fault("kills of one of two nodes", "the same, with two nodes on one PostgreSQL", "other node's errors ≤ 0.1 %",
          kills.kills_nodes, 3, 200, True),
    Fault("kills at steps of a write", "strace kills a node under load at one of its next writes, syncs and messages, on both engines",
          "lost 0, doubled 0; ready ≤ 1 s p99", kills.kills_steps, 4, 100, True),
    Fault("kills of PostgreSQL", "kill -9 of all its processes under load, with two nodes",
          "lost 0, doubled 0; no restart of a node", kills.kills_database, 2, 100, True),
    Fault("SIGTERM under load", "SIGTERM to two nodes in turn; clients that honour readiness, then others",
          "failed 0 and 0; exit ≤ drain + 1 s", stops.sigterm, 4, 100, False),
    Fault("mails of a killed node", "kill -9 while a node sends mails",
          "none lost; repeats ≤ places, with the same Message-ID", stops.mails, 2, 100, False, True),
    Fault("disk full", "a small file system that is filled under load, and has room again",
          "never acknowledged and lost; reads 100 %; no restart", disk.disk_full, 2, 50, False),
    Fault("errors of the disk", "strace makes the n-th fsync or write fail with EIO or ENOSPC, or all of a second",
          "never acknowledged and lost; no restart", disk.disk_errors, 4, 200, False),
    Fault("corrupted store of one tenant", "flipped pages in the file of 1 of 20 tenants",
          "others' errors 0", disk.corrupted, 2, 10, False),
    Fault("killed changes of types", "kill -9 of `apply` at its writes, syncs and messages, beside a server, on both engines",
          "rows as before or as after, whole; the next apply ends", migration.migration, 2, 60, False),
    Fault("power loss", "strace records the calls; what no fsync had saved is dropped, torn, reordered (SQLite, files)",
          "lost 0; no store damaged", power.power, 2, 500, False),
    Fault("power loss of PostgreSQL", "strace records the calls of a PostgreSQL server; what no fsync had saved is dropped, torn, reordered",
          "lost 0; the server starts", power.power_postgres, 0, 40, False),
    Fault("database that does not serve", "SIGSTOP; no connection left; wrong password; a standby, which is read-only",
          "503 within the wait; writes again by itself", database.database, 1, 10, False, True),
    Fault("promoted standbys", "the primary of two members ends or falls silent, and its standby is promoted",
          "first write ≤ 1 s after the standby takes writes; lost 0", promotions.promotions, 2, 20, False, True),
    Fault("network that is cut", "one of two nodes is cut off from the database: nft drop, nft reject, link down, ss -K",
          "503 within the wait + 1 s; other node's errors ≤ 0.1 %; heals ≤ 2 s; lost 0, doubled 0, split writes 0",
          network.network, 1, 5, False, True),
    Fault("slow database", "locks of one tenant's tables for 5 s; fsync of PostgreSQL and of a node with SQLite takes 200 ms",
          "others' p99 ≤ 2 times, or below 20 ms; nothing lost or refused; no restart", slow.slow, 1, 5, False, True),
    Fault("clock of one node", "faketime: ±120 s and ±1 day, changed while it runs",
          "jobs doubled or skipped 0", clock.clock, 1, 12, False, True),
    Fault("clock of a node on SQLite", "faketime: a day ahead, and back, while it runs",
          "jobs doubled or skipped 0", clock.clock_sqlite, 1, 3, False, True),
    Fault("bad receivers", "receivers that hang, drip, redirect, answer 200 MB; a mail server that hangs for one domain",
          "others wait 0 once a bad one is known as such, which takes 2 s", receivers.receivers, 1, 10, False, True),
    Fault("bad gateway and bucket", "an SMS gateway and a bucket of S3 that hang, drip, cut, refuse, redirect",
          "others wait 0; uploads end with 503 within the limit; nothing lost", gateways.gateways, 1, 5, False, True),
    Fault("limits", "512 MiB of memory, 256 files, 60 clients and 60 slow ones",
          "no kill by the kernel; as much done as with 4 clients", limits.limits, 1, 10, False),
    Fault("kills in backup and restore", "kill -9 of the commands beside a server under load, on both engines",
          "lost 0; each archive whole; the restored tenant whole or absent", kills.kills_backup, 2, 50, True),
    Fault(SOAK, "writes, lists, uploads, automations, schedules, mails, backups on two servers, one of which is killed",
          "lost 0; memory grows ≤ 5 %, files and threads ≤ 5 % or by 2; available ≥ 99.9 % outside outages", soak.soak, 0, 360, False),
]
