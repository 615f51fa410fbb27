/** Verifies the index in a cluster against the entities of its store, and requests rebuilds. */

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

/** Number of entities compared per request. */
const BATCH = 500
const LOOK_MS = 200

/** Differences between the index in a cluster and the stored entities. */
export interface ClusterVerdict {
  readonly agrees: boolean
  /** Number of entities that the index lacks or has with different words. */
  readonly missing: number
  /** Number of documents without an entity. */
  readonly extra: number
  /** Number of words with an incorrect count. */
  readonly miscounted: number
}

/**
 * Compares the index with the entities of a store. Entities written during the comparison are reported as missing.
 * @throws StoreFault `search_unreachable`; `index_rebuilding`; `busy` if the index has not reached the store's position
 */
export async function verifyClusterIndex(
  store: Pick<Store, 'snapshot' | 'values' | 'changes'>,
  url: string,
): Promise<ClusterVerdict> {
  const cluster = new Cluster(openSearchAddress(url))
  const { index, words } = await new IndexView(cluster).look(await positionNow(store))
  const rules = await indexRules(store)
  const counter = new Counter()
  const snapshot = await store.snapshot()
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
 * Requests a rebuild of the index and waits for it. The current index is searched until the new one is complete. If no other
 * node feeds the index, this process does. The store is only read.
 */
export async function rebuildClusterIndex(
  store: Pick<Store, 'changes' | 'watch' | 'values'>,
  url: string,
  report: (message: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const cluster = new Cluster(openSearchAddress(url))
  await requestRebuild(cluster)
  const feeder = new Feeder(cluster, store, { report })
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

/** Returns the number of documents that the index lacks or has with different words. */
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
