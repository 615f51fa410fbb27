/** Salvages readable entities from a damaged store, without writing to it. */
import type { StoredEntity } from '@worldwright/core/store'
import { DatabasePages } from './database-pages.ts'
import { type RecordValue, recordsOf } from './database-records.ts'
import { entityProblem } from './entity-problem.ts'

/** Findings about a damaged store, reported in addition to the salvaged entities. */
export interface SalvageReport {
  readonly saved: number
  /** Number of damaged entities. `damagedExamples` lists at most a hundred, as `type id: problem`. */
  readonly damaged: number
  readonly damagedExamples: readonly string[]
  /** Number of entities named by the log's index but not found. `lostExamples` lists at most a hundred, as `type id`. */
  readonly lost: number
  readonly lostExamples: readonly string[]
  /** Number of unreadable records that pages refer to, in any table. */
  readonly unreadable: number
  /** Numbers, from 1, of pages that are incomplete or have unreadable records. At most a hundred. See `pageBytes`. */
  readonly damagedPages: readonly number[]
  readonly pageBytes: number
  /** Byte offset at which damage in the write-ahead log begins, if any. Later writes are lost. */
  readonly logDamagedAt: number | undefined
}

const EXAMPLES = 100

interface Found {
  readonly number: number
  readonly page: number
  readonly record: number
}

/**
 * For every entity in a store's files, yields the latest version that matches its revision, in no particular order. Returns
 * a report of what is missing. Every page is read separately, so that damage to one does not affect others. Pages on the
 * free list are skipped, because they may contain deleted or replaced entities.
 */
export function* salvageEntities(path: string): Generator<StoredEntity, SalvageReport> {
  const pages = new DatabasePages(path)
  try {
    const survey = new Survey(pages)
    survey.run()
    let saved = 0
    for (const found of survey.newest.values()) {
      const entity = entityOf(recordsOf(pages, found.page)?.records[found.record])
      if (entity === undefined) continue
      saved += 1
      yield entity
    }
    return { saved, ...survey.report() }
  } finally {
    pages.close()
  }
}

class Survey {
  /** Latest version of every sound entity that was not deleted later. */
  readonly newest = new Map<string, Found>()
  readonly #pages: DatabasePages
  readonly #deleted = new Map<string, number>()
  readonly #damaged = new Map<string, string>()
  readonly #named = new Set<string>()
  readonly #damagedPages: number[] = []
  #unreadable = 0

  constructor(pages: DatabasePages) {
    this.#pages = pages
  }

  run(): void {
    const free = freePages(this.#pages)
    for (let number = 1; number <= this.#pages.count; number++) {
      if (free.has(number)) continue
      const found = recordsOf(this.#pages, number)
      if (found === undefined) {
        // Overflow pages have no marker, so a page of unknown kind is reported only if it is truncated.
        if (this.#pages.page(number).length < this.#pages.pageBytes) this.#damagedPages.push(number)
        continue
      }
      found.records.forEach((record, at) => {
        this.#take(record, { page: number, record: at })
      })
      this.#unreadable += found.unreadable
      if (found.unreadable > 0) this.#damagedPages.push(number)
    }
    for (const [key, number] of this.#deleted)
      if (number >= (this.newest.get(key)?.number ?? Number.POSITIVE_INFINITY)) this.newest.delete(key)
  }

  report(): Omit<SalvageReport, 'saved'> {
    const damaged = [...this.#damaged].filter(([key]) => !this.newest.has(key))
    const lost = [...this.#named].filter(
      (key) => !this.newest.has(key) && !this.#deleted.has(key) && !this.#damaged.has(key),
    )
    return {
      damaged: damaged.length,
      damagedExamples: damaged.slice(0, EXAMPLES).map(([key, problem]) => `${key}: ${problem}`),
      lost: lost.length,
      lostExamples: lost.slice(0, EXAMPLES),
      unreadable: this.#unreadable,
      damagedPages: this.#damagedPages.slice(0, EXAMPLES),
      pageBytes: this.#pages.pageBytes,
      logDamagedAt: this.#pages.logDamagedAt,
    }
  }

  #take(record: readonly RecordValue[], at: Omit<Found, 'number'>): void {
    const [first, second, third, fourth, fifth] = record
    if (typeof first === 'number' && typeof second === 'string' && typeof third === 'string') {
      if (record.length === 3) this.#named.add(keyOf(second, third))
      return
    }
    if (typeof first !== 'string' || typeof second !== 'string') return
    const key = keyOf(first, second)
    if (typeof third === 'number' && typeof fourth === 'number' && record.length === 4) {
      this.#deleted.set(key, Math.max(third, this.#deleted.get(key) ?? 0))
    } else if (typeof third === 'string' && typeof fourth === 'string' && typeof fifth === 'number') {
      const stored = { type: first, id: second, revision: third, json: fourth }
      const problem = entityProblem(stored)
      if (problem !== undefined) this.#damaged.set(key, problem)
      else if (fifth >= (this.newest.get(key)?.number ?? 0)) this.newest.set(key, { ...at, number: fifth })
    }
  }
}

function entityOf([type, id, revision, json]: readonly RecordValue[] = []): StoredEntity | undefined {
  const values = { type, id, revision, json }
  return Object.values(values).every((value) => typeof value === 'string')
    ? (values as StoredEntity)
    : undefined
}

/**
 * Returns the pages of the free list. If the list is damaged (a page is repeated or does not exist), the rest of it is
 * ignored: deleted entities may reappear, but none are lost.
 */
function freePages(pages: DatabasePages): ReadonlySet<number> {
  const free = new Set<number>()
  const header = pages.page(1)
  if (header.length < 100) return free
  const word = (bytes: Uint8Array, at: number) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at)
  for (let trunk = word(header, 32); trunk > 0 && trunk <= pages.count && !free.has(trunk); ) {
    const page = pages.page(trunk)
    if (page.length < pages.pageBytes) break
    free.add(trunk)
    const leaves = Math.min(word(page, 4), pages.pageBytes / 4 - 2)
    for (let leaf = 0; leaf < leaves; leaf++) free.add(word(page, 8 + 4 * leaf))
    trunk = word(page, 0)
  }
  return free
}

/** Returns a unique key for an entity. Types contain no spaces. */
function keyOf(type: string, id: string): string {
  return `${type} ${id}`
}
