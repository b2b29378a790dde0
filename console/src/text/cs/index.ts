// All texts of one language, which is one chunk.

import app from "./app";
import form from "./form";
import grid from "./grid";
import more from "./more";

export default { app, grid, form, more };
