import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Entity, World } from '@worldwright/client'
import { connect } from '@worldwright/client'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { h } from 'preact'
import { doing, fire, get, idle, press, show, startPage, texts, until } from '../page.fixture.ts'

startPage()
const { NewsButton, useNews, useOutdated } = await import('./news.tsx')

/** Creates an in-process world that publishes changes. `followed` has a signal for each request for its event stream. */
async function changingWorld() {
  let now = 0
  const store = createMemoryStore({ now: () => new Date(++now * 1000) })
  const [origin, followed] = ['https://sol.example', [] as AbortSignal[]]
  const types = [{ type: 'sol:moon' }]
  const answer = toFetch(
    createWorld({ id: 'urn:example:sol', types, store, publicUrl: origin, extensions: [changes()] }),
  )
  const fetch = (url: string, init: RequestInit) => {
    if (new Headers(init.headers).get('accept') === 'text/event-stream' && init.signal)
      followed.push(init.signal)
    return answer(new Request(url, init))
  }
  const put = (id: string, n = 0) => store.write([{ put: { type: 'sol:moon', id, attributes: { n } } }])
  return { world: await connect(origin, { fetch: async (url, init) => fetch(url, init) }), put, followed }
}

function List({ world }: { world: World }) {
  const { news, forget } = useNews(world, 'sol:moon')
  const label = [...news].map(([id, isNew]) => `${id}${isNew ? ' new' : ''}`).join(', ')
  return h(NewsButton, { label, onPress: forget })
}

function One({ world, received }: { world: World; received: Entity | undefined }) {
  return h(NewsButton, { label: useOutdated(world, received) ? 'changed' : '', onPress: () => {} })
}

/** Mocks the clock. Returns a function that advances it and runs pending effects. */
function clock(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  return async (ms: number) => {
    doing(() => t.mock.timers.tick(ms))
    await idle()
  }
}

const sees = (text: string) => until(() => texts('button').includes(text))

test('a page that is left after less than two seconds does not listen', async (t) => {
  const { world, followed } = await changingWorld()
  const pass = clock(t)
  show(h(List, { world }))
  await pass(1_999)
  show(null)
  await pass(60_000)
  assert.equal(followed.length, 0)
})

test('no request for changes is sent to a world that does not publish them', async (t) => {
  const asked: string[] = []
  const world = await connect('https://still.example', {
    fetch: async (url) => {
      asked.push(new URL(url).pathname)
      return Response.json({ protocol: 'world/0.1', endpoints: { api: 'https://still.example/api' } })
    },
  })
  const pass = clock(t)
  show([h(List, { world }), h(One, { world, received: { type: 'a:b', id: '1', attributes: {} } })])
  await pass(10_000)
  assert.deepEqual(asked, ['/.well-known/world.json'])
  assert.deepEqual(texts('button'), [])
})

test('new and changed entities are announced until the list is read again', async (t) => {
  const { world, put, followed } = await changingWorld()
  await put('old')
  const pass = clock(t)
  show(h(List, { world }))
  await pass(2_000)
  await until(() => followed.length > 0)
  await put('io')
  await sees('io new')
  await put('old', 1)
  await sees('io new, old')
  press(get('button'))
  assert.deepEqual(texts('button'), [])
  await pass(2_000)
  await until(() => followed.length > 1)
  await put('europa')
  await sees('europa new')
})

test('a hidden page does not listen, and it catches up when it becomes visible', async (t) => {
  const { world, put, followed } = await changingWorld()
  let isHidden = true
  t.mock.getter(document, 'hidden', () => isHidden)
  const pass = clock(t)
  show(h(List, { world }))
  await pass(10_000)
  assert.equal(followed.length, 0)
  await put('io')
  assert.deepEqual(texts('button'), [])
  isHidden = false
  fire(document, new window.Event('visibilitychange'))
  await pass(2_000)
  await sees('io new')
  await until(() => followed.length > 0)
  isHidden = true
  fire(document, new window.Event('visibilitychange'))
  await until(() => followed.every(({ aborted }) => aborted))
})

test('an entity is outdated after it changes and until it is read again', async (t) => {
  const { world, put } = await changingWorld()
  await put('io')
  const received = await world.get('sol:moon', 'io')
  const pass = clock(t)
  show(h(One, { world, received: undefined }))
  await pass(2_000)
  show(h(One, { world, received }))
  await pass(2_000)
  assert.deepEqual(texts('button'), [])
  await put('europa')
  await put('io', 1)
  await sees('changed')
  show(h(One, { world, received: await world.get('sol:moon', 'io') }))
  assert.deepEqual(texts('button'), [])
})
