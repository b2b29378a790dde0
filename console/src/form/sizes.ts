// Sizes of files in words.

/** Sizes as people read them. */
export function sizeText(bytes: number, locale: string): string {
    const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
    let value = bytes;
    let unit = 0;
    while (value >= 1000 && unit < units.length - 1) {
        value /= 1000;
        unit += 1;
    }
    return new Intl.NumberFormat(locale, {
        style: "unit",
        unit: units[unit] ?? "byte",
        unitDisplay: "short",
        maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0,
    }).format(value);
}
