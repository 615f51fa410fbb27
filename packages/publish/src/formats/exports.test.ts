import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { ndjsonExport } from '@worldwright/entities'
import { resultOf } from '../load/events.ts'
import { importRecords } from '../load/import-records.ts'
import { exportPieces } from './formats.ts'

async function text(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  let all = ''
  for await (const piece of pieces) all += piece
  return all
}

async function storeOf(...entities: object[]) {
  const store = createMemoryStore({ now: () => new Date('2026-03-01T09:00:00Z') })
  const bytes = (async function* () {
    yield Buffer.from(entities.map((entity) => JSON.stringify(entity)).join('\n'))
  })()
  await resultOf(importRecords(store, [{ source: { name: 'x.ndjson', bytes } }]))
  return store
}

const MOONS = [
  {
    type: 'sol:moon',
    id: 'io',
    title: '=1+1',
    attributes: { a: 1, list: [1, 'x'], text: 'two\nlines, "quoted"' },
  },
  { type: 'sol:moon', id: 'europa', attributes: { b: '@SUM(A1)', a: -2 } },
  { type: 'sol:planet', id: 'mars', attributes: {} },
]

test('importing an NDJSON export again changes nothing', async () => {
  const store = await storeOf(...MOONS)
  const exported = await text(ndjsonExport(store))
  assert.deepEqual(exported.trimEnd().split('\n').length, 3)
  const bytes = (async function* () {
    yield Buffer.from(exported)
  })()
  const { unchanged, created, changed } = await resultOf(
    importRecords(store, [{ source: { name: 'x', bytes } }]),
  )
  assert.deepEqual({ unchanged, created, changed }, { unchanged: 3, created: 0, changed: 0 })
  assert.equal((await text(ndjsonExport(store, 'sol:planet'))).trimEnd().split('\n').length, 1)
})

test('an attribute name is escaped if a spreadsheet would evaluate it', async () => {
  const store = await storeOf({ type: 'sol:moon', id: 'io', attributes: { '=evil()': 1 } })
  assert.equal(
    await text(exportPieces(store, { format: 'csv', type: 'sol:moon' })),
    "\uFEFFid,title,summary,'=evil()\nio,,,1\n",
  )
})

test('a CSV export has a column for each attribute and no formulas', async () => {
  const store = await storeOf(...MOONS)
  assert.equal(
    await text(exportPieces(store, { format: 'csv', type: 'sol:moon' })),
    "\uFEFFid,title,summary,b,a,list,text\neuropa,,,'@SUM(A1),-2,,\n" +
      `io,'=1+1,,,1,"[1,""x""]","two\nlines, ""quoted"""\n`,
  )
})

test('escaped cells are counted, escaping can be disabled, and too wide a table is refused', async () => {
  const store = createMemoryStore()
  const attributes = { phone: '+4912345', sum: '=1+1', below: -1, plain: 'a=b' }
  await store.write([{ put: { type: 'sol:moon', id: 'io', attributes } }])
  let cells = 0
  const escaped = (count: number) => {
    cells = count
  }
  const table = (rows: string) => `\uFEFFid,title,summary,phone,sum,below,plain\n${rows}\n`
  assert.equal(
    await text(exportPieces(store, { format: 'csv', type: 'sol:moon', escaped })),
    table("io,,,'+4912345,'=1+1,-1,a=b"),
  )
  assert.equal(cells, 2)
  cells = 0
  assert.equal(
    await text(exportPieces(store, { format: 'csv', type: 'sol:moon', keepFormulas: true, escaped })),
    table('io,,,+4912345,=1+1,-1,a=b'),
  )
  assert.equal(cells, 0)
  const wide = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`a${at}`, at]))
  await store.write([{ put: { type: 'sol:moon', id: 'wide', attributes: wide } }])
  await assert.rejects(
    text(exportPieces(store, { format: 'csv', type: 'sol:moon' })),
    /more than 1000 attributes/,
  )
})

test('with titles, a column of references is followed by the titles of their entities', async () => {
  const planet = (id: string) => ({ type: 'sol:planet', id })
  const store = await storeOf(
    { ...planet('mars'), title: 'Mars', attributes: {} },
    { ...planet('x'), title: '=1+1', attributes: {} },
    { ...planet('y'), title: 'A; B', attributes: {} },
    { ...planet('z'), attributes: {} },
    { type: 'sol:star', id: 'mars', title: 'No planet', attributes: {} },
    {
      type: 'sol:moon',
      id: '1',
      attributes: {
        planet: planet('mars'),
        seen: [planet('mars'), planet('x')],
        star: 'mars',
        'star title': 1,
      },
    },
    {
      type: 'sol:moon',
      id: '2',
      attributes: { planet: planet('gone'), seen: [planet('mars'), planet('y')], star: 'none' },
    },
    { type: 'sol:moon', id: '3', attributes: { planet: planet('z'), seen: [] } },
    { type: 'sol:moon', id: '4', attributes: { planet: { type: 'sol:star', id: 'mars' } } },
    { type: 'sol:moon', id: '5', attributes: { seen: [planet('x')] } },
  )
  const schema = {
    properties: { planet: {}, seen: {}, star: { 'x-references': 'sol:star' }, 'star title': {} },
  }
  const asked = { format: 'csv', type: 'sol:moon', schema }
  const head = 'id,title,summary,planet,planet title,seen,seen title,star,star title title,star title'
  const of = (type: string, id: string) => `"{""type"":""sol:${type}"",""id"":""${id}""}"`
  const rows = [
    `1,,,${of('planet', 'mars')},Mars,mars;x,Mars;=1+1,mars,No planet,1`,
    `2,,,${of('planet', 'gone')},,mars;y,"[""Mars"",""A; B""]",none,,`,
    `3,,,${of('planet', 'z')},,,,,,`,
    `4,,,${of('star', 'mars')},No planet,,,,,`,
    "5,,,,,x,'=1+1,,,",
  ]
  assert.equal(
    await text(exportPieces(store, { ...asked, titles: true })),
    `\uFEFF${[head, ...rows].join('\n')}\n`,
  )
  const plain = await text(exportPieces(store, asked))
  assert.equal(plain.split('\n')[0], '\uFEFFid,title,summary,planet,seen,star,star title')
})
