// The request of a list as a command line, with a place for the key.

/** Quotes a text for a POSIX shell. */
export function shellQuote(text: string): string {
    return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `base` is the address of the tenant's place, with a slash at its end. */
export function asCurl(base: string, type: string, body: Record<string, unknown>): string {
    const address = `${base}api/ext/v1/collection/${encodeURIComponent(type)}/search`;
    return [
        `curl -s ${shellQuote(address)}`,
        `  -H "Authorization: Bearer $PLINTH_KEY"`,
        `  -H 'Content-Type: application/json'`,
        `  -d ${shellQuote(JSON.stringify(body))}`,
    ].join(" \\\n");
}
