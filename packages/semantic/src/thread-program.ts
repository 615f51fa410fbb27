/** The program of the model thread: keeps the vectors of a store and compares texts with them. */
import { parentPort, workerData } from 'node:worker_threads'
import { openStore, storeAt } from '@worldwright/engines'
import { keepVectors } from './keep-vectors.ts'
import type { FoundEntity } from './meaning.ts'
import { loadSentenceModel } from './sentence-model.ts'
import { VectorFile } from './vector-file.ts'

/** The store, the types of entities and the model that compares them. */
export interface MeaningOptions {
  /** URL of an existing store. The vectors are kept beside it. */
  readonly store: string
  /** Absolute path of the folder with the model: see `MODEL_FILES`. */
  readonly folder: string
  /** Types whose entities get vectors. */
  readonly types: readonly string[]
}

/** A request to the thread. `number` comes back with the response. */
export interface Comparison {
  readonly number: number
  readonly text: string
  readonly entities: readonly FoundEntity[]
}

/** A response of the thread: see `Meaning.similarities`. */
export interface Compared {
  readonly number: number
  readonly similarities: readonly (number | undefined)[]
}

/** A message from the thread: `ready` once, as soon as it answers, then responses. */
export type Said = Compared | 'ready'

const { store, folder, types }: MeaningOptions = workerData
const { file: storeFile } = await storeAt(store)
const storage = await openStore(store, { role: 'searcher' })
const model = await loadSentenceModel(folder)
const file = new VectorFile(`${storeFile}-meaning`, model.fingerprint, types)

parentPort?.on('message', async ({ number, text, entities }: Comparison) => {
  const vectors = entities.map((entity) => file.get(entity))
  const asked = vectors.some((vector) => vector) ? await model.embed(text) : undefined
  const similarities = vectors.map((vector) => asked && vector && product(asked, vector))
  parentPort?.postMessage({ number, similarities } satisfies Said)
})
parentPort?.postMessage('ready' satisfies Said)
// Never aborted: the thread ends with its process.
await keepVectors({ storage, model, file, types }, new AbortController().signal)

/** Dot product of two vectors of length 1: their cosine similarity. */
function product(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)
}
