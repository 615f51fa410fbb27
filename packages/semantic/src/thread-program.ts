/** The program of the thread that runs the model: keeps the vectors of a store, and compares texts with them. */
import { parentPort, workerData } from 'node:worker_threads'
import { openStore, storeAt } from '@worldwright/engines'
import { keepVectors } from './keep-vectors.ts'
import type { FoundEntity } from './meaning.ts'
import { loadSentenceModel } from './sentence-model.ts'
import { VectorFile } from './vector-file.ts'

/** Which model compares the entities of which store. */
export interface MeaningOptions {
  /** The URL of the store, which exists. Vectors lie beside it. */
  readonly store: string
  /** Has the files of a model: see `MODEL_FILES`. Absolute. */
  readonly folder: string
  /** Vectors are made of entities of these types. */
  readonly types: readonly string[]
}

/** What the thread is asked, by a number that comes back with the answer. */
export interface Comparison {
  readonly number: number
  readonly text: string
  readonly entities: readonly FoundEntity[]
}

/** What it answers: see `Meaning.similarities`. */
export interface Compared {
  readonly number: number
  readonly similarities: readonly (number | undefined)[]
}

/** What it says: `ready` once, as soon as it answers. */
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

/** Of two vectors of length 1: how alike their directions are. */
function product(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)
}
