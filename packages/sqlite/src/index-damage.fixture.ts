/** Damages search indexes in many ways, then searches, verifies, writes and merges them. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import fc from 'fast-check'
import { checksumOfIndex } from '../../search/src/index-checksum.ts'
import type { SearchDocument } from '../../search/src/port/document.ts'
import { IndexDamage } from '../../search/src/port/index-damage.ts'
import type { Query } from '../../search/src/port/search-query.ts'
import type { SegmentFile } from '../../search/src/port/segment-store.ts'
import { IndexReader } from '../../search/src/read/index-reader.ts'
import { question, valuedDocument } from '../../search/src/reference/precise.fixture.ts'
import {
  type Dice,
  dice,
  documentOf,
  queryOf,
  vocabularyOf,
} from '../../search/src/reference/random.fixture.ts'
import { IndexWriter } from '../../search/src/write/index-writer.ts'
import { seal } from './sealed-bytes.ts'
import {
  clearIndex,
  headPlace,
  rowPlace,
  SEGMENT_CHECKSUM,
  SEGMENT_SCHEMA,
  segmentStore,
  tombstonePlace,
} from './segments.ts'

/** Number of damaged indexes with each outcome. */
export interface DamageReport {
  /** A search, check or write detected the damage. */
  noticed: number
  /** The damage was not detected, and all results were correct. */
  harmless: number
  /** A search result differed from the one before the damage. */
  wrong: number
  /** An error other than `IndexDamage` was thrown. The first such error is `firstUnforeseen`. */
  unforeseen: number
  firstUnforeseen: unknown
  /** The results of the rebuilt index differed from those before the damage. */
  notMended: number
}

/** Number of documents in each batch. Each batch becomes a segment to damage. */
const BATCHES = [200, 130, 90]
const REMOVED = 5
const TEXTS = 40
const ASKED = 3
/** One in this many indexes is rebuilt. Rebuilding takes most of the time and always works the same way. */
const MENDED_OF = 50

/**
 * Damages a sound index `times` times, each time afresh. If `resealed`, checksums are made to match the damage, which no
 * disk failure would do. Results may then be wrong, but every operation must still end.
 */
export function damageIndexes(times: number, seed: number, resealed = false): DamageReport {
  const report: DamageReport = {
    noticed: 0,
    harmless: 0,
    wrong: 0,
    unforeseen: 0,
    firstUnforeseen: undefined,
    notMended: 0,
  }
  const index = new DamagedIndex(seed)
  for (let time = 0; time < times; time++) {
    try {
      report[index.outcome(dice(seed + time), resealed)] += 1
      if (time % MENDED_OF === 0 && !index.isMended()) report.notMended += 1
    } catch (error) {
      report.unforeseen += 1
      report.firstUnforeseen ??= error
    } finally {
      index.restore()
    }
  }
  return report
}

/** Index table with a blob column. `place` returns a row's place in the form that the row's checksum covers. */
interface Damageable {
  readonly table: string
  readonly column: string
  readonly rowid: string
  readonly place: (row: Record<string, number>) => string
}

const DAMAGEABLE: readonly Damageable[] = [
  {
    table: 'search_rows',
    column: 'bytes',
    rowid: 'place',
    place: ({ place = 0 }) => {
      const segment = Math.floor(place / 2 ** 24)
      const inSegment = place % 2 ** 24
      return rowPlace(segment, Math.floor(inSegment / 2 ** 21) as SegmentFile, inSegment % 2 ** 21)
    },
  },
  {
    table: 'search_segments',
    column: 'head',
    rowid: 'segment',
    place: ({ segment = 0 }) => headPlace(segment),
  },
  {
    table: 'search_tombstones',
    column: 'bits',
    rowid: 'segment * 1000 + row',
    place: ({ segment = 0, row = 0 }) => tombstonePlace(segment, row),
  },
]

interface Damaged {
  readonly of: Damageable
  readonly rowid: number
  readonly bytes: Uint8Array
  readonly place: string
}

class DamagedIndex {
  readonly #db = new DatabaseSync(':memory:')
  readonly #store
  readonly #documents: SearchDocument[] = []
  readonly #queries: readonly Query[]
  readonly #answers: readonly string[]
  readonly #checksum: string

  constructor(seed: number) {
    const db = this.#db
    db.exec(SEGMENT_SCHEMA + SEGMENT_CHECKSUM)
    clearIndex(db)
    const roll = dice(seed)
    const word = vocabularyOf(roll, 300)
    this.#store = segmentStore(db)
    const writer = new IndexWriter(this.#store)
    for (const size of BATCHES) {
      const batch = Array.from({ length: size }, (_, at) => {
        const document = documentOf(roll, word, `d${this.#documents.length + at}`)
        return { ...document, values: valuedDocument(roll, document.id).values ?? [] }
      })
      writer.change([], batch)
      this.#documents.push(...batch)
    }
    writer.change(this.#documents.splice(0, REMOVED), [])
    const texts = Array.from({ length: TEXTS }, () => ({
      text: queryOf(roll, word),
      limit: 9,
      budgetMs: 60_000,
    }))
    this.#queries = [...texts, ...fc.sample(question, { seed, numRuns: TEXTS })]
    this.#answers = this.#queries.map((query) => this.#answer(query))
    this.#checksum = this.#verdict()
    db.exec('SAVEPOINT sound')
  }

  /** Damages the index, then searches, verifies and writes it, and returns the outcome. */
  outcome(roll: Dice, resealed: boolean): 'noticed' | 'harmless' | 'wrong' {
    this.#damage(roll, resealed)
    let noticed = false
    let wrong = false
    const look = (found: () => string, wanted: string | undefined) => {
      try {
        if (found() !== wanted) wrong = true
      } catch (error) {
        if (!(error instanceof IndexDamage)) throw error
        noticed = true
      }
    }
    for (let count = 0; count < ASKED; count++) {
      const at = roll(this.#queries.length)
      look(() => this.#answer(this.#queries[at] as Query), this.#answers[at])
    }
    look(() => this.#verdict(), this.#checksum)
    const writer = new IndexWriter(this.#store)
    const [first] = this.#documents as [SearchDocument]
    // Replaces a document with itself, which leaves all results unchanged.
    writer.change([first], [first])
    writer.mergeAll()
    writer.maintain(0)
    if (this.#store.generation() === undefined) noticed = true
    else look(() => this.#answer(this.#queries[0] as Query), this.#answers[0])
    return wrong && !resealed ? 'wrong' : noticed ? 'noticed' : 'harmless'
  }

  /** Rebuilds the index, and reports whether it returns the same results as before the damage. */
  isMended(): boolean {
    clearIndex(this.#db)
    new IndexWriter(this.#store).build(this.#documents)
    return this.#queries.every((query, at) => this.#answer(query) === this.#answers[at])
  }

  restore(): void {
    this.#db.exec('ROLLBACK TO sound')
  }

  #answer(query: Query): string {
    const { hits, ...numbers } = new IndexReader(this.#store).search(query)
    return JSON.stringify([hits.map(({ key }) => key), numbers])
  }

  #verdict(): string {
    const reader = new IndexReader(this.#store)
    reader.refresh()
    return JSON.stringify(checksumOfIndex(reader.segments))
  }

  #damage(roll: Dice, resealed: boolean): void {
    const kind = resealed ? 0 : roll(10)
    const [target, other] = [this.#pick(roll), this.#pick(roll)]
    if (kind < 6) this.#put(target, damagedBytes(roll, target.bytes), resealed)
    else if (kind === 6) {
      this.#put(target, other.bytes, false)
      this.#put(other, target.bytes, false)
    } else if (kind === 7)
      this.#run(`DELETE FROM ${target.of.table} WHERE ${target.of.rowid} = ?`, target.rowid)
    else if (kind === 8)
      this.#run('UPDATE search_segments SET dropped = 1 - dropped WHERE segment = ?', 1 + roll(4))
    else this.#run('UPDATE search_state SET checksum = checksum + 1')
  }

  #pick(roll: Dice): Damaged {
    const of = DAMAGEABLE[roll(8) < 6 ? 0 : 1 + roll(2)] as Damageable
    const rows = this.#db
      .prepare(
        `SELECT *, ${of.rowid} AS rowid FROM ${of.table} WHERE ${of.column} IS NOT NULL ORDER BY ${of.rowid}`,
      )
      .all()
    const row = rows[roll(rows.length)] as Record<string, number>
    return {
      of,
      rowid: row['rowid'] as number,
      bytes: row[of.column] as unknown as Uint8Array,
      place: of.place(row),
    }
  }

  #put({ of, rowid, place }: Damaged, bytes: Uint8Array, resealed: boolean): void {
    const sealed = resealed ? seal(bytes.subarray(0, Math.max(0, bytes.length - 4)), place) : bytes
    this.#run(`UPDATE ${of.table} SET ${of.column} = ? WHERE ${of.rowid} = ?`, sealed, rowid)
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#db.prepare(sql).run(...values)
  }
}

function damagedBytes(roll: Dice, sound: Uint8Array): Uint8Array {
  const bytes = sound.slice()
  const at = roll(bytes.length)
  const kind = roll(6)
  if (kind === 0) return bytes.subarray(0, at)
  if (kind === 1) return Uint8Array.from([...bytes.subarray(at), ...bytes.subarray(0, at)])
  if (kind === 2) bytes.fill(0, at, at + roll(512))
  else if (kind === 3) for (let index = 0; index < bytes.length; index++) bytes[index] = roll(256)
  else for (let count = 1 + roll(16); count > 0; count--) bytes[roll(bytes.length)] = roll(256)
  return bytes
}
