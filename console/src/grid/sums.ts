// Sum, average and empty count of values, exact for decimals: digits are added as whole numbers.

export interface Sums {
    count: number;
    empty: number;
    /** Absent where a value is not a number. */
    sum: string | null;
    average: string | null;
}

/** Adds numbers given as numbers or digits. */
export function sumsOf(values: Iterable<unknown>, numeric: boolean): Sums {
    let count = 0;
    let empty = 0;
    let scale = 0;
    const digits: [bigint, number][] = [];
    for (const value of values) {
        count++;
        if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) {
            empty++;
            continue;
        }
        if (!numeric) continue;
        const text = typeof value === "number" ? plain(value) : String(value);
        const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
        if (!found) continue;
        const fraction = found[3] ?? "";
        scale = Math.max(scale, fraction.length);
        digits.push([BigInt(`${found[1] ?? ""}${found[2] ?? ""}${fraction}`), fraction.length]);
    }
    if (!numeric || digits.length === 0) return { count, empty, sum: null, average: null };
    let sum = 0n;
    for (const [value, places] of digits) sum += value * 10n ** BigInt(scale - places);
    const wide = (sum * 10n ** 4n) / BigInt(digits.length);
    return { count, empty, sum: written(sum, scale), average: trimmed(written(wide, scale + 4)) };
}

function plain(value: number): string {
    if (Number.isInteger(value)) return BigInt(value).toString();
    const text = String(value);
    return /e/i.test(text) ? value.toFixed(12) : text;
}

function written(value: bigint, scale: number): string {
    const sign = value < 0n ? "-" : "";
    const text = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
    return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

function trimmed(text: string): string {
    return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}
