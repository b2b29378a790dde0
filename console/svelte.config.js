// Options of the Svelte compiler: runes everywhere, and accessibility warnings as errors (by `npm run check`).
export default { compilerOptions: { runes: true } };
