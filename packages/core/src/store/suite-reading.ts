/** Contract tests: entities, pages and their order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dice, idsOf, moon, type OpenStore, planet, put, stateOf, walk } from './suite-data.ts'

/** Ids that are difficult to sort, transport or quote. */
export const STRANGE_IDS = [
  'ﾟ',
  '\ufffd',
  '\u{10000}',
  '\u{1f30d}',
  '\u{10ffff}',
  'a/b/c',
  'a\\b',
  '100%25',
  '%2e%2e',
  'e\u0301clair',
  '\u00e9clair',
  "Robert'); DROP TABLE entities;--",
  '"quoted" \'id\'',
  'a*b?c',
  'x'.repeat(512),
  '\u{1f680}'.repeat(128),
  '0',
  '-1',
  'null',
  '__proto__',
  'constructor',
]

/** Registers the read tests for one engine. */
export function readingTests(open: OpenStore): void {
  test('a missing entity is undefined, and a type without entities has an empty page', async (t) => {
    const { store } = await open(t)
    assert.equal(await store.get('sol:planet', 'earth'), undefined)
    const { entities, total } = await store.list('sol:planet', { limit: 50 })
    assert.deepEqual({ entities, total }, { entities: [], total: 0 })
    assert.equal((await store.types()).size, 0)
  })

  test('an entity is returned as JSON with its members in order and without absent members', async (t) => {
    const { store } = await open(t)
    await put(store, planet('earth', { title: 'Earth', attributes: { radius: 6371 } }))
    const earth = await store.get('sol:planet', 'earth')
    assert.equal(
      earth?.json,
      '{"type":"sol:planet","id":"earth","title":"Earth","attributes":{"radius":6371},' +
        '"createdAt":"2026-03-01T09:00:00Z","updatedAt":"2026-03-01T09:00:00Z","revision":"sH1--yjG4zsP9eHQlX-Tiw"}',
    )
    assert.equal(earth.revision, 'sH1--yjG4zsP9eHQlX-Tiw')
    assert.equal(await store.get('sol:moon', 'earth'), undefined)
  })

  test('ids are ordered by their UTF-8 bytes, and even unusual ids are found', async (t) => {
    const { store } = await open(t)
    await put(store, ...STRANGE_IDS.map((id) => planet(id, { title: id })))
    const ordered = STRANGE_IDS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    assert.ok(ordered.indexOf('\ufffd') < ordered.indexOf('\u{10000}'))
    for (const size of [1, 2, 7, 100]) assert.deepEqual(await walk(store, 'sol:planet', size), ordered)
    for (const id of STRANGE_IDS)
      assert.equal(JSON.parse((await store.get('sol:planet', id))?.json ?? '').id, id)
  })

  test('a page has the total of its type, and no entities if the limit is 0', async (t) => {
    const { store } = await open(t)
    await put(store, planet('b'), planet('a'), planet('c'), moon('io'))
    const { version } = await stateOf(store, 'sol:planet')
    const page = await store.list('sol:planet', { limit: 2 })
    assert.deepEqual([idsOf(page.entities), page.total, page.version], [['a', 'b'], 3, version])
    assert.deepEqual(await store.list('sol:planet', { limit: 0 }), { entities: [], total: 3, version })
    assert.deepEqual(await store.list('sol:planet', { after: 'c', limit: 2 }), {
      entities: [],
      total: 3,
      version,
    })
  })

  test('a page may begin after an id that does not exist', async (t) => {
    const { store } = await open(t)
    await put(store, planet('a'), planet('c'), planet('e'))
    const idsAfter = async (after: string) =>
      idsOf((await store.list('sol:planet', { after, limit: 9 })).entities)
    assert.deepEqual(await idsAfter('b'), ['c', 'e'])
    assert.deepEqual(await idsAfter('A'), ['a', 'c', 'e'])
    assert.deepEqual(await idsAfter('z'), [])
  })

  test('a walk visits every surviving entity exactly once despite concurrent writes', async (t) => {
    const { store } = await open(t)
    const roll = dice(7)
    const staying = Array.from({ length: 300 }, (_, index) => `s${index}`)
    await put(store, ...staying.map((id) => planet(id)))
    const seen: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await store.list('sol:planet', { ...(after !== undefined && { after }), limit: 7 })
      if (page.entities.length === 0) break
      seen.push(...idsOf(page.entities))
      after = seen.at(-1)
      const passing = `s${roll(300)}-${roll(9)}`
      await store.write([
        { put: planet(passing) },
        { delete: { type: 'sol:planet', id: `s${roll(300)}-${roll(9)}` } },
        { put: planet(`s${roll(300)}`, { summary: `${roll(1000)}` }) },
      ])
    }
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(new Set(seen.filter((id) => !id.includes('-'))), new Set(staying))
  })

  test('pages agree with a plain sorted list after thousands of changes', async (t) => {
    const { store } = await open(t)
    const roll = dice(11)
    const model = new Set<string>()
    for (let round = 0; round < 30; round++) {
      const operations = Array.from({ length: 100 }, () => {
        const id = `${roll(900)}`
        const keeps = roll(3) > 0
        if (keeps) model.add(id)
        else model.delete(id)
        return keeps ? { put: planet(id) } : { delete: { type: 'sol:planet', id } }
      })
      await store.write(operations)
    }
    assert.deepEqual(await walk(store, 'sol:planet', 64), [...model].sort())
    assert.equal((await store.list('sol:planet', { limit: 0 })).total, model.size)
  })

  test('large entities and member names such as __proto__ are returned byte for byte', async (t) => {
    const { store } = await open(t)
    const text =
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":"x","hasOwnProperty":null}'
    await put(store, planet('names', { attributes: JSON.parse(text) }))
    const big = 'ö"\\'.repeat(64 * 1024)
    await put(store, planet('big', { attributes: { big } }))
    assert.ok((await store.get('sol:planet', 'names'))?.json.includes(`"attributes":${text},`))
    assert.equal(JSON.parse((await store.get('sol:planet', 'big'))?.json ?? '').attributes.big, big)
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })
}
