// Texts in Czech: grid.

import type en from "../en/grid";

const texts: typeof en = {};
export default texts;
