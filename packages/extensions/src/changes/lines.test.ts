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

overStores('changes are sent one per line, and the last line has the state', async ({ world }) => {
  const { put, remove, opened, store } = await world()
  await put('moon', 'io', 'vulcan')
  await remove('moon', 'vulcan')
  const { headers, pieces } = await opened(`${CHANGES}?entities=true`, NDJSON)
  assert.equal(headers['content-type'], 'application/x-ndjson')
  const [io, vulcan, last] = await linesOf(pieces)
  assert.deepEqual(
    [io, vulcan].map((line) => `${line?.['op']} ${line?.['id']}`),
    ['put io', 'delete vulcan'],
  )
  assert.equal(JSON.stringify(io?.['entity']), (await store.get('sol:moon', 'io'))?.json)
  const position = await positionNow(store)
  assert.deepEqual([last?.['more'], last?.['position']], [false, position])
  assert.deepEqual(last?.['versions'], { 'sol:moon': position })
  assert.ok(last?.['next'] && last?.['earliest'])
})

overStores('all changes are sent, even beyond one page, and limit is ignored', async ({ world }) => {
  const { put, opened } = await world()
  await put('moon', ...numbered(2_500))
  const lines = await linesOf((await opened(`${CHANGES}?limit=3`, NDJSON)).pieces)
  assert.deepEqual(
    lines.slice(0, -1).map(({ id }) => id),
    numbered(2_500),
  )
})

overStores('every line has an offset from which any format can resume', async ({ world }) => {
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

overStores('an invalid request gets an error status instead of a stream', async ({ world }) => {
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

overStores('the format is the one that Accept prefers, or JSON by default', async ({ world }) => {
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

test('the log is read no faster than the client reads, and the last line reports a failure', async () => {
  const memory = createMemoryStore()
  let reads = 0
  const store = {
    ...memory,
    changes(options: Parameters<typeof memory.changes>[0]) {
      reads += 1
      if (reads === 3) throw new Error('the disk is gone')
      return memory.changes(options)
    },
  }
  const { put, opened } = worldOver(store, { log: () => {} })
  await put('moon', ...numbered(300))
  const { pieces } = await opened(CHANGES, NDJSON)
  assert.equal(reads, 1)
  const lines = await linesOf(pieces)
  assert.equal(lines.length, 129)
  assert.equal(lines.at(-1)?.['code'], 'internal_error')
  assert.equal(lines.at(-1)?.['more'], undefined)
})
