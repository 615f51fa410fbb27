/** Vectors that follow the log of a store, as every view does. */
import { setImmediate } from 'node:timers/promises'
import { follow, type Sink } from '@worldwright/client/follow'
import type { Entity } from '@worldwright/client/protocol'
import type { Change, Changes, Store } from '@worldwright/core/store'
import { storeLog } from '@worldwright/core/store'
import { searchDocumentOf } from '@worldwright/search/entities'
import type { SentenceModel } from './sentence-model.ts'
import type { EntityVector, VectorFile } from './vector-file.ts'

/** So many changes are a step: a step that is interrupted is done again. */
const STEP = 50

/** What vectors are made from, by what, and where they are kept. */
export interface VectorSource {
  readonly storage: Pick<Store, 'changes' | 'watch'>
  readonly model: SentenceModel
  readonly file: VectorFile
  readonly types: readonly string[]
}

/** Makes the vectors of all that is there, then of what changes, until the signal is aborted. Failures end it. */
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
        // Questions come first: what waits has its turn after every vector.
        await setImmediate()
        if (signal.aborted) return
        if (made) vectors.push(made)
      }
      if (next !== file.place())
        file.move(vectors, [...changes.filter(({ entity }) => !entity), ...damaged], next)
    },
    restart() {
      // Vectors stay: of what is as it was, none is made again.
      file.move([], [], undefined)
    },
    lost(error) {
      throw error
    },
  }
}

/** Undefined if there is none to make: what was deleted, or has one of its revision. */
async function vectorOf({ type, id, entity }: Change, model: SentenceModel, file: VectorFile) {
  if (!entity || file.get(entity)) return undefined
  const { title, aliases, summary, text } = searchDocumentOf(JSON.parse(entity.json) as Entity)
  const vector = await model.embed([title, ...aliases, summary, text].filter(Boolean).join('\n'))
  return { type, id, revision: entity.revision, vector }
}
