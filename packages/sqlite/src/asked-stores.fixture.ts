/** Two indexes of the same 50,000 documents, one in memory and one in SQLite, for comparing their query results. */
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { createMemorySegments } from '../../search/src/memory-segments.ts'
import type { SearchDocument } from '../../search/src/port/document.ts'
import { IndexReader } from '../../search/src/read/index-reader.ts'
import { Comparison } from '../../search/src/reference/compare.fixture.ts'
import { PlainDocuments } from '../../search/src/reference/plain-values.fixture.ts'
import { question, valuedDocument } from '../../search/src/reference/precise.fixture.ts'
import { dice } from '../../search/src/reference/random.fixture.ts'
import { IndexWriter } from '../../search/src/write/index-writer.ts'
import { clearIndex, SEGMENT_CHECKSUM, SEGMENT_SCHEMA, segmentStore } from './segments.ts'

/** Number of random queries per comparison. */
export const QUERIES = Number(process.env['PRECISE_QUERIES'] ?? 60)

const DOCUMENTS = 4_000
const AT_ONCE = 1_000

/** The two indexes, and the documents that both must contain. */
export class AskedStores implements Disposable {
  readonly #db = new DatabaseSync(':memory:')
  readonly #roll = dice(17)
  readonly #living = new Map<string, SearchDocument>()
  readonly #stores
  readonly #writers: readonly IndexWriter[]

  /** Fills the indexes, in four writes. */
  constructor() {
    this.#db.exec(SEGMENT_SCHEMA + SEGMENT_CHECKSUM)
    clearIndex(this.#db)
    this.#stores = [createMemorySegments(), segmentStore(this.#db)] as const
    this.#writers = this.#stores.map((store) => new IndexWriter(store))
    for (let at = 0; at < DOCUMENTS; at += AT_ONCE)
      this.#change(
        Array.from({ length: AT_ONCE }, (_, place) => `d${at + place}`),
        true,
      )
  }

  /** Replaces, adds and deletes thousands of documents, in many writes. */
  update(): void {
    for (let round = 0; round < 20; round++) {
      const ids = Array.from({ length: 500 }, () => `d${this.#roll(DOCUMENTS)}`)
      this.#change([...new Set(ids)], round % 3 > 0)
    }
  }

  /** Runs all maintenance that is due. */
  maintain(): void {
    for (const writer of this.#writers) while (writer.maintain(50)) {}
  }

  /** Merges all segments into one. */
  mergeAll(): void {
    for (const writer of this.#writers) writer.mergeAll()
  }

  /** Compares the results of random queries on both indexes with those of the reference implementation. */
  compare(questions: number, seed: number): void {
    const [memory, sqlite] = [new IndexReader(this.#stores[0]), new IndexReader(this.#stores[1])]
    for (const reader of [memory, sqlite]) reader.refresh()
    const comparison = new Comparison(new PlainDocuments(this.#living.values()), memory, sqlite)
    const property = fc.property(question, (query) => comparison.compare(query, 2))
    fc.assert(property, { numRuns: questions, seed })
  }

  [Symbol.dispose](): void {
    this.#db.close()
  }

  #change(ids: readonly string[], isPut: boolean): void {
    const old = ids.flatMap((id) => this.#living.get(id) ?? [])
    const put = isPut ? ids.map((id) => valuedDocument(this.#roll, id)) : []
    for (const writer of this.#writers) writer.change(old, put)
    for (const id of ids) this.#living.delete(id)
    for (const document of put) this.#living.set(document.id, document)
  }
}
