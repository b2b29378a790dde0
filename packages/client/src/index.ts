// The package's one door: what programs and generated types use.

export { connect } from "./connect.js";
export type { Options } from "./http.js";
export { etagOf } from "./http.js";
export { PlinthError, type Mistake } from "./error.js";
export { Ref, type Reference } from "./batch.js";
export type * from "./aggregate-types.js";
export type * from "./client-types.js";
export type * from "./filter-types.js";
export type * from "./selection-types.js";
