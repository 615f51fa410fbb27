/** Contract tests: entities, pages and their order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dice, idsOf, moon, type OpenStore, planet, put, stateOf, walk } from './suite-data.ts'

/** Ids that are hard to sort, to transport and to quote. */
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

/** Registers the tests of reading for one engine. */
export function readingTests(open: OpenStore): void {
  test('what is not there is undefined, or an empty page', async (t) => {
    const { storage } = await open(t)
    assert.equal(await storage.get('sol:planet', 'earth'), undefined)
    const { entities, total } = await storage.list('sol:planet', { limit: 50 })
    assert.deepEqual({ entities, total }, { entities: [], total: 0 })
    assert.equal((await storage.types()).size, 0)
  })

  test('an entity comes back as its JSON, members in order and absent ones left out', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('earth', { title: 'Earth', attributes: { radius: 6371 } }))
    const earth = await storage.get('sol:planet', 'earth')
    assert.equal(
      earth?.json,
      '{"type":"sol:planet","id":"earth","title":"Earth","attributes":{"radius":6371},' +
        '"createdAt":"2026-03-01T09:00:00Z","updatedAt":"2026-03-01T09:00:00Z","revision":"sH1--yjG4zsP9eHQlX-Tiw"}',
    )
    assert.equal(earth.revision, 'sH1--yjG4zsP9eHQlX-Tiw')
    assert.equal(await storage.get('sol:moon', 'earth'), undefined)
  })

  test('ids are ordered by their UTF-8 bytes and found as they are, however strange', async (t) => {
    const { storage } = await open(t)
    await put(storage, ...STRANGE_IDS.map((id) => planet(id, { title: id })))
    const ordered = STRANGE_IDS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    assert.ok(ordered.indexOf('\ufffd') < ordered.indexOf('\u{10000}'))
    for (const size of [1, 2, 7, 100]) assert.deepEqual(await walk(storage, 'sol:planet', size), ordered)
    for (const id of STRANGE_IDS)
      assert.equal(JSON.parse((await storage.get('sol:planet', id))?.json ?? '').id, id)
  })

  test('a page has the total of its type, and a limit of 0 has nothing else', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('b'), planet('a'), planet('c'), moon('io'))
    const { version } = await stateOf(storage, 'sol:planet')
    const page = await storage.list('sol:planet', { limit: 2 })
    assert.deepEqual([idsOf(page.entities), page.total, page.version], [['a', 'b'], 3, version])
    assert.deepEqual(await storage.list('sol:planet', { limit: 0 }), { entities: [], total: 3, version })
    assert.deepEqual(await storage.list('sol:planet', { after: 'c', limit: 2 }), {
      entities: [],
      total: 3,
      version,
    })
  })

  test('a page may begin after an id that does not exist', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('a'), planet('c'), planet('e'))
    const idsAfter = async (after: string) =>
      idsOf((await storage.list('sol:planet', { after, limit: 9 })).entities)
    assert.deepEqual(await idsAfter('b'), ['c', 'e'])
    assert.deepEqual(await idsAfter('A'), ['a', 'c', 'e'])
    assert.deepEqual(await idsAfter('z'), [])
  })

  test('a walk visits every remaining entity exactly once, whatever is written meanwhile', async (t) => {
    const { storage } = await open(t)
    const roll = dice(7)
    const staying = Array.from({ length: 300 }, (_, index) => `s${index}`)
    await put(storage, ...staying.map((id) => planet(id)))
    const seen: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await storage.list('sol:planet', { ...(after !== undefined && { after }), limit: 7 })
      if (page.entities.length === 0) break
      seen.push(...idsOf(page.entities))
      after = seen.at(-1)
      const passing = `s${roll(300)}-${roll(9)}`
      await storage.write([
        { put: planet(passing) },
        { delete: { type: 'sol:planet', id: `s${roll(300)}-${roll(9)}` } },
        { put: planet(`s${roll(300)}`, { summary: `${roll(1000)}` }) },
      ])
    }
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(new Set(seen.filter((id) => !id.includes('-'))), new Set(staying))
  })

  test('pages agree with a plain sorted list after thousands of changes', async (t) => {
    const { storage } = await open(t)
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
      await storage.write(operations)
    }
    assert.deepEqual(await walk(storage, 'sol:planet', 64), [...model].sort())
    assert.equal((await storage.list('sol:planet', { limit: 0 })).total, model.size)
  })

  test('an entity of 256 KiB and member names such as __proto__ come back byte for byte', async (t) => {
    const { storage } = await open(t)
    const text =
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":"x","hasOwnProperty":null}'
    await put(storage, planet('names', { attributes: JSON.parse(text) }))
    const big = 'ö"\\'.repeat(64 * 1024)
    await put(storage, planet('big', { attributes: { big } }))
    assert.ok((await storage.get('sol:planet', 'names'))?.json.includes(`"attributes":${text},`))
    assert.equal(JSON.parse((await storage.get('sol:planet', 'big'))?.json ?? '').attributes.big, big)
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })
}
