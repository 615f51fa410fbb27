/** Keeps vectors up to date by following the change log of a store. */
import { setImmediate } from 'node:timers/promises'
import { follow, type Sink } from '@worldwright/client/follow'
import type { Entity } from '@worldwright/client/protocol'
import type { Change, Changes, Store } from '@worldwright/core/store'
import { searchDocumentOf } from '@worldwright/search/entities'
import type { SentenceModel } from './sentence-model.ts'
import { storeLog } from './store-log.ts'
import type { EntityVector, VectorFile } from './vector-file.ts'

/** Number of changes per batch. An interrupted batch is repeated. */
const STEP = 50

/** Store and model to compute vectors from, and the file that stores the vectors. */
export interface VectorSource {
  readonly store: Pick<Store, 'changes' | 'watch'>
  readonly model: SentenceModel
  readonly file: VectorFile
  readonly types: readonly string[]
}

/** Embeds all entities, then each change, until the signal is aborted. Throws on the first failure. */
export async function keepVectors(source: VectorSource, signal: AbortSignal): Promise<void> {
  const { store, types } = source
  const log = storeLog(store, { types, limit: STEP, nameDamaged: true }, signal)
  for await (const _ of follow(log, vectorSink(source, signal), { signal }));
}

function vectorSink({ model, file }: VectorSource, signal: AbortSignal): Sink<Changes> {
  return {
    checkpoint: () => file.offset(),
    async apply({ changes, damaged = [], next }) {
      const vectors: EntityVector[] = []
      for (const change of changes) {
        const made = await vectorOf(change, model, file)
        // Yield after every vector, so that queries have priority.
        await setImmediate()
        if (signal.aborted) return
        if (made) vectors.push(made)
      }
      if (next !== file.offset())
        file.move(vectors, [...changes.filter(({ entity }) => !entity), ...damaged], next)
    },
    restart() {
      // Keep the vectors, so that unchanged entities are not embedded again.
      file.move([], [], undefined)
    },
    lost(error) {
      throw error
    },
  }
}

/** Computes the vector of a changed entity. Returns undefined if it was deleted or its vector is up to date. */
async function vectorOf({ type, id, entity }: Change, model: SentenceModel, file: VectorFile) {
  if (!entity || file.get(entity)) return undefined
  const { title, aliases, summary, text } = searchDocumentOf(JSON.parse(entity.json) as Entity)
  const vector = await model.embed([title, ...aliases, summary, text].filter(Boolean).join('\n'))
  return { type, id, revision: entity.revision, vector }
}
