/** Whole answers to precise questions as files, as routes for a handler. */
export type { ResultFormat, ResultsApi, WriteResult } from './results.ts'
export { createResultsApi, RESULTS_EXTENSION } from './results.ts'
