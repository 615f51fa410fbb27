/** Keeps vectors up to date from the change log of a store, as every view does. */
import { setImmediate } from 'node:timers/promises'
import { follow, type Sink } from '@worldwright/client/follow'
import type { Entity } from '@worldwright/client/protocol'
import type { Change, Changes, Store } from '@worldwright/core/store'
import { storeLog } from '@worldwright/core/store'
import { searchDocumentOf } from '@worldwright/search/entities'
import type { SentenceModel } from './sentence-model.ts'
import type { EntityVector, VectorFile } from './vector-file.ts'

/** Changes per step. An interrupted step is repeated. */
const STEP = 50

/** The store and the model that vectors are made from, and the file that keeps them. */
export interface VectorSource {
  readonly storage: Pick<Store, 'changes' | 'watch'>
  readonly model: SentenceModel
  readonly file: VectorFile
  readonly types: readonly string[]
}

/** Embeds all entities, then those that change, until the signal is aborted. A failure ends it. */
export async function keepVectors(source: VectorSource, signal: AbortSignal): Promise<void> {
  const { storage, types } = source
  const log = storeLog(storage, { types, limit: STEP, nameDamaged: true }, signal)
  for await (const _ of follow(log, vectorSink(source, signal), { signal }));
}

function vectorSink({ model, file }: VectorSource, signal: AbortSignal): Sink<Changes> {
  return {
    checkpoint: () => file.place(),
    async apply({ changes, damaged = [], next }) {
      const vectors: EntityVector[] = []
      for (const change of changes) {
        const made = await vectorOf(change, model, file)
        // Yield after every vector: queries take priority.
        await setImmediate()
        if (signal.aborted) return
        if (made) vectors.push(made)
      }
      if (next !== file.place())
        file.move(vectors, [...changes.filter(({ entity }) => !entity), ...damaged], next)
    },
    restart() {
      // Vectors are kept, so unchanged entities are not embedded again.
      file.move([], [], undefined)
    },
    lost(error) {
      throw error
    },
  }
}

/** Returns the vector of a changed entity; undefined if it was deleted or the file already has the vector of its revision. */
async function vectorOf({ type, id, entity }: Change, model: SentenceModel, file: VectorFile) {
  if (!entity || file.get(entity)) return undefined
  const { title, aliases, summary, text } = searchDocumentOf(JSON.parse(entity.json) as Entity)
  const vector = await model.embed([title, ...aliases, summary, text].filter(Boolean).join('\n'))
  return { type, id, revision: entity.revision, vector }
}
