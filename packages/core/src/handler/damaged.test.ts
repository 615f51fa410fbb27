import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openSqliteStore } from '../../../sqlite/src/open.ts'
import { temporaryFolder } from '../../../sqlite/src/temporary-folder.fixture.ts'
import { createWorld } from './handler.ts'
import type { WorldRequest } from './http.ts'
import { API, DESCRIPTION, JSON_TYPE, ORIGIN, pieces } from './world.fixture.ts'

/** Creates a world of moons, and damages some of them in the database file. */
async function moons(ids: readonly string[], damaged: readonly string[]) {
  const folder = temporaryFolder()
  const store = openSqliteStore(folder.file('world.db'))
  await store.write(ids.map((id) => ({ put: { type: 'sol:moon', id, title: `Moon ${id}`, attributes: {} } })))
  const db = new DatabaseSync(folder.file('world.db'))
  const damage = db.prepare(`UPDATE entities SET json = replace(json, 'Moon', 'Mo0n') WHERE id = ?`)
  for (const id of damaged) damage.run(id)
  db.close()
  const events: unknown[] = []
  const log = (entry: { event: string; error: unknown }) => void events.push([entry.event, `${entry.error}`])
  const world = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN, log })
  const send = async (path: string, text?: string) => {
    const request: WorldRequest =
      text === undefined
        ? { method: 'GET', target: API + path, headers: {} }
        : {
            method: 'POST',
            target: API + path,
            headers: JSON_TYPE,
            body: pieces(JSON.stringify({ input: { text } })),
          }
    const { status, headers, body } = await world.handle(request)
    return { status, headers, json: JSON.parse(Buffer.from(body as Uint8Array).toString()) }
  }
  const close = async () => {
    await store.close()
    folder.remove()
  }
  return { send, events, close }
}

test('a read of a damaged entity fails with the code damaged and is logged', async (t) => {
  const { send, events, close } = await moons(['europa', 'io'], ['io'])
  t.after(close)
  const { status, headers, json } = await send('/entities/sol%3Amoon/io')
  assert.deepEqual([status, json.code, json.details], [500, 'damaged', { type: 'sol:moon', id: 'io' }])
  assert.deepEqual([headers['world-error-code'], headers['cache-control']], ['damaged', 'no-store'])
  assert.equal((await send('/entities/sol%3Amoon/europa')).status, 200)
  const said =
    'StoreFault: sol:moon io is damaged: what is stored is not what was written. Put it again, or restore a backup.'
  assert.deepEqual(events, [['damaged', said]])
})

test('a list names the damaged entities that it omits, and is not cached', async (t) => {
  const { send, close } = await moons(['a', 'b', 'c', 'd'], ['b'])
  t.after(close)
  const { headers, json } = await send('/entities/sol%3Amoon')
  assert.deepEqual(
    json.entities.map(({ id }: { id: string }) => id),
    ['a', 'c', 'd'],
  )
  assert.deepEqual([json.damaged, json.total, 'nextCursor' in json], [['b'], 4, false])
  assert.deepEqual([headers['etag'], headers['cache-control']], [undefined, 'no-store'])
  const planets = await send('/entities/sol%3Aplanet')
  assert.deepEqual(['damaged' in planets.json, 'etag' in planets.headers], [false, true])
})

test('a walk visits every intact entity exactly once despite damaged ones', async (t) => {
  const ids = Array.from({ length: 12 }, (_, index) => `m${String(index).padStart(2, '0')}`)
  for (const damaged of [['m00'], ['m11'], ['m03', 'm04', 'm05'], ids.slice(6), ids]) {
    const { send, close } = await moons(ids, damaged)
    t.after(close)
    for (const limit of [1, 2, 3, 5, 20]) {
      const seen: string[] = []
      const missing = new Set<string>()
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const { json } = await send(`/entities/sol%3Amoon?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        assert.ok(json.entities.length <= limit && seen.length <= ids.length)
        for (const { id } of json.entities) seen.push(id)
        for (const id of json.damaged ?? []) missing.add(id)
        cursor = json.nextCursor
      }
      assert.deepEqual([seen, [...missing]], [ids.filter((id) => !damaged.includes(id)), damaged])
    }
  }
})

test('discover names the damaged entities that it omits', async (t) => {
  const { send, close } = await moons(['a', 'b'], ['b'])
  t.after(close)
  const { output } = (await send('/actions/wp%3Adiscover', 'moon')).json
  assert.deepEqual(
    output.entities.map(({ id }: { id: string }) => id),
    ['a'],
  )
  assert.deepEqual(
    [output.damaged, output.total, output.truncated],
    [[{ type: 'sol:moon', id: 'b' }], 2, false],
  )
  assert.equal('damaged' in (await send('/actions/wp%3Adiscover', 'nothing')).json.output, false)
})
