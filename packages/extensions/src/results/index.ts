/** Extension that serves complete query results as files. */
export { RESULTS_EXTENSION, type ResultFormat, type ResultsOptions, results } from './results.ts'
