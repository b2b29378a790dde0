// Packs the built files and lists them for the server: `crates/web/src/console/files.rs`.

import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const dist = join(import.meta.dirname, "dist");
const list = join(import.meta.dirname, "../crates/web/src/console/files.rs");
const types = {
    js: "text/javascript; charset=utf-8",
    css: "text/css; charset=utf-8",
    svg: "image/svg+xml",
    png: "image/png",
    webmanifest: "application/manifest+json",
};

for (const name of readdirSync(dist)) if (/\.(br|gz)$/.test(name)) rmSync(join(dist, name));

// Every place of the console is served by one page: the server fills in the way from the place to the files.
const page = readFileSync(join(dist, "index.html"), "utf8")
    .replace(/(src|href)="\.\//g, '$1="{root}console/')
    .replace('href="/account"', 'href="{root}account"');
const entries = [];
for (const name of readdirSync(dist).sort()) {
    const type = types[name.split(".").pop()];
    if (type === undefined) continue;
    const content = readFileSync(join(dist, name));
    const options = {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    };
    writeFileSync(join(dist, `${name}.br`), brotliCompressSync(content, options));
    writeFileSync(join(dist, `${name}.gz`), gzipSync(content, { level: 9 }));
    entries.push(`    file!(${JSON.stringify(name)}, ${JSON.stringify(type)}),\n`);
}
writeFileSync(
    list,
    `//! The files of the console, as \`console/embed.mjs\` lists them after each build. Not edited by hand.

use super::ConsoleFile;

macro_rules! file {
    ($name:literal, $media_type:literal) => {
        ConsoleFile {
            name: $name,
            media_type: $media_type,
            brotli: include_bytes!(concat!("../../../../console/dist/", $name, ".br")),
            gzip: include_bytes!(concat!("../../../../console/dist/", $name, ".gz")),
        }
    };
}

/// The page of all places.
pub(super) const PAGE: &str = r##"${page.trim()}
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; ${entries.length}] = [
${entries.join("")}];
`,
);
