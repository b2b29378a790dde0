import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://host", pathname: "/", search: "" });
const { ApiError, call, client } = await import("./call");

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
vi.stubGlobal("fetch", fetched);

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
    const text = status === 304 || status === 204 ? null : JSON.stringify(body);
    return new Response(text, { status, headers });
}

describe("call", () => {
    beforeEach(() => {
        vi.useFakeTimers();
        fetched.mockReset();
        client.proof = "12.A";
        client.signInAgain = () => Promise.resolve(false);
    });
    afterEach(() => {
        vi.useRealTimers();
    });

    it("sends proof, validator and body", async () => {
        fetched.mockResolvedValueOnce(json(200, { id: 5 }, { etag: '"2"' }));
        const answer = await call("PATCH", "collection/ticket/5", {
            body: { status: "open" },
            ifMatch: '"1"',
            query: { trial: 1 },
        });
        expect(answer).toMatchObject({ data: { id: 5 }, etag: '"2"', status: 200 });
        const [url, init] = fetched.mock.calls[0] ?? [];
        expect(url).toMatch(/^http:\/\/host\/.*api\/ext\/v1\/collection\/ticket\/5\?trial=1$/);
        const headers = new Headers(init?.headers);
        expect(headers.get("x-plinth-proof")).toBe("12.A");
        expect(headers.get("if-match")).toBe('"1"');
        expect(init?.body).toBe('{"status":"open"}');
    });

    it("sends the key while the person acts as another user, but not for what is the person's own", async () => {
        client.key = "plk_2";
        try {
            const sent: (string | null)[] = [];
            for (const path of ["collection/ticket", "session/list", "setting/console", "login-as/3", "keyring"]) {
                fetched.mockResolvedValueOnce(json(200, {}));
                await call("GET", path);
                const headers = new Headers(fetched.mock.calls.at(-1)?.[1].headers);
                sent.push(headers.get("key") ?? headers.get("x-plinth-proof"));
            }
            expect(sent).toEqual(["plk_2", "12.A", "12.A", "12.A", "plk_2"]);
            const ended = vi.fn();
            client.keyEnded = ended;
            fetched.mockResolvedValueOnce(json(403, { status: 403, code: "key_invalid" }));
            await expect(call("GET", "collection/ticket")).rejects.toMatchObject({ code: "key_invalid" });
            expect(ended).toHaveBeenCalledOnce();
        } finally {
            client.key = "";
        }
    });

    it("raises what the server says", async () => {
        const errors = [{ property: "status", code: "not_option", message: "No." }];
        fetched.mockResolvedValueOnce(
            json(400, { status: 400, detail: "No.", code: "not_option", requestId: "r", errors }),
        );
        await expect(call("POST", "collection/ticket", { body: {} })).rejects.toMatchObject({
            status: 400,
            code: "not_option",
            requestId: "r",
            errors,
        });
    });

    it("repeats GET alone", async () => {
        fetched.mockImplementation(() => Promise.resolve(json(503, {})));
        const read = call("GET", "model").catch((error: unknown) => error);
        await vi.runAllTimersAsync();
        expect(await read).toBeInstanceOf(ApiError);
        expect(fetched).toHaveBeenCalledTimes(3);
        fetched.mockClear();
        await expect(call("POST", "collection/ticket/search", { body: {} })).rejects.toMatchObject({ status: 503 });
        expect(fetched).toHaveBeenCalledTimes(1);
    });

    it("waits as long as the server wants", async () => {
        const limited = vi.spyOn(client, "limited");
        fetched.mockResolvedValueOnce(json(429, { code: "rate_limited" }, { "retry-after": "7" }));
        fetched.mockResolvedValueOnce(json(200, []));
        const read = call("GET", "model");
        await vi.advanceTimersByTimeAsync(6900);
        expect(fetched).toHaveBeenCalledTimes(1);
        await vi.advanceTimersByTimeAsync(200);
        await read;
        expect(limited).toHaveBeenCalledWith(expect.any(Number));
    });

    it("repeats a write after the user has signed in again", async () => {
        client.signInAgain = () => {
            client.proof = "13.B";
            return Promise.resolve(true);
        };
        fetched.mockResolvedValueOnce(json(403, { code: "key_invalid" }));
        fetched.mockResolvedValueOnce(json(200, { id: 1 }));
        await call("POST", "collection/ticket", { body: {} });
        expect(new Headers(fetched.mock.calls[1]?.[1].headers).get("x-plinth-proof")).toBe("13.B");
    });

    it("says that there is no network", async () => {
        const online = vi.spyOn(client, "online");
        fetched.mockRejectedValueOnce(new TypeError("failed"));
        await expect(call("DELETE", "collection/ticket/5")).rejects.toMatchObject({ status: 0, code: "offline" });
        expect(online).toHaveBeenCalledWith(false);
    });
});
