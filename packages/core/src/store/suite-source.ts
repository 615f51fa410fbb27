/** Contract tests for `Source`, for worlds over your own data, such as an array or another service. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Entity } from '@worldwright/client/protocol'
import type { EntityKey, Found, MaybePromise, Query, Source } from './contract.ts'
import { revisionOf } from './revision.ts'
import { scan } from './scan.ts'
import { idsOf, moon, planet } from './suite-data.ts'
import { STRANGE_IDS } from './suite-reading.ts'

/** Creates a source that contains exactly these entities, given in any order. */
export type SourceFactory = (entities: readonly Entity[], t: TestContext) => MaybePromise<Source>

/** Registers the contract tests for one source, under its name. */
export function describeSource(name: string, open: SourceFactory): void {
  describe(`${name} satisfies the source contract`, () => {
    readingTests(open)
    findingTests(open)
  })
}

function readingTests(open: SourceFactory): void {
  test('a missing entity is undefined, and a type without entities has an empty page', async (t) => {
    const source = await open([planet('mars')], t)
    assert.equal(await source.get('sol:planet', 'earth'), undefined)
    assert.equal(await source.get('sol:moon', 'mars'), undefined)
    const { entities, total } = await source.list('sol:moon', { limit: 9 })
    assert.deepEqual([entities, total], [[], 0])
  })

  test('an entity is returned with its content, revision and times', async (t) => {
    const earth = planet('earth', {
      title: 'Earth',
      summary: 'Blue',
      attributes: { radius: 6371, a: [null] },
    })
    const source = await open([earth, planet('mars')], t)
    const found = await source.get('sol:planet', 'earth')
    assert.ok(found)
    const { createdAt, updatedAt, revision, ...content } = JSON.parse(found.json)
    assert.deepEqual(content, earth)
    assert.equal(revision, revisionOf(earth))
    assert.deepEqual([found.type, found.id, found.revision], ['sol:planet', 'earth', revision])
    for (const time of [createdAt, updatedAt])
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)
  })

  test('ids are ordered by their UTF-8 bytes, and even unusual ids are found', async (t) => {
    const source = await open(
      STRANGE_IDS.map((id) => planet(id)),
      t,
    )
    const ordered = STRANGE_IDS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    for (const size of [1, 2, 7, 100]) assert.deepEqual(await walk(source, 'sol:planet', size), ordered)
    for (const id of STRANGE_IDS) assert.equal((await source.get('sol:planet', id))?.id, id)
  })

  test('a page begins after an id, which need not exist, and has the total of its type', async (t) => {
    const source = await open([planet('e'), planet('a'), planet('c'), moon('b')], t)
    const page = async (options: { after?: string; limit: number }) => {
      const { entities, total } = await source.list('sol:planet', options)
      return [idsOf(entities), total]
    }
    assert.deepEqual(await page({ limit: 2 }), [['a', 'c'], 3])
    assert.deepEqual(await page({ after: 'b', limit: 9 }), [['c', 'e'], 3])
    assert.deepEqual(await page({ after: 'e', limit: 9 }), [[], 3])
    assert.deepEqual(await page({ limit: 0 }), [[], 3])
  })

  test('a page is as long as its limit if there are enough entities', async (t) => {
    const entities = Array.from({ length: 501 }, (_, at) => planet(`p${at + 1_000}`))
    const source = await open(entities, t)
    const { entities: page, total } = await source.list('sol:planet', { limit: 500 })
    assert.deepEqual([idsOf(page), total], [idsOf(entities).slice(0, 500), 501])
  })

  test('types are in ascending order, with their counts and the versions of their pages', async (t) => {
    const source = await open([planet('a'), moon('b'), planet('c')], t)
    const types = await source.types()
    const counts = [...types].map(([type, { count }]) => [type, count])
    assert.deepEqual(counts, [
      ['sol:moon', 1],
      ['sol:planet', 2],
    ])
    for (const [type, { version }] of types)
      assert.equal((await source.list(type, { limit: 1 })).version, version)
  })

  test('versions stay the same while nothing changes', async (t) => {
    const source = await open([planet('a')], t)
    const seen = async () => [await source.version(), [...(await source.types())]]
    const before = await seen()
    await source.get('sol:planet', 'a')
    assert.deepEqual(await seen(), before)
  })

  test('sources with different content have different versions', async (t) => {
    const versions = async (source: Source) => [
      await source.version(),
      (await source.list('sol:planet', { limit: 1 })).version,
    ]
    const before = await versions(await open([planet('a')], t))
    const after = await versions(await open([planet('a', { title: 'A' })], t))
    for (const [at, version] of before.entries()) assert.notEqual(after[at], version)
  })

  test('results are plain data', async (t) => {
    const source = await open([planet('a')], t)
    const answers: unknown[] = [
      await source.get('sol:planet', 'a'),
      await source.list('sol:planet', { limit: 1 }),
      await found(source, {}),
    ]
    for (const answer of answers) assert.deepEqual(structuredClone(answer), answer)
  })
}

function findingTests(open: SourceFactory): void {
  test('a search without text finds all entities, ordered by type and id', async (t) => {
    const source = await open([planet('mars'), moon('\u{1f30d}'), moon('\ufffd'), planet('earth')], t)
    const all = await found(source, {})
    assert.deepEqual(idsOf(all.hits), ['\ufffd', '\u{1f30d}', 'earth', 'mars'])
    assert.deepEqual([all.total, all.counts, all.matched], [4, { 'sol:moon': 2, 'sol:planet': 2 }, []])
    assert.deepEqual((await found(source, { types: ['sol:moon', 'x:y'] })).counts, { 'sol:moon': 2 })
    assert.equal((await found(source, { types: [] })).total, 0)
  })

  test('a search finds words in all text of an entity, ignoring case and diacritics', async (t) => {
    const attributes = { aliases: ['Terra'], moons: [{ name: 'Lunà' }], radius: 6371 }
    const earth = planet('earth', { title: 'Earth', summary: 'The blue one', attributes })
    const source = await open([earth, planet('mars', { title: 'Mars' })], t)
    for (const text of ['earth', 'EARTH', 'terra', 'Blue', 'luna', '6371'])
      assert.deepEqual(idsOf((await found(source, { text })).hits), ['earth'], text)
    for (const text of ['venus', '"', '\ud800']) assert.equal((await found(source, { text })).total, 0)
  })

  test('each page of results continues after the previous page', async (t) => {
    const text = 'ice giant'
    const entities = Array.from({ length: 7 }, (_, at) =>
      planet(`p${at}`, { title: at % 2 === 0 ? 'ice giant' : 'ice', summary: 'giant' }),
    )
    const source = await open([...entities, moon('m', { title: 'Giant', summary: 'ice' })], t)
    for (const [query, total] of [
      [{}, 8],
      [{ text }, 8],
    ] as const) {
      const all = await found(source, query)
      assert.equal(all.total, total)
      const walked: EntityKey[] = []
      for (let after: Query['after']; ; ) {
        const page = await found(source, { ...query, limit: 3, after })
        assert.deepEqual([page.total, page.counts], [all.total, all.counts])
        walked.push(...page.hits)
        after = page.last
        if (!after) break
      }
      assert.deepEqual(walked, all.hits)
    }
    const both = (await found(source, { text })).hits.slice(0, 4)
    assert.deepEqual(idsOf(both).toSorted(), ['p0', 'p2', 'p4', 'p6'])
  })
}

async function found(source: Source, query: Partial<Query>): Promise<Found> {
  const whole = { limit: 100, budgetMs: 10_000, ...query }
  return (await source.find?.(whole)) ?? scan(source, whole)
}

async function walk(source: Source, type: string, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const { entities } = await source.list(type, { after: ids.at(-1), limit })
    if (entities.length === 0) return ids
    ids.push(...idsOf(entities))
  }
}
