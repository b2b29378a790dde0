// How the console is built, and how it is served while it is developed.

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const server = process.env["PLINTH_URL"] ?? "http://127.0.0.1:8201";
const key = process.env["PLINTH_KEY"];

/** Passes requests on to a running server; with a key where the server knows no session of the console. */
const proxied = { target: server, changeOrigin: true, headers: key === undefined ? undefined : { key } };

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
        modulePreload: { polyfill: false },
        // Images as files: the policy of the page takes no data: addresses.
        assetsInlineLimit: 0,
        reportCompressedSize: false,
        rolldownOptions: {
            output: {
                hashCharacters: "base36",
                entryFileNames: "[name]-[hash].js",
                chunkFileNames: "[name]-[hash].js",
                assetFileNames: "[name]-[hash][extname]",
                codeSplitting: {
                    groups: [
                        // What several parts of the first load share is one chunk: many small ones compress badly.
                        {
                            name: "shared",
                            test: /src\/(form|data|filter|grid\/paint|app\/(settings|router|places|keys|layers|session)|ui\/(Combobox|combobox|Dialog|Dot|Field|Tabs))/,
                            minShareCount: 2,
                        },
                    ],
                },
            },
        },
    },
    test: {
        include: ["src/**/*.test.ts"],
        environment: "node",
    },
});
