import { randomUUID } from 'node:crypto'
import { tracingChannel } from 'node:diagnostics_channel'
import type { Change, IndexRules, Store } from '@worldwright/core/store'
import { DocumentAnalyser, type DocumentKey, type WordCounts } from '@worldwright/search'
import { documentFromJson } from '@worldwright/search/entities'
import { type Cluster, refused } from './cluster.ts'
import { documentId, type IndexDocument, indexDocument, termOf } from './documents.ts'
import { WordLog } from './word-log.ts'

/** Number of changes per batch. A batch keeps this process busy for tens of milliseconds. */
const BATCH = 500
/** Maximum number of attempts to send documents that are temporarily rejected. */
const ATTEMPTS = 20

/** Publishes each batch to tracers in this process. */
const batches = tracingChannel('worldwright:feed')

/** Words of a document that are counted. */
type Words = Pick<IndexDocument, 'terms' | 'spellings'>

/** Bulk operation on one document: a put if `document` is set, otherwise a delete. */
interface Fed {
  readonly id: string
  /** Number of the batch. Write numbers are unsuitable: if several nodes write, a later write may get a lower number. */
  readonly version: number
  readonly document?: IndexDocument
}

/** Write-ahead record of a batch. It keeps the former words of the documents, which cannot be recovered later. */
interface Intent {
  readonly number: number
  /** Author of the record. If two feeders record the same batch, only the first one continues. */
  readonly feeder: string
  readonly items: readonly { readonly id: string; readonly version: number; readonly before?: Words }[]
}

/** Version and words of a document in the index. */
interface Held {
  readonly version: number
  readonly words: Words
}

/** Feeds one index. Used only by the holder of the lease. */
export class IndexFeed {
  /** Name of the index itself, not of its alias. */
  readonly index: string
  readonly log: WordLog
  readonly #cluster: Cluster
  readonly #rules: IndexRules
  readonly #name = randomUUID()
  #isOpen = false

  /** Creates a feed for an index that was made with the given `rules`. */
  constructor(cluster: Cluster, index: string, rules: IndexRules) {
    this.#cluster = cluster
    this.index = index
    this.#rules = rules
    this.log = new WordLog(cluster, index)
  }

  /**
   * Feeds the next batch of changes to the index. Returns true if there are more. Idempotent.
   * @throws StoreFault `expired` if the log does not reach back far enough, so that the index must be rebuilt
   */
  async advance(store: Pick<Store, 'changes'>): Promise<boolean> {
    if (!this.#isOpen) await this.#open()
    const { place, position: at } = this.log.fed
    const read = await store.changes({ after: place, limit: BATCH, nameDamaged: true })
    // Another node has fed changes that this one does not have yet.
    if (!read.more && !read.versions) return false
    const position = read.more ? undefined : read.position
    if (read.changes.length === 0 && read.next === place && position === at) return read.more
    const feed = async () => {
      const change = await this.#apply(read.changes)
      // The refresh makes all documents up to the position searchable.
      if (position !== undefined) await this.#cluster.do(`${this.index}/_refresh`, { method: 'POST' })
      await this.log.commit(change, read.next, position)
    }
    await batches.tracePromise(feed, { changes: read.changes.length })
    return read.more
  }

  /** Reads the progress and completes a batch that an earlier feeder left unfinished. */
  async #open(): Promise<void> {
    await this.log.refresh()
    const intent = await this.log.note<Intent>('intent')
    const { number, place, position } = this.log.fed
    if (intent?.number === number + 1) {
      // Documents that reached the index are counted now. The others will be read from the log again.
      const held = await this.#held(intent.items.map(({ id }) => id))
      const counter = new Counter()
      for (const { id, version, before } of intent.items) {
        const now = held.get(id)
        if (now ? now.version < version : before === undefined) continue
        counter.replace(before, now?.words)
      }
      await this.log.commit(counter, place, position)
    }
    this.#isOpen = true
  }

  /** Puts and deletes documents. Returns the resulting changes to the word counts. */
  async #apply(changes: readonly Change[]): Promise<WordCounts> {
    const counter = new Counter()
    if (changes.length === 0) return counter
    const number = this.log.fed.number + 1
    const items = this.#documentsOf(changes, number)
    const held = await this.#held(items.map(({ id }) => id))
    // If this feeder stalled and was replaced, its successor may have sent newer versions of these documents.
    const newer = items.filter(({ id, version }) => !((held.get(id)?.version ?? -1) >= version))
    for (const { id, document } of newer) counter.replace(held.get(id)?.words, document)
    const noted = newer.map(({ id, version }) => ({ id, version, before: held.get(id)?.words }))
    const intent: Intent = { number, feeder: this.#name, items: noted as Intent['items'] }
    await this.log.keep('intent', intent, number)
    await this.#send(newer)
    return counter
  }

  #documentsOf(changes: readonly Change[], version: number): Fed[] {
    const analyser = new DocumentAnalyser()
    return changes.map(({ type, id, entity }) => {
      const key: DocumentKey = { type, id }
      const fed = { id: documentId(key), version }
      if (!entity) return fed
      const document = documentFromJson(type, entity.json, this.#rules)
      return { ...fed, document: indexDocument(document, analyser.analyse(document)) }
    })
  }

  async #held(ids: readonly string[]): Promise<Map<string, Held>> {
    const held = new Map<string, Held>()
    if (ids.length === 0) return held
    const { docs } = await this.#cluster.do(`${this.index}/_mget?_source=terms,spellings`, { body: { ids } })
    for (const { _id, found, _version, _source, error } of docs) {
      if (error) throw refused(`${this.index}/_mget`, 503, { error })
      if (found) held.set(_id, { version: _version, words: _source })
    }
    return held
  }

  /** Sends documents in bulk and retries temporary rejections. Does not overwrite newer versions in the index. */
  async #send(items: readonly Fed[]): Promise<void> {
    let left = items
    for (let attempt = 1; left.length > 0; attempt++) {
      const body = left.flatMap(({ id: _id, version, document }): object[] => {
        const meta = { _id, version, version_type: 'external_gte' }
        return document ? [{ index: meta }, document] : [{ delete: meta }]
      })
      const { items: results } = await this.#cluster.do(`${this.index}/_bulk`, { body })
      const next: Fed[] = []
      for (const [at, item] of left.entries()) {
        const { status, error } = results[at].index ?? results[at].delete
        if (status < 300 || status === 404 || status === 409) continue
        if (status === 400 && item.document && Object.keys(item.document.values).length > 0)
          // The index cannot add more fields, so the document gets none.
          next.push({ ...item, document: { ...item.document, values: {}, unindexed: ['*'] } })
        else if (status === 400 || attempt === ATTEMPTS)
          throw refused(`${this.index}/_bulk`, status, { error })
        else next.push(item)
      }
      left = next
      if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** Math.min(attempt, 7)))
    }
  }
}

/** Accumulates the changes to word counts that result from changed documents. */
export class Counter implements WordCounts {
  documents = 0
  readonly terms = new Map<string, number>()
  readonly spellings = new Map<string, number>()

  /** Counts the replacement of document `before` by `after`. Undefined stands for no document. */
  replace(before: Words | undefined, after: Words | undefined): void {
    this.#add(before, -1)
    this.#add(after, 1)
  }

  #add(words: Words | undefined, by: number): void {
    if (!words) return
    this.documents += by
    for (const feature of Object.keys(words.terms)) {
      const term = termOf(feature)
      this.terms.set(term, (this.terms.get(term) ?? 0) + by)
    }
    for (const word of words.spellings) this.spellings.set(word, (this.spellings.get(word) ?? 0) + by)
  }
}
