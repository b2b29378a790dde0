// Options of the Svelte compiler: runes everywhere, short names of classes, no mark of its version.
export default {
    compilerOptions: {
        runes: true,
        discloseVersion: false,
        cssHash: ({ hash, css }) => `s${hash(css).slice(0, 5)}`,
    },
};
