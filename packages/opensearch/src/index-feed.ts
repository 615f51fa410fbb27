/** Feeds one index from the log of a store, batch by batch. */
import { randomUUID } from 'node:crypto'
import type { Change, IndexRules, Store } from '@worldwright/core/store'
import type { DocumentKey, WordCounts } from '@worldwright/search'
import { DocumentAnalyser } from '@worldwright/search'
import { documentFromJson } from '@worldwright/search/entities'
import { type Cluster, refused } from './cluster.ts'
import { documentId, type IndexDocument, indexDocument, termOf } from './documents.ts'
import { WordLog } from './word-log.ts'

/** Changes per batch: some tens of milliseconds of this process. */
const BATCH = 500
/** Maximum attempts to send documents that are temporarily refused. */
const ATTEMPTS = 20

/** The words of a document, which are counted. */
type Words = Pick<IndexDocument, 'terms' | 'spellings'>

/** Operation of a batch on one document: puts it, or deletes it if there is none. */
interface Fed {
  readonly id: string
  /** The number of the batch. With several writing nodes, an entity's own number may be lower than the one before. */
  readonly version: number
  readonly document?: IndexDocument
}

/** Write-ahead note of a batch: the words of its documents before the change, which could not be recovered afterwards. */
interface Intent {
  readonly number: number
  /** Author of the note: of two feeders, only the first to note a batch continues with it. */
  readonly feeder: string
  readonly items: readonly { readonly id: string; readonly version: number; readonly before?: Words }[]
}

/** A document as stored in the index. */
interface Held {
  readonly version: number
  readonly words: Words
}

/** One index that is fed, by the holder of the lease. */
export class IndexFeed {
  /** The name of the index, not of an alias. */
  readonly index: string
  readonly log: WordLog
  readonly #cluster: Cluster
  readonly #rules: IndexRules
  readonly #name = randomUUID()
  #isOpen = false

  /** `rules`: the rules that the index was made with. */
  constructor(cluster: Cluster, index: string, rules: IndexRules) {
    this.#cluster = cluster
    this.index = index
    this.#rules = rules
    this.log = new WordLog(cluster, index)
  }

  /**
   * Feeds the next changes to the index. Returns true if there are more. Idempotent.
   * @throws StorageFault `expired` if the log does not reach back far enough: the index must be rebuilt
   */
  async advance(storage: Pick<Store, 'changes'>): Promise<boolean> {
    if (!this.#isOpen) await this.#open()
    const { place, position: at } = this.log.fed
    const read = await storage.changes({ after: place, limit: BATCH, nameDamaged: true })
    const position = read.more ? undefined : read.position
    if (read.changes.length === 0 && read.next === place && position === at) return read.more
    const change = await this.#apply(read.changes)
    // After the refresh, all documents up to the position can be found.
    if (position !== undefined) await this.#cluster.do(`${this.index}/_refresh`, { method: 'POST' })
    await this.log.commit(change, read.next, position)
    return read.more
  }

  /** Reads the progress, and completes the batch that an earlier feeder left unfinished. */
  async #open(): Promise<void> {
    await this.log.refresh()
    const intent = await this.log.note<Intent>('intent')
    const { number, place, position } = this.log.fed
    if (intent?.number === number + 1) {
      // Documents that reached the index are counted now; the others come again from the log.
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

  /** Puts and deletes documents. Returns the resulting changes of the word counts. */
  async #apply(changes: readonly Change[]): Promise<WordCounts> {
    const counter = new Counter()
    if (changes.length === 0) return counter
    const number = this.log.fed.number + 1
    const items = this.#documentsOf(changes, number)
    const held = await this.#held(items.map(({ id }) => id))
    // If this feeder was replaced while it was stalled, another one sent these in this batch or a later one.
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

  /** Sends documents in bulk, with retries of temporary refusals. Documents that the index has in a newer version stay. */
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
          next.push({ ...item, document: withoutValues(item.document) })
        else if (status === 400 || attempt === ATTEMPTS)
          throw refused(`${this.index}/_bulk`, status, { error })
        else next.push(item)
      }
      left = next
      if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** Math.min(attempt, 7)))
    }
  }
}

/** Returns a document without its values, marked as unindexed, for an index that has no more room for fields. */
function withoutValues(document: IndexDocument): IndexDocument {
  return { ...document, values: {}, unindexed: ['*'] }
}

/** Adds up the changes of word counts that changes of documents cause. */
export class Counter implements WordCounts {
  documents = 0
  readonly terms = new Map<string, number>()
  readonly spellings = new Map<string, number>()

  /** Replaces one document by another; undefined: none. */
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
