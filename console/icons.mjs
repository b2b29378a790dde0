// Writes src/ui/icons.ts out of the SVG files of lucide-static: node icons.mjs <folder with icons/> <version>

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const names = `house database layout-dashboard search inbox menu ellipsis chevron-down chevron-right
chevron-left chevron-up x plus check circle-alert triangle-alert info trash-2 pencil copy download upload file
image link external-link tag user users log-out key list arrow-up arrow-down arrow-up-down table columns-3 eye
eye-off lock refresh-cw clock calendar undo-2 panel-left sliders-horizontal play activity send history archive
keyboard globe rows-3 mail phone bookmark maximize-2 circle-question-mark wifi-off workflow funnel layers chart-column`.split(
    /\s+/,
);

const folder = process.argv[2];
if (folder === undefined) throw new Error("the folder of lucide-static is missing");
const version = process.argv[3];

/** Paths are put one after the other: a relative beginning would count from the end of the one before. */
function absolute(data) {
    return data.replace(/^m\s*(-?[\d.]+)[\s,]*(-?[\d.]+)(\s*,?\s*)(.?)/, (_, x, y, space, next) =>
        /[-\d.]/.test(next) ? `M${x} ${y}l${next}` : `M${x} ${y}${space}${next}`,
    );
}

/** A shape as the data of a path. */
function path(shape, attributes) {
    const value = (name) => Number(attributes[name] ?? 0);
    switch (shape) {
        case "path":
            return absolute(attributes.d);
        case "line":
            return `M${value("x1")} ${value("y1")}L${value("x2")} ${value("y2")}`;
        case "polyline":
        case "polygon":
            return `M${attributes.points.trim()}${shape === "polygon" ? "z" : ""}`;
        case "circle":
        case "ellipse": {
            const rx = attributes.r ?? attributes.rx;
            const ry = attributes.r ?? attributes.ry;
            const arc = `a${rx} ${ry} 0 1 0 `;
            return `M${value("cx") - Number(rx)} ${value("cy")}${arc}${2 * rx} 0${arc}${-2 * rx} 0`;
        }
        case "rect": {
            const r = Number(attributes.rx ?? attributes.ry ?? 0);
            const [w, h] = [value("width"), value("height")];
            const corner = (x, y) => (r === 0 ? "" : `a${r} ${r} 0 0 1 ${x} ${y}`);
            return (
                `M${value("x") + r} ${value("y")}h${w - 2 * r}${corner(r, r)}v${h - 2 * r}${corner(-r, r)}` +
                `h${2 * r - w}${corner(-r, -r)}v${2 * r - h}${corner(r, -r)}z`
            );
        }
        default:
            throw new Error(`no path for ${shape}`);
    }
}

const lines = names.sort().map((name) => {
    const text = readFileSync(join(folder, "icons", `${name}.svg`), "utf8").replace(/<svg[^>]*>/, "");
    const data = [...text.matchAll(/<(path|line|polyline|polygon|circle|ellipse|rect)\s([^>]*?)\/?>/g)].map(
        ([, shape, rest]) =>
            path(
                shape,
                Object.fromEntries([...rest.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
            ),
    );
    return `    "${name}": "${data.join("")}",`;
});

writeFileSync(
    "src/ui/icons.ts",
    `// The icons: paths in a square of 24, made by icons.mjs out of lucide-static ${version} (ISC, see NOTICE).

export const icons = {
${lines.join("\n")}
} as const;

export type IconName = keyof typeof icons;
`,
);
