#!/usr/bin/env python3
"""Prints p50, p95 (ms) and mean CPU (c) of pages of indexed orders of 1,000,000 rows, by their position.

Usage: benches/deep_pages.py PLINTH DATA_FOLDER [POSTGRES_URL]. PGPID names the postmaster whose CPU counts, too; N, ROWS,
ORDERS and PORT change the run.
"""

import sys, os, subprocess, json, time, random, http.client, statistics

plinth, data = sys.argv[1], sys.argv[2]
pg = sys.argv[3] if len(sys.argv) > 3 else None
rows = int(os.environ.get("ROWS", "1000000"))
port = int(os.environ.get("PORT", "7781"))
base = ["--data", data] + (["--postgres", pg] if pg else [])
cfg = data + "-files"


def run(*a):
    return subprocess.run([plinth, *a, *base], check=True, capture_output=True, text=True).stdout


if not os.path.exists(data + "-key"):
    os.makedirs(cfg + "/types", exist_ok=True)
    os.makedirs(cfg + "/roles", exist_ok=True)
    open(cfg + "/tenant.yaml", "w").write("tenant: acme\napi: {rate: 0, maxPageLength: 500}\n")
    open(cfg + "/roles/all.yaml", "w").write('role: all\nsystem: ["*"]\ntypes: {"*": {show: true, edit: true}}\n')
    open(cfg + "/types/ticket.yaml", "w").write("""name: ticket
indexes: [[status, views]]
properties:
  subject: {kind: pString, required: true, index: true}
  status: {kind: pEnum, index: true, options: {open: {}, closed: {}, waiting: {}, new: {}, lost: {}}}
  views: {kind: pInteger, index: true}
  opened: {kind: pDateTime, index: true}
  price: {kind: pDecimal}
""")
    run("apply", cfg)
    run("user", "create", "ann", "--role", "all")
    key = run("key", "create", "ann").strip()
    r = random.Random(1)
    if not os.path.exists(data + ".csv"):
        with open(data + ".csv", "w") as f:
            f.write("subject,status,views,opened,price\n")
            for i in range(rows):
                v = r.randrange(rows) if r.random() > 0.05 else ""
                f.write(
                    f"Ticket {r.randrange(10**7)},{r.choice(['open','closed','waiting','new','lost'])},{v},2026-{r.randrange(1,13):02}-{r.randrange(1,29):02}T{r.randrange(24):02}:{r.randrange(60):02}:{r.randrange(60):02}Z,{r.randrange(10**6)/100}\n"
                )
    t = time.time()
    print(run("import", "ticket", data + ".csv", "--exclusive"), end="")
    print("import", round(time.time() - t, 1))
    # gaps among the ids
    open(data + "-key", "w").write(key)
key = open(data + "-key").read().strip()
env = dict(os.environ)
log = open(data + ".log", "w")
p = subprocess.Popen([plinth, "serve", *base, "--listen", f"127.0.0.1:{port}"], stdout=log, stderr=log)
try:
    for _ in range(100):
        try:
            http.client.HTTPConnection("127.0.0.1", port, timeout=5).request("GET", "/health")
            break
        except OSError:
            time.sleep(0.1)
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def get(path, fresh=False):
        t = time.perf_counter()
        c.request("GET", path, headers={"key": key, **({"Cache-Control": "no-cache"} if fresh else {})})
        a = c.getresponse()
        b = a.read()
        t = (time.perf_counter() - t) * 1000
        assert a.status == 200, (a.status, b[:300])
        return t, b

    PGPID = os.environ.get("PGPID")

    def cpu():
        pids = [str(p.pid)]
        if PGPID:
            pids += subprocess.run(["pgrep", "-P", PGPID], capture_output=True, text=True).stdout.split()
        n = 0
        for x in pids:
            try:
                f = open(f"/proc/{x}/stat").read().rsplit(")", 1)[1].split()
                n += int(f[11]) + int(f[12])
            except OSError:
                pass
        return n * 10

    def total(path):
        return json.loads(get(path)[1])["stats"]["total"]

    r = random.Random(int(os.environ.get("SEED", "2")))
    n = int(os.environ.get("N", "25"))
    orders = os.environ.get(
        "ORDERS", "id -id views -views opened -opened subject -subject status -status status,views f:-views"
    ).split()
    for fresh in (True, False):
        print("fresh" if fresh else "cached")
        print(f"{'order':14}" + "".join(f"{x:>24}" for x in ("1", "1/4", "1/2", "3/4", "end", "anywhere")))
        for o in orders:
            flt = ""
            oo = o
            if o.startswith("f:"):
                oo = o[2:]
                flt = "&filters=%5B%7B%22property%22:%22status%22,%22type%22:%22eq%22,%22param%22:%22open%22%7D%5D"
            url = f"/api/ext/v1/collection/ticket?orderBy={oo}&perPage=25" + flt
            pages = max(1, total(url) // 25)
            out = []
            for lo, hi in ((1, 1), (0.25, 0.25), (0.5, 0.5), (0.75, 0.75), (1, 1.0001), (0, 1)):
                ts = []
                c0 = cpu()
                for i in range(n):
                    if (lo, hi) == (1, 1):
                        page = 1
                    elif lo == 0:
                        page = r.randrange(1, pages + 1)
                    else:
                        page = min(pages, max(1, int(pages * lo) - r.randrange(0, 1000)))
                    ts.append(get(url + f"&page={page}", fresh)[0])
                ts.sort()
                out.append(
                    f"{statistics.median(ts):7.1f} {ts[min(len(ts)-1,int(len(ts)*.95))]:7.1f} {(cpu()-c0)/n:6.1f}c"
                )
            print(f"{o:14}" + " ".join(out), flush=True)
finally:
    p.terminate()
    p.wait()
