/** Reranks the first hits of searches by meaning, with a model that the operator provides. Disabled by default. */

export { type ByMeaning, FIRST, findByMeaning } from './find-by-meaning.ts'
export type { FoundEntity, Meaning } from './meaning.ts'
export { MeaningThread } from './meaning-thread.ts'
export { MODEL_FILES } from './sentence-model.ts'
export type { MeaningOptions } from './thread-program.ts'
