/** Verifies that the index in a cluster agrees with the entities of its store, and requests a rebuild. */

import type { IndexRules, Store, StoredEntity } from '@worldwright/core/store'
import { indexRules, positionNow } from '@worldwright/core/store'
import { addedUp, DocumentAnalyser, type WordCounts } from '@worldwright/search'
import { documentFromJson } from '@worldwright/search/entities'
import { openSearchAddress } from './address.ts'
import { Cluster } from './cluster.ts'
import { documentId, type IndexDocument, indexDocument } from './documents.ts'
import { Feeder, isRebuildRequested, requestRebuild } from './feeder.ts'
import { Counter } from './index-feed.ts'
import { IndexView } from './index-view.ts'

/** Entities compared per request. */
const BATCH = 500
const LOOK_MS = 200

/** Differences between an index in a cluster and the entities. */
export interface ClusterVerdict {
  readonly agrees: boolean
  /** Entities that the index lacks, or has with other words. */
  readonly missing: number
  /** Documents without an entity. */
  readonly extra: number
  /** Words whose count differs from their occurrences. */
  readonly miscounted: number
}

/**
 * Compares the index with the entities of a store. Entities written meanwhile are reported as missing.
 * @throws StorageFault `search_unreachable`; `index_rebuilding`; `busy` if the index has not reached the store's position
 */
export async function verifyClusterIndex(
  storage: Pick<Store, 'snapshot' | 'values' | 'changes'>,
  url: string,
): Promise<ClusterVerdict> {
  const cluster = new Cluster(openSearchAddress(url))
  const { index, words } = await new IndexView(cluster).look(await positionNow(storage))
  const rules = await indexRules(storage)
  const counter = new Counter()
  const snapshot = await storage.snapshot()
  let missing = 0
  let entities = 0
  try {
    for await (const batch of batches(snapshot.entities())) {
      const documents = documentsOf(batch, rules)
      entities += documents.length
      for (const document of documents) counter.replace(undefined, document)
      missing += await different(cluster, index, documents)
    }
  } finally {
    await snapshot.close()
  }
  const { count } = await cluster.do(`${index}/_count`)
  const extra = Math.max(0, count - (entities - missing))
  const miscounted = differences(words.counts(), counter)
  return { agrees: missing + extra + miscounted === 0, missing, extra, miscounted }
}

/**
 * Requests a rebuild of the index, beside the current one, which is searched until the new one is complete, and waits for it.
 * If no other node feeds the index, this process does, and only reads the store.
 */
export async function rebuildClusterIndex(
  storage: Pick<Store, 'changes' | 'watch' | 'values'>,
  url: string,
  report: (message: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const cluster = new Cluster(openSearchAddress(url))
  await requestRebuild(cluster)
  const feeder = new Feeder(cluster, storage, { report })
  try {
    while (await isRebuildRequested(cluster)) {
      signal?.throwIfAborted()
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  } finally {
    await feeder.close()
  }
}

async function* batches(
  entities: Iterable<StoredEntity> | AsyncIterable<StoredEntity>,
): AsyncGenerator<StoredEntity[]> {
  let batch: StoredEntity[] = []
  for await (const entity of entities) {
    batch.push(entity)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function documentsOf(entities: readonly StoredEntity[], rules: IndexRules): IndexDocument[] {
  const analyser = new DocumentAnalyser()
  return entities.map(({ type, json }) => {
    const document = documentFromJson(type, json, rules)
    return indexDocument(document, analyser.analyse(document))
  })
}

/** Returns the number of documents that the index lacks, or has with other words. */
async function different(
  cluster: Cluster,
  index: string,
  documents: readonly IndexDocument[],
): Promise<number> {
  const body = { ids: documents.map(documentId) }
  const { docs } = await cluster.do(`${index}/_mget?_source=terms,spellings&realtime=false`, { body })
  return documents.filter(({ terms, spellings }, at) => {
    const { found, _source } = docs[at]
    return !found || textOf(_source) !== textOf({ terms, spellings })
  }).length
}

/** Canonical serialization: equal words give equal strings. */
function textOf({ terms, spellings }: Pick<IndexDocument, 'terms' | 'spellings'>): string {
  return JSON.stringify([Object.entries(terms).sort(), [...spellings].sort()])
}

function differences(held: WordCounts, expected: WordCounts): number {
  const negative = (counts: ReadonlyMap<string, number>) =>
    new Map([...counts].map(([word, count]) => [word, -count]))
  const { documents, terms, spellings } = addedUp([
    held,
    {
      documents: -expected.documents,
      terms: negative(expected.terms),
      spellings: negative(expected.spellings),
    },
  ])
  return terms.size + spellings.size + Math.abs(documents)
}
