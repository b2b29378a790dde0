// The texts of the first load in one language, which are one chunk.

import app from "./app";
import form from "./form";
import grid from "./grid";

export default { app, grid, form };
