// How the console is built, and how it is served while it is developed.

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const server = process.env["PLINTH_URL"] ?? "http://127.0.0.1:8201";
const key = process.env["PLINTH_KEY"];

/** Passes requests on to a running server; with a key where the server knows no session of the console. */
const proxied = { target: server, changeOrigin: true, headers: key === undefined ? undefined : { key } };

/** What is shown first: the shell, the grid and the form. */
const roots = /\/src\/(main\.ts|screens\/(Collection|Record|RecordPanel)\.svelte)$/;

interface ModuleGraph {
    getModuleInfo: (id: string) => { importers: string[] } | null;
}

/** One chunk for all that these need at once: many small ones compress badly, and wait for one another. */
function firstLoad(id: string, graph: ModuleGraph): string | null {
    const seen = new Set<string>();
    const isNeeded = (module: string): boolean => {
        if (roots.test(module)) return true;
        if (seen.has(module)) return false;
        seen.add(module);
        return (graph.getModuleInfo(module)?.importers ?? []).some(isNeeded);
    };
    return isNeeded(id) ? "console" : null;
}

export default defineConfig({
    base: "./",
    plugins: [svelte()],
    server: {
        host: "127.0.0.1",
        port: 8300,
        proxy: Object.fromEntries(
            // The page `/account` is the server's; `/account/keys` and its like are the console's.
            ["^/api/", "^/sign-(in|out|up)", "^/account$", "^/(forgot|reset|verify)", "^/assets/"].map((path) => [
                path,
                proxied,
            ]),
        ),
    },
    build: {
        target: "es2022",
        assetsDir: "",
        manifest: true,
        // What a screen imports is in the shared chunk: there is hardly anything to load before it.
        modulePreload: false,
        // Images as files: the policy of the page takes no data: addresses.
        assetsInlineLimit: 0,
        reportCompressedSize: false,
        rolldownOptions: {
            output: {
                hashCharacters: "base36",
                entryFileNames: "[name]-[hash].js",
                chunkFileNames: "[name]-[hash].js",
                assetFileNames: "[name]-[hash][extname]",
                codeSplitting: { groups: [{ name: firstLoad }] },
            },
        },
    },
    test: {
        include: ["src/**/*.test.ts"],
        environment: "node",
    },
});
