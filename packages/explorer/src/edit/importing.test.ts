import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  field,
  find,
  get,
  layOut,
  press,
  shown,
  startPage,
  submit,
  textOf,
  texts,
  until,
} from '../page.fixture.ts'
import { listed, openPage, result, TYPES } from './editable.fixture.ts'
import { tableFrom } from './table.ts'

startPage()

const bytes = (text: string) => new TextEncoder().encode(text)
const MOON = TYPES[0]?.schema
const rowsOf = async (text: string, schema: object = MOON ?? {}) => {
  const { rows } = await tableFrom(bytes(text), schema)
  return rows.map(({ number, id, content, fault }) => fault ?? JSON.stringify([number, id, content]))
}

test('cells become values by the schema, exactly, or are refused with the reason', async () => {
  const schema = {
    type: 'object',
    properties: {
      size: { type: 'number', maximum: 1e30 },
      isIcy: { type: 'boolean', title: 'Icy' },
      kind: { enum: ['a', 1, false] },
      names: { type: 'array', items: { type: 'string' } },
      orbits: MOON?.properties?.orbits,
      seen: { type: 'array', items: MOON?.properties?.orbits },
      place: { type: 'object', properties: { latitude: { type: 'number' } } },
      day: { type: 'string', format: 'date' },
    },
  }
  const head = '\uFEFFid;Title;SIZE;icy;kind;names;orbits;seen;place;day'
  const long = '12345678901234567890'
  assert.deepEqual(
    await rowsOf(
      `${head}\r\n\
a;"A; ""b""";${long};TRUE;1;"x
y";mars;mars;"{""latitude"":1.50}";\r\n\
b;'=1+1;-.5;;false;"[""x"",""y""]";"{""type"":""sol:planet"",""id"":""m""}";x;y;z;w\r\n\
;;;;;;;;;\r\n\
__proto__;<b>;1e3;false;a;;;mars;;2026-01-02\r\n`,
      schema,
    ),
    [
      `[2,"a",{"attributes":{"size":${long},"isIcy":true,"kind":1,"names":["x","y"],"orbits":{"type":"sol:planet","id":"mars"},"seen":[{"type":"sol:planet","id":"mars"}],"place":{"latitude":1.50}},"title":"A; \\"b\\""}]`,
      'The row has another number of cells than the first one.',
      `[5,"__proto__",{"attributes":{"size":1e3,"isIcy":false,"kind":"a","seen":[{"type":"sol:planet","id":"mars"}],"day":"2026-01-02"},"title":"<b>"}]`,
    ],
  )
  for (const [cells, reason] of [
    ['a;;1,5', 'Size: Write a number, such as 12.5.'],
    ['a;;1e31', 'Size: This number is out of range.'],
    ['a;;;yes', 'Icy: This cannot be read.'],
    ['a;;;;b', 'Kind: This cannot be read.'],
    ['a;;;;;[1]', 'Names: This cannot be read.'],
    ['a;;;;;[]', 'Names: This cannot be read.'],
    ['a;;;;;;;[1]', 'Seen: This cannot be read.'],
    ['a;;;;;;;;{', 'Place: This is not valid JSON.'],
    ['a;;;;;;;;;soon', 'Day: This cannot be read.'],
    [';b', 'This is required.'],
  ] as const) {
    const row = `${cells}${';'.repeat(10 - cells.split(';').length)}`
    assert.deepEqual(await rowsOf(`${head}\n${row}`, schema), [reason], cells)
  }
})

test('columns without a field and required fields without a column are named, and an id occurs once', async () => {
  const table = await tableFrom(
    bytes('id\tcode\tcode\t__proto__\tother\nio\ta\tb\t1\t2\nio\tc\t\t\t\n'),
    MOON,
  )
  assert.deepEqual([table.ignored, table.missing], [['code', '__proto__', 'other'], ['Radius']])
  assert.deepEqual(
    table.rows.map(({ content, fault }) => fault ?? content),
    [{ attributes: { code: 'a' } }, 'An earlier row has this id.'],
  )
  await assert.rejects(tableFrom(new Uint8Array([105, 100, 10, 0xff]), MOON))
  await assert.rejects(tableFrom(bytes('id,code\n"a,b\n'), MOON))
})

/** Opens the form in the list of moons and gives it a file. */
async function opened(t: TestContext, text: string) {
  layOut(t)
  const world = await openPage('list')
  await until(() => find('button', 'Import a table'))
  await choose(text)
  return world
}

async function choose(text: string) {
  press(get('button', 'Import a table'))
  await until(() => find('input[type=file]'))
  const input = get<HTMLInputElement>('input[type=file]')
  Object.defineProperty(input, 'files', { value: [new File([text], 'moons.csv')] })
  input.dispatchEvent(new window.Event('change'))
}

const TABLE = 'id,title,radius,code\nio,,1821.6,a\neuropa,Europa,1560.8,b\nbad,Bad,-1,\nodd,Odd,2,__\n'

test('a table is previewed and written, and what exists is changed only if asked', async (t) => {
  const { json, sent } = await opened(t, TABLE)
  await shown('Rows: 4 · Refused: 1')
  assert.deepEqual(texts('.edit-tools tbody tr')[0], '4 Radius: This number is out of range.badBad-1')
  submit(get('form.editor'))
  await until(() => result() === 'Conflict: 1 · Done: 1 · Refused: 2')
  assert.match(
    listed().join('\n'),
    /^2 io – Conflict: There is already an entity with this id\.\n4 bad – Refused: Radius: .*\n5 odd – Refused: attributes\/code: /,
  )
  assert.match((await json('europa')) ?? '', /"radiusKm":1560.8,"code":"b"/)
  assert.doesNotMatch((await json()) ?? '', /"code"/)
  await until(() => texts('.list-body tbody tr').some((row) => row.includes('Europa')))
  assert.equal(result(), 'Conflict: 1 · Done: 1 · Refused: 2')
  press(get('button', 'Close'))

  await until(() => find('button', 'Import a table'))
  await choose(TABLE)
  await shown('Rows: 4 · Refused: 1')
  press(field('Also change entities that exist. Empty cells change nothing.'))
  submit(get('form.editor'))
  await until(() => result() === 'Done: 1 · Unchanged: 1 · Refused: 2')
  assert.match((await json()) ?? '', /"title":"Io".*"radiusKm":1821.6,.*"serial":7.*"code":"a"/)
  assert.ok(sent.includes('PATCH {"attributes":{"code":"a"}}'))
  press(get('button', 'Undo: 1'))
  await until(() => result() === 'Done: 1')
  assert.doesNotMatch((await json()) ?? '', /"code"/)
})

test('a file that is no table, has no ids or is too long is refused with the limits', async (t) => {
  await opened(t, 'name\nIo\n')
  await shown('This is not such a file in UTF-8.')
  assert.match(textOf(get('[role=alert]')), /At most 2,000 rows and 5 MB; world import reads larger files\.$/)
  press(get('button', 'Cancel'))
  await until(() => find('button', 'Import a table'))
  await choose(`id\n${Array.from({ length: 2_001 }, (_, at) => at).join('\n')}`)
  await shown('This is not such a file in UTF-8.')
  assert.equal(get<HTMLButtonElement>('form.editor [type=submit]').disabled, true)
})
