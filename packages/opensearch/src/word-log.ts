/**
 * Keeps the dictionary of an OpenSearch index as a log beside it. Document `n` records the changes of the feeder's batch `n`
 * and the offset reached in the store's log, so a batch takes effect with the single request that writes it. Periodically,
 * all earlier batches are merged into a base and deleted. All reads are by id and so need not wait for a refresh.
 */
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { Position } from '@worldwright/core/store'
import { addedUp, CountedWords, type WordCounts } from '@worldwright/search'
import { type Cluster, refused } from './cluster.ts'

/** Number of batches read per request. */
const READ_AT_ONCE = 32
/** Maximum number of words in one document of the base. Such a document is a few megabytes in size. */
const BASE_WORDS = 100_000
/** Number of batches after which a new base is written. */
const BATCHES = 128

/** Progress of feeding an index. */
export interface Fed {
  /** Number of the last batch, or 0 before the first one. */
  readonly number: number
  /** Offset in the change log to continue from, or undefined to start at the beginning. The member name is stored. */
  readonly place: string | undefined
  /** Position up to which everything is searchable, or undefined while the feeder is still catching up. */
  readonly position: Position | undefined
}

/** Batch in its stored form. */
interface Batch extends Omit<Fed, 'number'> {
  readonly words: string
}

/** Base in its stored form. Its words are in `parts` separate documents. */
interface Base extends Fed {
  readonly parts: number
}

const NOTHING: Fed = { number: 0, place: undefined, position: undefined }

/** Dictionary of one index, as far as it has been read. */
export class WordLog {
  /** Name of the index that contains the log. */
  readonly index: string
  words = new CountedWords()
  fed = NOTHING
  readonly #cluster: Cluster
  /** Number of the last batch merged into the base. */
  #base = 0

  /** Creates the log of an index. `documents` is the name of that index itself, not of its alias. */
  constructor(cluster: Cluster, documents: string) {
    this.#cluster = cluster
    this.index = `${documents}-words`
  }

  /** Creates the index for the log, unless it exists. */
  async create(): Promise<void> {
    const { replicas } = this.#cluster.address
    const settings = { number_of_shards: 1, number_of_replicas: replicas }
    const body = { settings, mappings: { enabled: false } }
    const answer = await this.#cluster.ask(this.index, { method: 'PUT', body })
    if (answer.status !== 200 && answer.body.error?.type !== 'resource_already_exists_exception')
      throw refused(this.index, answer.status, answer.body)
  }

  /** Reads all new batches. @throws StoreFault `search_unreachable` */
  async refresh(signal?: AbortSignal): Promise<void> {
    for (;;) {
      const first = this.fed.number + 1
      const ids = ['base', ...Array.from({ length: READ_AT_ONCE }, (_, at) => String(first + at))]
      const [base, ...batches] = await this.#read<unknown>(ids, signal)
      const known = base as Base | undefined
      const missing = batches.indexOf(undefined)
      if (known && missing === 0 && known.number > this.fed.number) {
        await this.#takeBase(known, signal)
        continue
      }
      await this.#take((missing < 0 ? batches : batches.slice(0, missing)) as Batch[])
      if (missing >= 0) return
    }
  }

  /** Writes the next batch, which takes effect immediately. @throws Error if another feeder has written it */
  async commit(change: WordCounts, place: string | undefined, position: Position | undefined): Promise<void> {
    const number = this.fed.number + 1
    const body: Batch = { place, position, words: await packed(change) }
    const { status } = await this.#cluster.ask(`${this.index}/_create/${number}`, { method: 'PUT', body })
    if (status === 409) {
      // Already written by an earlier attempt at this request, or by a feeder that took over.
      const [written] = await this.#read<Batch>([String(number)])
      if (written?.words !== body.words || written.place !== place) throw takenOver()
    } else if (status !== 201) throw refused(this.index, status, {})
    this.words.add(change)
    this.fed = { number, place, position }
    if (number - this.#base >= BATCHES) await this.#writeBase()
  }

  /** Returns a document stored beside the batches, or undefined if there is none. */
  async note<T>(id: string): Promise<T | undefined> {
    return (await this.#read<T>([id]))[0]
  }

  /** Stores a document beside the batches, for batch `number`. @throws Error if another feeder has taken over */
  async keep(id: string, body: object, number: number): Promise<void> {
    const path = `${this.index}/_doc/${id}?version=${number}&version_type=external`
    const { status, body: answer } = await this.#cluster.ask(path, { method: 'PUT', body })
    if (status === 409) {
      // Already written by an earlier attempt at this request, or by a feeder that took over.
      if (JSON.stringify(await this.note(id)) !== JSON.stringify(body)) throw takenOver()
    } else if (status >= 300) throw refused(path, status, answer)
  }

  async #take(batches: readonly Batch[]): Promise<void> {
    const last = batches.at(-1)
    if (last === undefined) return
    this.words.add(addedUp(await Promise.all(batches.map(({ words }) => unpacked(words)))))
    const number = this.fed.number + batches.length
    this.fed = { number, place: last.place, position: last.position }
  }

  async #takeBase({ parts, ...fed }: Base, signal: AbortSignal | undefined): Promise<void> {
    const words = new CountedWords()
    for (let part = 0; part < parts; part++) {
      const [read] = await this.#read<{ words: string }>([partId(fed.number, part)], signal)
      // The base has been replaced meanwhile. The next read uses the newer one.
      if (read === undefined) return
      words.add(await unpacked(read.words))
    }
    this.words = words
    this.fed = fed
    this.#base = fed.number
  }

  /** Merges all batches so far into a new base. Deletes the old base and its batches, since no reader is that far behind. */
  async #writeBase(): Promise<void> {
    const { fed } = this
    const parts = partsOf(this.words.counts())
    for (const [at, part] of parts.entries())
      await this.keep(partId(fed.number, at), { words: await packed(part) }, fed.number)
    const [old = { ...NOTHING, parts: 0 }] = await this.#read<Base>(['base'])
    await this.keep('base', { ...fed, parts: parts.length } satisfies Base, fed.number)
    this.#base = fed.number
    const batches = Array.from({ length: Math.min(BATCHES, old.number) }, (_, at) => String(old.number - at))
    const oldParts = Array.from({ length: old.parts }, (_, part) => partId(old.number, part))
    const body = [...batches, ...oldParts].map((_id) => ({ delete: { _id } }))
    if (body.length > 0) await this.#cluster.do(`${this.index}/_bulk`, { body })
  }

  async #read<T>(ids: readonly string[], signal?: AbortSignal): Promise<(T | undefined)[]> {
    const { docs } = await this.#cluster.do(`${this.index}/_mget`, { body: { ids }, signal })
    return docs.map((doc: { found?: boolean; _source?: T; error?: { reason?: string } }) => {
      if (doc.error) throw refused(`${this.index}/_mget`, 503, doc)
      return doc.found ? doc._source : undefined
    })
  }
}

function takenOver(): Error {
  return new Error('Another feeder has taken over.')
}

function partId(number: number, part: number): string {
  return `base-${number}-${part}`
}

/** Splits word counts into parts small enough for one document each. Only the first part contains the document count. */
function partsOf({ documents, terms, spellings }: WordCounts): WordCounts[] {
  const parts: WordCounts[] = []
  const held = [...terms]
  const spelled = [...spellings]
  for (let at = 0; at === 0 || at < Math.max(held.length, spelled.length); at += BASE_WORDS)
    parts.push({
      documents: at === 0 ? documents : 0,
      terms: new Map(held.slice(at, at + BASE_WORDS)),
      spellings: new Map(spelled.slice(at, at + BASE_WORDS)),
    })
  return parts
}

async function packed({ documents, terms, spellings }: WordCounts): Promise<string> {
  const text = JSON.stringify([documents, [...terms].flat(), [...spellings].flat()])
  return (await promisify(deflateRaw)(text)).toString('base64')
}

async function unpacked(text: string): Promise<WordCounts> {
  const bytes = await promisify(inflateRaw)(Buffer.from(text, 'base64'))
  const [documents, terms, spellings] = JSON.parse(bytes.toString())
  return { documents, terms: mapOf(terms), spellings: mapOf(spellings) }
}

function mapOf(flat: readonly (string | number)[]): Map<string, number> {
  const map = new Map<string, number>()
  for (let at = 0; at < flat.length; at += 2) map.set(flat[at] as string, flat[at + 1] as number)
  return map
}
