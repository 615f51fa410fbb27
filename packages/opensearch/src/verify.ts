/** Whether the index in a cluster is what the entities of its store say, and having it built again. */

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

/** Entities that are compared with one request. */
const BATCH = 500
const LOOK_MS = 200

/** What of an index in a cluster is not as the entities say. */
export interface ClusterVerdict {
  readonly agrees: boolean
  /** Entities that it lacks, or has with other words. */
  readonly missing: number
  /** Documents that are no entities. */
  readonly extra: number
  /** Words that are counted otherwise than they occur. */
  readonly miscounted: number
}

/**
 * Compares the index with the entities of a store that nobody writes meanwhile: what is written is found as missing.
 * @throws StorageFault `search_unreachable`; `index_rebuilding`; `busy` where the index is not fed up to the store's position
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
 * Has the index built again beside the one there is, which is asked until it is complete, and waits for that. Where nobody feeds the
 * index, this does, from a store that it only reads.
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

/** How many documents the index lacks, or has with other words. */
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

/** The same for the same words. */
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
