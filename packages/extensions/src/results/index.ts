/** Whole results of precise queries as files: an extension of a world. */
export type { ResultFormat, ResultsOptions } from './results.ts'
export { RESULTS_EXTENSION, results } from './results.ts'
