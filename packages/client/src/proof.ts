// Proofs of work, which creating without a key may take: SHA-256, since pages without HTTPS have no `crypto.subtle`.

/** Attempts between two looks at the clock. */
const ROUND = 10_000;
/** Milliseconds after which other work of the page has a turn. */
const TURN = 50;
const BLOCK = 64;

/** The fractions of the roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
const primes = Array.from({ length: 310 }, (_, index) => index + 2).filter((number) => {
    for (let factor = 2; factor * factor <= number; factor++) if (number % factor === 0) return false;
    return true;
});
const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const CONSTANTS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const words = new Int32Array(64);

/** Finds a number so that SHA-256 of `<challenge>.<number>` begins with that many zero bits; returns both. */
export async function prove(challenge: string, difficulty: number, signal?: AbortSignal): Promise<string> {
    const prefix = new TextEncoder().encode(`${challenge}.`);
    const fixed = prefix.length - (prefix.length % BLOCK);
    const start = START.slice();
    for (let at = 0; at < fixed; at += BLOCK) compress(start, prefix, at);
    const state = new Int32Array(8);
    let turn = Date.now();
    for (let number = 0; ; number++) {
        if (number % ROUND === 0 && Date.now() - turn > TURN) {
            await new Promise((resolve) => setTimeout(resolve));
            signal?.throwIfAborted();
            turn = Date.now();
        }
        const bytes = padded(prefix, fixed, `${number}`);
        state.set(start);
        for (let at = 0; at < bytes.length; at += BLOCK) compress(state, bytes, at);
        if (Math.clz32(state[0]!) >= difficulty) return `${challenge}.${number}`;
    }
}

/** Returns the blocks behind the fixed ones: the rest of the text, a one, zeros, and the length in bits. */
function padded(prefix: Uint8Array, fixed: number, digits: string): Uint8Array {
    const rest = prefix.length - fixed;
    const length = rest + digits.length;
    const bytes = new Uint8Array(Math.ceil((length + 9) / BLOCK) * BLOCK);
    bytes.set(prefix.subarray(fixed));
    for (let at = 0; at < digits.length; at++) bytes[rest + at] = digits.charCodeAt(at);
    bytes[length] = 0x80;
    new DataView(bytes.buffer).setUint32(bytes.length - 4, (fixed + length) * 8);
    return bytes;
}

function rotated(word: number, bits: number): number {
    return (word >>> bits) | (word << (32 - bits));
}

/** Takes a block into the state (FIPS 180-4, 6.2.2). */
function compress(state: Int32Array, bytes: Uint8Array, from: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset + from, BLOCK);
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let at = 0; at < 64; at++) {
        if (at < 16) {
            words[at] = view.getInt32(at * 4);
        } else {
            const [early, late] = [words[at - 15]!, words[at - 2]!];
            const small = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
            const large = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
            words[at] = words[at - 16]! + small + words[at - 7]! + large;
        }
        const choice = (e & f) ^ (~e & g);
        const sum = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + CONSTANTS[at]! + words[at]!;
        const majority = (a & b) ^ (a & c) ^ (b & c);
        const other = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + sum) | 0, c, b, a, (sum + other) | 0];
    }
    for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = state[at]! + word;
}
