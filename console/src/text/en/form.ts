// Texts in English: form.

export default {};
