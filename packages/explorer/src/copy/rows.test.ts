import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFake } from '../fake-world.fixture.ts'
import { csvFrom, ndjsonFrom } from './rows.ts'

const entities = [
  {
    type: 'a:b',
    id: '1',
    title: 'One, "two"',
    attributes: { n: -5, list: [1, 'x'], ref: { type: 'a:b', id: '2' } },
  },
  { type: 'a:b', id: '=1+1', attributes: { n: 1e21, text: 'two\nlines' } },
]

test('NDJSON has one entity per line, as received', () => {
  const lines = ndjsonFrom(entities).trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    entities,
  )
})

test('CSV has a column per attribute and no text that a spreadsheet would run as a formula', () => {
  assert.equal(
    csvFrom(entities),
    'type,id,title,summary,n,list,ref,text,createdAt,updatedAt,revision\r\n' +
      'a:b,1,"One, ""two""",,-5,"[1,""x""]","{""type"":""a:b"",""id"":""2""}",,,,\r\n' +
      'a:b,\'=1+1,,,1e+21,,,"two\nlines",,,\r\n',
  )
})

test('downloads have the numbers that were received', async () => {
  const entity =
    '{"type":"f:thing","id":"1","attributes":{"n":9007199254740993,"m":-12345678901234567003,"l":[1e400]}}'
  const spelled = '{"type":"f:thing","id":"2","attributes":{"n":1.0,"n":-0}}'
  const answers = { 'entities/f:thing': new Response(`{"entities":[${entity},\n ${spelled}],"total":2}`) }
  const { open } = await openFake({ answers })
  const received = (await open.world.list('f:thing')).entities
  assert.equal(ndjsonFrom(received), `${entity}\n${spelled}\n`)
  const [, first] = csvFrom(received).split('\r\n')
  assert.equal(first, 'f:thing,1,,,9007199254740993,-12345678901234567003,[1e400],,,')
})
