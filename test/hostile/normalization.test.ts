import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { connect } from '@worldwright/client'
import { createWorld, toFetch } from '@worldwright/core'
import { entityFromRecord } from '@worldwright/entities'
import { realData } from '../real-data.ts'
import { rounds } from '../rounds.ts'
import { ask } from './plain.fixture.ts'
import { API, DESCRIPTION, fill, moon, ORIGIN, stores } from './served.fixture.ts'

/** A text in its composed form, with every other spelling that Unicode calls equivalent. */
interface Spellings {
  readonly nfc: string
  readonly others: readonly string[]
}

/**
 * Returns the suite's rows as ids: source, NFC and NFD are one text, NFKC and NFKD another. They are put between hyphens,
 * with which nothing composes, so that marks and spaces are inside the id.
 */
function rows(context: TestContext): readonly Spellings[] | undefined {
  const path = realData(context, 'hostile/unicode-normalization/NormalizationTest.txt')
  if (path === undefined) return undefined
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => /^[0-9A-F]/.test(line))
    .flatMap((line) => {
      const [source, nfc, nfd, nfkc, nfkd] = line.split(';').slice(0, 5).map(idFrom)
      assert.ok(source && nfc && nfd && nfkc && nfkd, line)
      return [
        { nfc, others: [source, nfd].filter((one) => one !== nfc) },
        { nfc: nfkc, others: [nfkd].filter((one) => one !== nfkc) },
      ]
    })
}

function idFrom(codePoints: string): string {
  return `-${String.fromCodePoint(...codePoints.split(' ').map((hex) => Number.parseInt(hex, 16)))}-`
}

/** Sampling interval of rows: `npm test` tries every sixth row, a thorough run every row. */
const EVERY = rounds(6, 1)

/** Merges the rows with the same composed form. */
function distinct(all: readonly Spellings[]): Spellings[] {
  const byForm = new Map<string, string[]>()
  for (const { nfc, others } of all) byForm.set(nfc, [...(byForm.get(nfc) ?? []), ...others])
  return [...byForm].map(([nfc, others]) => ({ nfc, others: [...new Set(others)] }))
}

test('an entity is found by every spelling of its id that Unicode calls equivalent', async (t) => {
  const all = rows(t)
  if (all === undefined) return
  const ids = distinct(all).filter((_, row) => row % EVERY === 0)
  for (const [name, storage] of await stores(t)) {
    await fill(
      storage,
      ids.map(({ nfc }) => moon(nfc)),
    )
    const handler = createWorld({ ...DESCRIPTION, store: storage, publicUrl: ORIGIN, cacheBytes: 0 })
    const world = await connect(ORIGIN, { fetch: toFetch(handler) })
    let spellings = 0
    for (const [index, { nfc, others }] of ids.entries()) {
      for (const id of [nfc, ...others]) {
        spellings += 1
        const { status, body } = await ask(handler, `${API}/entities/sol%3Amoon/${encodeURIComponent(id)}`)
        assert.equal(status, 200, `${name}: ${codePoints(id)}`)
        assert.equal((JSON.parse(body) as { id: string }).id, nfc)
      }
      // The client sends the id as given; it is slower, so a sample of the rows suffices.
      const last = others.at(-1)
      if (last !== undefined && index % 20 === 0) assert.equal((await world.get('sol:moon', last)).id, nfc)
    }
    assert.ok(
      ids.length > 15_000 / EVERY && spellings > 30_000 / EVERY,
      `${ids.length} ids, ${spellings} spellings`,
    )
  }
})

test('an id is accepted in its composed form and refused in any other', (t) => {
  const all = rows(t)
  if (all === undefined) return
  let refused = 0
  for (const { nfc, others } of all) {
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
