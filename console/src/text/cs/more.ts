// Texts in Czech: more.

import type en from "../en/more";

const texts: typeof en = {};
export default texts;
