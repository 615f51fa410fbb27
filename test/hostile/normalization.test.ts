import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@worldwright/client'
import { createWorld, toFetch } from '@worldwright/core'
import { entityFromRecord } from '@worldwright/entities'
import { rounds } from '../rounds.ts'
import { allSpellings, KNOWN_SPELLINGS, type Spellings } from './normalization.fixture.ts'
import { ask } from './plain.fixture.ts'
import { API, DESCRIPTION, fill, moon, ORIGIN, stores } from './served.fixture.ts'

/** Sampling interval: `npm test` tries every sixth text, a thorough run tries all. */
const EVERY = rounds(6, 1)

/** Merges all spellings of the same composed form, without duplicates. */
function distinct(all: readonly Spellings[]): Spellings[] {
  const byForm = new Map<string, string[]>()
  for (const { nfc, others } of all) byForm.set(nfc, [...(byForm.get(nfc) ?? []), ...others])
  return [...byForm].map(([nfc, others]) => ({ nfc, others: [...new Set(others)] }))
}

test('an entity is found by every canonically equivalent spelling of its id', async (t) => {
  const all = distinct(allSpellings())
  const ids = all.filter((_, at) => at < KNOWN_SPELLINGS.length || at % EVERY === 0)
  for (const [name, store] of await stores(t)) {
    await fill(
      store,
      ids.map(({ nfc }) => moon(nfc)),
    )
    const handler = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN, cacheBytes: 0 })
    const world = await connect(ORIGIN, { fetch: toFetch(handler) })
    let spellings = 0
    for (const [index, { nfc, others }] of ids.entries()) {
      for (const id of [nfc, ...others]) {
        spellings += 1
        const { status, body } = await ask(handler, `${API}/entities/sol%3Amoon/${encodeURIComponent(id)}`)
        assert.equal(status, 200, `${name}: ${codePoints(id)}`)
        assert.equal((JSON.parse(body) as { id: string }).id, nfc)
      }
      // The client sends the id as given too, but is slower, so try only one spelling.
      const last = others.at(-1)
      if (last !== undefined && index % 20 === 0) assert.equal((await world.get('sol:moon', last)).id, nfc)
    }
    assert.ok(
      ids.length > 15_000 / EVERY && spellings > 30_000 / EVERY,
      `${ids.length} ids, ${spellings} spellings`,
    )
  }
})

test('an id is accepted only in its composed form', () => {
  let refused = 0
  for (const { nfc, others } of allSpellings()) {
    const record = (id: string) => entityFromRecord({ type: 'sol:moon', id, attributes: {} }, {})
    assert.ok('entity' in record(nfc), codePoints(nfc))
    for (const id of others) {
      const read = record(id)
      assert.ok('faults' in read, codePoints(id))
      assert.deepEqual(
        read.faults.map(({ pointer }) => pointer),
        ['/id'],
      )
      refused += 1
    }
  }
  assert.ok(refused > 20_000, String(refused))
})

function codePoints(text: string): string {
  return [...text].map((character) => character.codePointAt(0)?.toString(16)).join(' ')
}
