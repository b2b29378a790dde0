// The name of a browser out of its own header: name and system, as people know them.

const browsers: [RegExp, string][] = [
    [/Edg(?:e|A|iOS)?\/(\d+)/, "Edge"],
    [/OPR\/(\d+)/, "Opera"],
    [/(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
    [/(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/, "Chrome"],
    [/Version\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari/, "Safari"],
    [/^(curl|Wget)\/(\d+)/, ""],
];
const systems: [RegExp, string][] = [
    [/iPhone|iPad/, "iOS"],
    [/Android/, "Android"],
    [/Windows/, "Windows"],
    [/Mac OS X|Macintosh/, "macOS"],
    [/CrOS/, "ChromeOS"],
    [/Linux/, "Linux"],
];

export function browserOf(agent: string | null): string {
    if (agent === null) return "";
    for (const [pattern, name] of browsers) {
        const found = pattern.exec(agent);
        if (found === null) continue;
        const system = systems.find(([one]) => one.test(agent))?.[1];
        return [`${name || (found[1] ?? "")} ${name ? (found[1] ?? "") : (found[2] ?? "")}`.trim(), system]
            .filter(Boolean)
            .join(", ");
    }
    return agent.slice(0, 60);
}
