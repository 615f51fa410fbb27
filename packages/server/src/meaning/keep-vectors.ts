/** Vectors that follow the log of a store, as every view does. */
import { setImmediate } from 'node:timers/promises'
import type { Entity } from '@worldwright/client/protocol'
import { type Change, type Storage, StorageFault } from '../storage/contract.ts'
import { searchDocumentOf } from '../storage/search-text.ts'
import type { SentenceModel } from './sentence-model.ts'
import type { EntityVector, VectorFile } from './vector-file.ts'

/** So many changes are a step: a step that is interrupted is done again. */
const STEP = 50

/** What vectors are made from, by what, and where they are kept. */
export interface VectorSource {
  readonly storage: Pick<Storage, 'changes' | 'watch'>
  readonly model: SentenceModel
  readonly file: VectorFile
  readonly types: readonly string[]
}

/** Makes the vectors of all that is there, then of what changes, until the signal is aborted. */
export async function keepVectors(source: VectorSource, signal: AbortSignal): Promise<void> {
  const moved = source.storage.watch(signal)[Symbol.asyncIterator]()
  // Asked for before looking, so that no write falls between.
  for (let next = moved.next(); !signal.aborted; next = moved.next()) {
    while (!signal.aborted && (await step(source, signal))) {}
    if ((await next).done) return
  }
}

/** Takes the next changes. True if there are more. */
async function step({ storage, model, file, types }: VectorSource, signal: AbortSignal): Promise<boolean> {
  const after = file.place()
  const options = { types, limit: STEP, nameDamaged: true, after }
  try {
    const { changes, damaged = [], next, more } = await storage.changes(options)
    const vectors: EntityVector[] = []
    for (const change of changes) {
      const made = await vectorOf(change, model, file)
      // Questions come first: what waits has its turn after every vector.
      await setImmediate()
      if (signal.aborted) return false
      if (made) vectors.push(made)
    }
    if (next !== after) file.move(vectors, [...changes.filter(({ entity }) => !entity), ...damaged], next)
    return more
  } catch (error) {
    if (!(error instanceof StorageFault && ['expired', 'invalid_place'].includes(error.code))) throw error
    // Vectors stay: of what is as it was, none is made again.
    file.move([], [], undefined)
    return true
  }
}

/** Undefined if there is none to make: what was deleted, or has one of its revision. */
async function vectorOf({ type, id, entity }: Change, model: SentenceModel, file: VectorFile) {
  if (!entity || file.get(entity)) return undefined
  const { title, aliases, summary, text } = searchDocumentOf(JSON.parse(entity.json) as Entity)
  const vector = await model.embed([title, ...aliases, summary, text].filter(Boolean).join('\n'))
  return { type, id, revision: entity.revision, vector }
}
