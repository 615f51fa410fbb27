import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { positionNow } from '../../../core/src/store/positions.ts'
import { CHANGES, overStores, worldOver } from './changes.fixture.ts'

const NDJSON = { accept: 'application/x-ndjson' }

type Line = Record<string, unknown>

async function linesOf(pieces: AsyncIterable<Uint8Array | string>): Promise<Line[]> {
  let text = ''
  for await (const piece of pieces) text += Buffer.from(piece).toString()
  assert.ok(text.endsWith('\n'))
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index).padStart(5, '0'))
}

overStores('all changes come one per line, and the last line says what they came to', async ({ world }) => {
  const { put, remove, opened, storage } = await world()
  await put('moon', 'io', 'vulcan')
  await remove('moon', 'vulcan')
  const { headers, pieces } = await opened(`${CHANGES}?entities=true`, NDJSON)
  assert.equal(headers['content-type'], 'application/x-ndjson')
  const [io, vulcan, last] = await linesOf(pieces)
  assert.deepEqual(
    [io, vulcan].map((line) => `${line?.['op']} ${line?.['id']}`),
    ['put io', 'delete vulcan'],
  )
  assert.equal(JSON.stringify(io?.['entity']), (await storage.get('sol:moon', 'io'))?.json)
  const position = await positionNow(storage)
  assert.deepEqual([last?.['more'], last?.['position']], [false, position])
  assert.deepEqual(last?.['versions'], { 'sol:moon': position })
  assert.ok(last?.['next'] && last?.['earliest'])
})

overStores('more than a page comes whole, whatever limit is asked for', async ({ world }) => {
  const { put, opened } = await world()
  await put('moon', ...numbered(2_500))
  const lines = await linesOf((await opened(`${CHANGES}?limit=3`, NDJSON)).pieces)
  assert.deepEqual(
    lines.slice(0, -1).map(({ id }) => id),
    numbered(2_500),
  )
})

overStores('every line says where to go on, in any form', async ({ world }) => {
  const { put, opened, asked } = await world()
  await put('moon', 'a', 'b', 'c')
  const lines = await linesOf((await opened(`${CHANGES}?types=sol:moon`, NDJSON)).pieces)
  const rest = await linesOf(
    (await opened(`${CHANGES}?types=sol:moon&since=${lines[0]?.['next']}`, NDJSON)).pieces,
  )
  assert.deepEqual(rest.slice(0, -1), lines.slice(1, -1))
  const page = await asked(`types=sol:moon&since=${lines[1]?.['next']}`)
  assert.deepEqual(
    page.changes.map(({ id }: { id: string }) => id),
    ['c'],
  )
  const none = await linesOf(
    (await opened(`${CHANGES}?types=sol:moon&since=${lines[3]?.['next']}`, NDJSON)).pieces,
  )
  assert.equal(none.length, 1)
})

overStores('what is wrong from the start has its status', async ({ world }) => {
  const { send } = await world()
  const response = await send(`${CHANGES}?since=io`, NDJSON)
  assert.deepEqual([response.status, response.json().code], [400, 'invalid_cursor'])
  const head = await send(CHANGES, NDJSON, 'HEAD')
  assert.deepEqual([head.status, head.text, head.headers['content-type']], [200, '', 'application/x-ndjson'])
  const other = await send(CHANGES, { accept: 'text/html' })
  assert.equal(other.status, 406)
  assert.deepEqual(other.json().details.supported, [
    'application/json',
    'application/x-ndjson',
    'text/event-stream',
  ])
})

overStores('the form is the one that Accept weighs most, JSON where all are equal', async ({ world }) => {
  const { opened } = await world()
  const forms = [
    ['*/*', 'application/json'],
    ['application/json, application/x-ndjson', 'application/json'],
    ['application/json;q=0.5, application/x-ndjson', 'application/x-ndjson'],
    ['text/event-stream;q=0, */*', 'application/json'],
  ]
  for (const [accept = '', form] of forms)
    assert.equal((await opened(CHANGES, { accept })).headers['content-type'], form, accept)
})

test('lines are compressed on request', async () => {
  const { put, opened } = worldOver(createMemoryStore())
  await put('moon', ...numbered(1_500))
  const plain = await linesOf((await opened(CHANGES, NDJSON)).pieces)
  const coders = [
    ['gzip', createGunzip],
    ['br', createBrotliDecompress],
  ] as const
  for (const [coding, decoder] of coders) {
    const { headers, pieces } = await opened(CHANGES, { ...NDJSON, 'accept-encoding': coding })
    assert.equal(headers['content-encoding'], coding)
    assert.deepEqual(await linesOf(Readable.from(pieces).pipe(decoder())), plain)
  }
})

test('pieces are read only as fast as they are taken, and a failure is the last line', async () => {
  const memory = createMemoryStore()
  let reads = 0
  const storage = {
    ...memory,
    changes(options: Parameters<typeof memory.changes>[0]) {
      reads += 1
      if (reads === 3) throw new Error('the disk is gone')
      return memory.changes(options)
    },
  }
  const { put, opened } = worldOver(storage, { log: () => {} })
  await put('moon', ...numbered(300))
  const { pieces } = await opened(CHANGES, NDJSON)
  assert.equal(reads, 1)
  const lines = await linesOf(pieces)
  assert.equal(lines.length, 129)
  assert.equal(lines.at(-1)?.['code'], 'internal_error')
  assert.equal(lines.at(-1)?.['more'], undefined)
})
