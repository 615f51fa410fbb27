/** Entry point of the model thread, which maintains the vectors of a store and compares texts with them. */
import { parentPort, workerData } from 'node:worker_threads'
import { openStore, storeAt } from '@worldwright/engines'
import { keepVectors } from './keep-vectors.ts'
import type { FoundEntity } from './meaning.ts'
import { loadSentenceModel } from './sentence-model.ts'
import { VectorFile } from './vector-file.ts'

/** Store, entity types and model of a model thread. */
export interface MeaningOptions {
  /** URL of an existing store. The vector file is next to it. */
  readonly store: string
  /** Absolute path of the folder with the model's files, as named by `MODEL_FILES`. */
  readonly folder: string
  /** Types whose entities get vectors. */
  readonly types: readonly string[]
}

/** A request to the thread. The response repeats `number`. */
export interface Comparison {
  readonly number: number
  readonly text: string
  readonly entities: readonly FoundEntity[]
}

/** A response from the thread, with the result of `Meaning.similarities`. */
export interface Compared {
  readonly number: number
  readonly similarities: readonly (number | undefined)[]
}

/** Message from the thread: `ready` once it accepts requests, then responses. */
export type Said = Compared | 'ready'

const { store: url, folder, types }: MeaningOptions = workerData
const { file: storeFile } = await storeAt(url)
const store = await openStore(url, { role: 'searcher' })
const model = await loadSentenceModel(folder)
const file = new VectorFile(`${storeFile}-meaning`, model.fingerprint, types)

parentPort?.on('message', async ({ number, text, entities }: Comparison) => {
  const vectors = entities.map((entity) => file.get(entity))
  const asked = vectors.some((vector) => vector) ? await model.embed(text) : undefined
  const similarities = vectors.map((vector) => asked && vector && product(asked, vector))
  parentPort?.postMessage({ number, similarities } satisfies Said)
})
parentPort?.postMessage('ready' satisfies Said)
// The signal is never aborted, because the thread is terminated.
await keepVectors({ store, model, file, types }, new AbortController().signal)

/** Returns the dot product of two vectors of length 1, which is their cosine similarity. */
function product(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)
}
