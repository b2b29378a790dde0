// Texts in English: grid.

export default {};
