// Texts in Czech: form.

import type en from "../en/form";

const texts: typeof en = {};
export default texts;
