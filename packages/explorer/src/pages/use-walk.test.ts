import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { moon } from '../moons.fixture.ts'
import { doing, idle, show, startPage, textOf, until } from '../page.fixture.ts'
import { type Pages, walkFrom } from '../world/walk.ts'
import type { Walk } from './use-walk.ts'

startPage()
const { navigate, startNavigation } = await import('../navigation/navigation.ts')
const { useWalk } = await import('./use-walk.ts')

/** A page request that the test answers by hand. */
interface Read {
  readonly cursor: string | undefined
  readonly pageSize: number
  readonly signal: AbortSignal
  readonly answer: (ids: readonly string[], nextCursor?: string) => void
  readonly fail: (error: Error) => void
}

/** Creates a list view. Returns its page requests and its last state. */
function listView() {
  const reads: Read[] = []
  const pages: Pages = async function* ({ cursor, pageSize }, signal) {
    for (let next = cursor; ; ) {
      const { promise, resolve, reject } = Promise.withResolvers<{ ids: readonly string[]; next?: string }>()
      reads.push({
        cursor: next,
        pageSize,
        signal,
        answer: (ids, nextCursor) => resolve({ ids, ...(nextCursor !== undefined && { next: nextCursor }) }),
        fail: reject,
      })
      const { ids, next: nextCursor } = await promise
      const page = { entities: ids.map((id) => moon(id)), total: 3, limit: 2 }
      yield { ...page, ...(nextCursor !== undefined && { nextCursor }) }
      if (nextCursor === undefined) return
      next = nextCursor
    }
  }
  let last: Walk | undefined
  function View({ asked }: { asked: string }) {
    last = useWalk(asked, pages, () => walkFrom(undefined))
    const { walked, isStale, failure, isBusy } = last
    const ids = walked.entities.map(({ id }) => id).join(' ')
    return [ids || '–', isStale && 'stale', failure && 'failed', isBusy && '…'].filter(Boolean).join(' ')
  }
  const read = (index: number) => {
    const found = reads[index]
    assert.ok(found !== undefined, `no page ${index} was requested`)
    return found
  }
  return {
    open: (asked: string) => show(h(View, { asked })),
    reads,
    read,
    walk: () => last as Walk,
  }
}

const page = () => textOf(document.body)
const becomes = (text: string) => until(() => page() === text)
const go = () => doing(() => navigate({ page: 'open' }))

test('a list starts with the first page and grows on request', async () => {
  go()
  const { open, read, walk } = listView()
  open('a')
  assert.equal(page(), '– …')
  assert.deepEqual([read(0).cursor, read(0).pageSize], [undefined, 100])
  read(0).answer(['io', 'europa'], 'c1')
  await becomes('io europa')
  doing(() => void walk().reader.more())
  await until(() => page() === 'io europa …')
  read(1).answer(['titan'])
  await becomes('io europa titan')
  assert.equal(walk().walked.total, 3)
})

test('the previous entities stay until the first page of the new list arrives', async () => {
  go()
  const { open, read } = listView()
  open('a')
  read(0).answer(['io'])
  await becomes('io')
  open('b')
  assert.equal(page(), 'io stale …')
  read(1).answer(['titan'])
  await becomes('titan')
})

test('pages that arrive after the user left the list are dropped', async () => {
  go()
  const { open, read } = listView()
  open('a')
  open('b')
  assert.equal(read(0).signal.aborted, true)
  read(1).answer(['titan'])
  await becomes('titan')
  read(0).answer(['io'])
  await idle()
  assert.equal(page(), 'titan')
  show(null)
  assert.equal(read(1).signal.aborted, true)
})

test('if the first page fails, no stale entities are shown and the page can be retried', async () => {
  go()
  const { open, read, walk } = listView()
  open('a')
  read(0).answer(['io'])
  await becomes('io')
  open('b')
  read(1).fail(new Error('no'))
  await becomes('– failed')
  doing(() => void walk().reader.retry())
  await until(() => page().endsWith('…'))
  read(2).answer(['titan'])
  await becomes('titan')
})

test('going back restores the list and its scroll position without a request', async () => {
  startNavigation()
  go()
  const { open, read, reads, walk } = listView()
  open('a')
  read(0).answer(['io', 'europa'], 'c1')
  await becomes('io europa')
  doing(() => walk().note(440))
  show(null)
  go()
  const popped = Promise.withResolvers<unknown>()
  window.addEventListener('popstate', popped.resolve, { once: true })
  history.back()
  await popped.promise
  open('a')
  assert.deepEqual([page(), walk().offset, reads.length], ['io europa', 440, 1])
  doing(() => void walk().reader.more())
  await until(() => reads.length === 2)
  assert.equal(read(1).cursor, 'c1')
})

test('the same list in a different history entry is read again', async () => {
  go()
  const { open, read, reads } = listView()
  open('a')
  read(0).answer(['io'])
  await becomes('io')
  show(null)
  go()
  open('a')
  assert.equal(reads.length, 2)
})
