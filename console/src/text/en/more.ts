// Texts in English: more.

export default {};
