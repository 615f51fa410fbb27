import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readRecords } from './read-records.ts'

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function read(content: string | Uint8Array, size = 64 * 1024, name = 'test') {
  const found: [line: number, what: unknown][] = []
  for await (const result of readRecords({ name, bytes: pieces(Buffer.from(content), size) })) {
    found.push([result.line, 'record' in result ? result.record : result.fault.reason])
  }
  return found
}

test('NDJSON yields one record per line, however its bytes are chunked', async () => {
  const text = '\ufeff{"a":"ä"}\r\n\n  \n{"b":2}\n{"c":"𝄞"}'
  for (const size of [1, 2, 3, 7, 1000]) {
    assert.deepEqual(await read(text, size), [
      [1, { a: 'ä' }],
      [4, { b: 2 }],
      [5, { c: '𝄞' }],
    ])
  }
})

test('binary bytes of no known format are refused, and a NUL in a named table is no reason', async () => {
  await assert.rejects(read('\x03_\x07\x1a\0\0\0', 64, 'x.dbf'), {
    message: 'x.dbf: this is a binary file of no known format. Export it as CSV or Parquet.',
  })
  assert.deepEqual(await read('a,b\n1,\0\n', 64, 'x.csv'), [[2, { a: '1', b: '\0' }]])
})

test('a bad line does not affect other lines', async () => {
  assert.deepEqual(await read('{"a":1}\n{"a":1,"a":2}\n{oops}\n{"b":2}\n'), [
    [1, { a: 1 }],
    [2, 'repeated'],
    [3, 'malformed'],
    [4, { b: 2 }],
  ])
})

test('bytes that are not UTF-8 cause a fault instead of being replaced', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"a":1}\n{"a":"'),
    Buffer.from([0xff]),
    Buffer.from('"}\n{"b":2}\n'),
  ])
  assert.deepEqual(await read(bytes), [
    [1, { a: 1 }],
    [2, 'malformed'],
    [3, { b: 2 }],
  ])
  assert.deepEqual(await read(Buffer.from([0x5b, 0x0a, 0x22, 0xff, 0x22, 0x5d])), [[2, 'malformed']])
})

test('a line over 1 MiB is refused and skipped', async () => {
  const long = `{"a":"${'x'.repeat(3 * 1024 * 1024)}"}`
  for (const size of [5000, 10_000_000]) {
    assert.deepEqual(await read(`{"a":1}\n${long}\n{"b":2}\n${long}`, size), [
      [1, { a: 1 }],
      [2, 'too_long'],
      [3, { b: 2 }],
      [4, 'too_long'],
    ])
  }
})

test('a JSON array yields its elements with their lines, and reading continues after a bad element', async () => {
  assert.deepEqual(await read('[\n  {"a":1},\n  {"a":1,"a":2},\n  {"b":\n  {}}, oops\n]\n'), [
    [2, { a: 1 }],
    [3, 'repeated'],
    [4, { b: {} }],
    [5, 'malformed'],
  ])
  assert.deepEqual(await read(' [ ] '), [])
})

test('a broken array ends with a fault', async () => {
  for (const text of ['[{"a":1}', '[{"a":1} {"b":2}]', '[{"a":1}] x', '[{"a":1},]', '[{"a":1}]]']) {
    assert.deepEqual(
      await read(text),
      [
        [1, { a: 1 }],
        [1, 'malformed'],
      ],
      text,
    )
  }
})

test('an "entities" list yields its elements, and an object with an id is one record', async () => {
  assert.deepEqual(await read('{"entities":[{"a":1},\n{"b":2}],"limit":50}'), [
    [1, { a: 1 }],
    [2, { b: 2 }],
  ])
  assert.deepEqual(await read('{\n  "id": "x",\n  "entities": [1]\n}\n'), [[1, { id: 'x', entities: [1] }]])
  assert.deepEqual(await read('{"entities":[{"a":1}],oops}'), [
    [1, { a: 1 }],
    [1, 'malformed'],
  ])
})

test('gzip is recognized by its bytes, even with several members or in small chunks', async () => {
  const bytes = Buffer.concat([gzipSync('{"a":1}\n'), gzipSync('{"b":2}\n')])
  for (const size of [1, 1000]) {
    assert.deepEqual(await read(bytes, size), [
      [1, { a: 1 }],
      [2, { b: 2 }],
    ])
  }
})

test('truncated gzip data fails the source', async () => {
  const bytes = gzipSync('{"a":1}\n{"b":2}\n')
  await assert.rejects(read(bytes.subarray(0, bytes.length - 10)), { name: 'SourceFault' })
})

test('a malformed first line does not affect the others if later lines begin objects', async () => {
  const broken = [
    '{"a":1',
    '{"a":"1',
    '{"a":1,',
    '{"a":[1,',
    '{"a":{"b":1}',
    '{a:[]',
    '"a":1}',
    'oops',
    '{"a":',
  ]
  for (const first of broken) {
    for (const size of [1, 7, 1000]) {
      const found = await read(`${first}\n{"b":2}\n\n{"c":"}"}\n`, size)
      assert.deepEqual(
        found,
        [
          [1, 'malformed'],
          [2, { b: 2 }],
          [4, { c: '}' }],
        ],
        first,
      )
    }
  }
})

test('a document is recognized regardless of its line breaks, and an NDJSON file name is trusted', async () => {
  const documents = ['{"entities":[\n{"a":1},\n{"b":2}]}', '{"entities":[{"a":1},\n{"b":2}\n]\n}']
  for (const text of documents) {
    assert.deepEqual(
      (await read(text, 5)).map(([, record]) => record),
      [{ a: 1 }, { b: 2 }],
    )
  }
  assert.deepEqual(await read('{"a":\n{"b":"\\"{"}}'), [[1, { a: { b: '"{' } }]])
  assert.deepEqual(await read('{"a":\n{"b":2}\n', 1000, 'x.jsonl'), [
    [1, 'malformed'],
    [2, { b: 2 }],
  ])
  assert.deepEqual(await read('[{"a":1}]\n', 1000, 'x.ndjson.gz'), [[1, [{ a: 1 }]]])
  assert.deepEqual(await read('[{"a":1}]\n', 1000, 'x.json'), [[1, { a: 1 }]])
})

test('each malformed line is a fault if the format is declared as NDJSON', async () => {
  const bytes = pieces(Buffer.from('id,name\n1,Europa\n'), 9)
  const faults: [number, boolean][] = []
  for await (const one of readRecords({ name: 'moons.ndjson', bytes }))
    faults.push([one.line, 'fault' in one])
  assert.deepEqual(faults, [
    [1, true],
    [2, true],
  ])
  assert.deepEqual(await read(''), [])
})

test('a YAML number that does not round-trip remains text', async () => {
  const numbers = ['phone: +4912345', 'plz: 01067', 'part: 12E4', 'version: 1.10', 'long: 12345678901234567']
  const text = [...numbers, 'size: 1.5', 'count: 12', 'rating: 4.0', 'below: -3', 'quoted: "7"'].join('\n')
  const bytes = (async function* () {
    yield Buffer.from(text)
  })()
  const found = []
  for await (const read of readRecords({ name: 'x.yaml', bytes })) found.push('record' in read && read.record)
  assert.deepEqual(found, [
    {
      phone: '+4912345',
      plz: '01067',
      part: '12E4',
      version: '1.10',
      long: '12345678901234567',
      size: 1.5,
      count: 12,
      rating: 4,
      below: -3,
      quoted: '7',
    },
  ])
})
