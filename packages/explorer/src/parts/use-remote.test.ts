import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorldError } from '@worldwright/client'
import { h } from 'preact'
import { doing, idle, show, startPage, textOf, until } from '../page.fixture.ts'
import { createMemory } from '../world/memory.ts'
import type { Remote, RemoteOptions } from './use-remote.ts'

startPage()
const { move } = await import('../navigation/navigation.ts')
const { useRemote } = await import('./use-remote.ts')

/** A read that the test answers by hand. */
interface Read {
  readonly key: string
  readonly signal: AbortSignal
  readonly show: (part: string) => void
  readonly answer: (value: string) => void
  readonly fail: (error: unknown) => void
}

/** Creates a view that reads a key. Returns its reads and its last state. */
function viewOf(options: RemoteOptions<string> = {}) {
  const reads: Read[] = []
  let last: Remote<string> | undefined
  function View({ of: key }: { of: string | undefined }) {
    last = useRemote<string>(
      key,
      (signal, show) => {
        const { promise, resolve, reject } = Promise.withResolvers<string>()
        reads.push({ key: String(key), signal, show, answer: resolve, fail: reject })
        return promise
      },
      options,
    )
    const { value, failure, isBusy } = last
    return [value ?? '–', failure && `failed: ${failure.cause}`, isBusy && '…'].filter(Boolean).join(' ')
  }
  const read = (index: number) => {
    const found = reads[index]
    assert.ok(found !== undefined, `no read ${index}`)
    return found
  }
  return {
    open: (key: string | undefined) => show(h(View, { of: key })),
    reads,
    read,
    last: () => last as Remote<string>,
  }
}

const page = () => textOf(document.body)
const becomes = (text: string) => until(() => page() === text)

test('a read is busy until its value arrives, and nothing is read for an undefined key', async () => {
  const { open, reads, read } = viewOf()
  open(undefined)
  assert.deepEqual([page(), reads.length], ['–', 0])
  open('a')
  assert.equal(page(), '– …')
  read(0).answer('A')
  await becomes('A')
})

test('a late answer for an earlier key is dropped', async () => {
  const { open, read } = viewOf()
  open('a')
  open('b')
  assert.equal(read(0).signal.aborted, true)
  read(1).answer('B')
  await becomes('B')
  read(0).answer('A')
  await idle()
  assert.equal(page(), 'B')
})

test('failures and partial values for an earlier key are dropped', async () => {
  const { open, read } = viewOf()
  open('a')
  open('b')
  read(0).fail(new WorldError('forbidden', undefined, { status: 403 }))
  doing(() => read(0).show('part of A'))
  await idle()
  assert.equal(page(), '– …')
})

test('unmounting the view aborts the read', () => {
  const { open, read } = viewOf()
  open('a')
  show(null)
  assert.equal(read(0).signal.aborted, true)
})

test('the previous value is dropped when the key changes unless `keep` is set', async () => {
  const plain = viewOf()
  plain.open('a')
  plain.read(0).answer('A')
  await becomes('A')
  plain.open('b')
  assert.equal(page(), '– …')
  const keeping = viewOf({ keep: true })
  keeping.open('a')
  keeping.read(0).answer('A')
  await becomes('A')
  keeping.open('b')
  assert.equal(page(), 'A …')
  keeping.read(1).answer('B')
  await becomes('B')
})

test('partial values are shown during a read and stay if the read fails', async () => {
  const { open, read } = viewOf()
  open('a')
  doing(() => read(0).show('part'))
  assert.equal(page(), 'part …')
  read(0).fail(new WorldError('rate_limited', undefined, { status: 429, retryAfter: 3 }))
  await becomes('part failed: busy')
})

test('a failure is classified and can be retried', async () => {
  const { open, read, last, reads } = viewOf()
  open('a')
  read(0).fail(new TypeError('x'))
  await becomes('– failed: ownFault')
  doing(() => last().retry())
  assert.equal(page(), '– …')
  read(1).answer('A')
  await becomes('A')
  assert.equal(reads.length, 2)
})

test('a missing discovery document means that there is no world', async () => {
  const { open, read } = viewOf({ isDocument: true })
  open('a')
  read(0).fail(new WorldError('http_404', undefined, { status: 404 }))
  await becomes('– failed: notAWorld')
})

test('stopping aborts the read without a failure', async () => {
  const { open, read, last } = viewOf()
  open('a')
  doing(() => last().stop())
  assert.equal(read(0).signal.aborted, true)
  read(0).fail(new WorldError('aborted'))
  await idle()
  assert.equal(page(), '–')
})

test('a cached value is shown and then read again, except after going back', async (t) => {
  const memory = createMemory<string>(5)
  memory.set('a', 'old A')
  const { open, read, reads } = viewOf({ memory })
  open('a')
  assert.equal(page(), 'old A …')
  read(0).answer('new A')
  await becomes('new A')
  assert.equal(memory.get('a'), 'new A')
  show(null)
  const before = move.value
  t.after(() => {
    move.value = before
  })
  move.value = { kind: 'back', number: 1 }
  open('a')
  assert.deepEqual([page(), reads.length], ['new A', 1])
})

test('a retry after going back reads again', async (t) => {
  const memory = createMemory<string>(5)
  memory.set('a', 'old A')
  const before = move.value
  t.after(() => {
    move.value = before
  })
  move.value = { kind: 'back', number: 1 }
  const { open, read, last } = viewOf({ memory })
  open('a')
  doing(() => last().retry())
  read(0).answer('new A')
  await becomes('new A')
})

test('a cached value is never read again if `once` is set', () => {
  const memory = createMemory<string>(5)
  memory.set('a', 'A')
  const { open, last, reads } = viewOf({ memory, once: true })
  open('a')
  doing(() => last().retry())
  assert.deepEqual([page(), reads.length], ['A', 0])
})
