// Compares a build with the packed files that the server embeds: node compare.mjs <folder of the build>

import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const built = process.argv[2];
const packed = join(import.meta.dirname, "dist");
const names = (folder) =>
    readdirSync(folder)
        .filter((name) => /\.(js|css|svg|png|webmanifest)$/.test(name))
        .sort();
const kept = readdirSync(packed)
    .filter((name) => name.endsWith(".br"))
    .map((name) => name.slice(0, -3))
    .sort();
const faults = [];
const fresh = names(built);
for (const name of new Set([...fresh, ...kept])) {
    if (!kept.includes(name)) faults.push(`${name} is not in console/dist`);
    else if (!fresh.includes(name)) faults.push(`${name} is in console/dist, and not in the build`);
    else {
        const content = readFileSync(join(built, name));
        const copies = [
            brotliDecompressSync(readFileSync(join(packed, `${name}.br`))),
            gunzipSync(readFileSync(join(packed, `${name}.gz`))),
        ];
        if (!copies.every((copy) => copy.equals(content))) faults.push(`${name} differs`);
    }
}
if (!readFileSync(join(built, "index.html")).equals(readFileSync(join(packed, "index.html"))))
    faults.push("index.html differs");
if (faults.length > 0) {
    console.error(`The committed build is not that of the sources:\n${faults.join("\n")}\nRun: npm run build`);
    process.exit(1);
}
console.log(`The committed build is that of the sources: ${kept.length} files.`);
