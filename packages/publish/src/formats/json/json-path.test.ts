import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReadOptions, readRecords } from '../../input/read-records.ts'
import { parsePath } from './json-path.ts'

async function read(content: unknown, options: ReadOptions = {}, name = 'x.json') {
  const bytes = (async function* () {
    yield Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  })()
  const found: unknown[] = []
  for await (const result of readRecords({ name, bytes }, options))
    found.push('record' in result ? result.record : result.fault.message)
  return found
}

test('a path selects records anywhere in a document', async () => {
  const document = {
    meta: { total: 2 },
    data: { 'the items': [{ id: 'a' }, { id: 'b' }] },
    groups: [{ members: [{ id: 'c' }] }, { members: [{ id: 'd' }, { id: 'e' }] }],
    byName: { io: { radius: 1 }, europa: { radius: 2 } },
  }
  const items = [{ id: 'a' }, { id: 'b' }]
  assert.deepEqual(await read(document, { records: "$.data['the items'][*]" }), items)
  assert.deepEqual(await read(document, { records: '$.data["the items"]' }), items)
  assert.deepEqual(await read(document, { records: '$.groups[*].members[*]' }), [
    { id: 'c' },
    { id: 'd' },
    { id: 'e' },
  ])
  assert.deepEqual(await read(document, { records: '$.groups[1].members' }), [{ id: 'd' }, { id: 'e' }])
  assert.deepEqual(await read(document, { records: '$.meta' }), [{ total: 2 }])
  assert.deepEqual(await read(document, { records: '$.byName.*' }), [
    { $key: 'io', radius: 1 },
    { $key: 'europa', radius: 2 },
  ])
  assert.deepEqual(await read([{ id: 'a' }, { id: 'b' }], { records: '$' }), items)
})

test('a path without a match is refused with a list of the existing members', async () => {
  await assert.rejects(read({ data: [{}], next: null }, { records: '$.items[*]' }), {
    name: 'SourceFault',
    message: 'x.json: $.items[*] leads to no record; the document has data, next.',
  })
  await assert.rejects(read({ data: [] }, { records: '$.data[*]' }), { name: 'SourceFault' })
})

test('a truncated document yields the records before its end, and a fault', async () => {
  assert.deepEqual(await read('{"data":[{"id":1},{"id":', { records: '$.data' }), [
    { id: 1 },
    'not JSON: Unexpected end of JSON input',
    'not JSON: the list of records does not end',
  ])
})

test('text that is not a path is not parsed', () => {
  for (const path of ['features', '$.', '$..a', '$[', "$['a", '$.a b', '$[-1]', '$x'])
    assert.equal(parsePath(path), undefined, path)
})
