import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { createToken } from '../operator/tokens.ts'
import { countOf, type NoteInput, worldOfNotes } from './actions.fixture.ts'
import type { ActionDefinition } from './define-action.ts'
import type { JobContext } from './jobs.ts'

/** Creates a world whose action begins a job that runs `work`, and functions that request its state. */
async function worldOfJobs(
  work: (context: JobContext, input: NoteInput) => unknown,
  store: Store = createMemoryStore(),
  maxRunning = 64,
) {
  const handler: ActionDefinition<NoteInput>['handler'] = (input, { job }) =>
    job((context) => work(context, input))
  const world = await worldOfNotes(
    { handler, preview: true, outputSchema: { type: 'integer' }, maxRunning },
    { store },
  )
  const ask = async (path: string, method = 'GET', authorization = world.authorization) => {
    const { status, body } = await world.handle({ method, target: path, headers: { authorization } })
    return { status, json: JSON.parse(Buffer.from(body as Uint8Array).toString()) }
  }
  /** Polls until the job is no longer running, and returns its state. */
  const ended = async (path: string) => {
    for (;;) {
      const { json } = await ask(path)
      if (json.state !== 'running') return json
      await new Promise(setImmediate)
    }
  }
  return { ...world, ask, ended }
}

test('a handler returns a job, whose progress and output its caller reads', async () => {
  const go = Promise.withResolvers<void>()
  const { store, call, ask, ended } = await worldOfJobs(async ({ progress, transaction, get }, { id }) => {
    await transaction(({ put }) => put('sol:note', id, { attributes: { count: 7 } }))
    await progress(0.5, 'half')
    await go.promise
    return (await get('sol:note', id))?.attributes['count']
  })
  const { status, headers, json } = await call({ id: 'a', count: 1 })
  assert.deepEqual(
    [status, json.action, json.output, json.job],
    [202, 'sol:note', undefined, headers['location']],
  )
  assert.match(json.job, /^\/api\/world\/v0\/jobs\/[0-9a-f-]{36}$/)
  let half = await ask(json.job)
  while (half.json.progress === 0) half = await ask(json.job)
  assert.deepEqual(half, {
    status: 200,
    json: { action: 'sol:note', state: 'running', progress: 0.5, message: 'half' },
  })
  go.resolve()
  const { state, progress, output } = await ended(json.job)
  assert.deepEqual([state, progress, output, await countOf(store, 'a')], ['done', 1, 7, 7])
})

test('other callers and strangers find no job, and cannot cancel it', async () => {
  const { store, call, ask, ended } = await worldOfJobs(() => 1)
  const { job } = (await call({ id: 'a' })).json
  const { token } = await createToken(store, { scopes: ['admin'] })
  for (const method of ['GET', 'DELETE'])
    for (const other of [`Bearer ${token}`, ''])
      assert.deepEqual((await ask(job, method, other)).json.code, 'not_found')
  assert.equal((await ask(`${job.slice(0, -1)}x`)).status, 404)
  assert.equal((await ended(job)).output, 1)
})

test('a job that its caller cancels is aborted, and its later writes are lost', async () => {
  const aborted = Promise.withResolvers<unknown>()
  const { store, call, ask } = await worldOfJobs(async ({ signal, progress, transaction }) => {
    signal.addEventListener('abort', aborted.resolve)
    for (;;) {
      await progress(0)
      await new Promise(setImmediate)
      if (signal.aborted)
        await transaction(({ put }) => put('sol:note', 'late', { attributes: { count: 1 } }))
    }
  })
  const { job } = (await call({ id: 'a' })).json
  assert.equal((await ask(job, 'DELETE')).json.state, 'cancelled')
  await aborted.promise
  assert.equal((await ask(job)).json.state, 'cancelled')
  assert.equal(await countOf(store, 'late'), undefined)
})

test('a job that fails has the error that a call would have had, and an unexpected error reveals nothing', async (t) => {
  const logged = t.mock.method(console, 'error', () => {})
  const { call, ended } = await worldOfJobs(({ transaction }, { id }) => {
    if (id === 'a') throw new Error('secret')
    return id === 'b' ? 'text' : transaction(({ delete: remove }) => remove('sol:note', 'none'))
  })
  const codes = []
  for (const id of ['a', 'b', 'c']) {
    const { state, error } = await ended((await call({ id })).json.job)
    codes.push([state, error.code])
    assert.doesNotMatch(JSON.stringify(error), /secret/)
  }
  assert.deepEqual(codes, [
    ['failed', 'internal_error'],
    ['failed', 'internal_error'],
    ['failed', 'entity_not_found'],
  ])
  assert.equal(logged.mock.callCount(), 2)
})

test('a call with a repeated key returns the same job, and begins no other', async () => {
  let begun = 0
  const { call, ended } = await worldOfJobs(() => ++begun)
  const key = { 'idempotency-key': 'one' }
  const [first, second] = [await call({ id: 'a' }, key), await call({ id: 'a' }, key)]
  assert.deepEqual([second.status, second.json.job], [202, first.json.job])
  assert.equal((await ended(first.json.job)).output, 1)
  assert.equal(begun, 1)
})

test('a job whose process died counts as lost', async (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setInterval'], now: 1_000 })
  const { call, ask } = await worldOfJobs(() => new Promise(() => {}))
  const { job } = (await call({ id: 'a' })).json
  t.mock.timers.setTime(11_000)
  assert.equal((await ask(job)).json.state, 'running')
  t.mock.timers.setTime(11_001)
  assert.equal((await ask(job)).json.state, 'lost')
})

test('a preview begins no job, nor does a safe action', async (t) => {
  t.mock.method(console, 'error', () => {})
  const { store, call } = await worldOfJobs(() => 1)
  const preview = await call({ id: 'a' }, {}, { preview: true })
  assert.deepEqual([preview.status, preview.json.code], [501, 'not_implemented'])
  const safe = await worldOfNotes({ safe: true, handler: (_, { job }) => job(() => 1) })
  assert.equal((await safe.call({ id: 'a' })).status, 500)
  assert.equal((await store.values('~~job/')).size + (await safe.store.values('~~job/')).size, 0)
})

test('progress that is no number is none, and progress after the end changes nothing', async () => {
  const [go, late] = [Promise.withResolvers<void>(), Promise.withResolvers<JobContext['progress']>()]
  const { call, ask, ended } = await worldOfJobs(async ({ progress }) => {
    await progress(Number.NaN, 'begun')
    late.resolve(progress)
    await go.promise
    return 1
  })
  const { job } = (await call({ id: 'a' })).json
  const progress = await late.promise
  assert.equal((await ask(job)).json.progress, 0)
  go.resolve()
  await ended(job)
  await progress(0.5)
  const { state, progress: end } = (await ask(job)).json
  assert.deepEqual([state, end], ['done', 1])
})

test('a job alone does not keep its process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const { call } = await worldOfJobs(() => new Promise(() => {}))
  const before = timers()
  assert.equal((await call({ id: 'a' })).status, 202)
  assert.equal(timers(), before)
})

test('only whole ids of known callers are looked up', async (t) => {
  const { store, call, ask } = await worldOfJobs(() => 1)
  const { job } = (await call({ id: 'a' })).json
  const values = t.mock.method(store, 'values')
  const asked = () =>
    values.mock.calls.filter(({ arguments: [prefix] }) => prefix.startsWith('~~job/')).length
  for (const path of [job.slice(0, -1), `${job}0`, '/api/world/v0/jobs/%00', '/api/world/v0/jobs/*'])
    assert.equal((await ask(path)).status, 404)
  assert.equal((await ask(job, 'GET', '')).status, 404)
  assert.equal(asked(), 0)
  assert.equal((await ask(job)).status, 200)
  assert.equal(asked(), 1)
})

test('a write that was applied although it reported an error does not cancel the job', async () => {
  const inner = createMemoryStore()
  let isLost = false
  const write: Store['write'] = async (...given) => {
    const result = await inner.write(...given)
    if (!isLost) return result
    isLost = false
    throw new Error('undecided')
  }
  const { call, ended } = await worldOfJobs(
    async ({ progress }) => {
      isLost = true
      await assert.rejects(progress(0.5), /undecided/)
      await progress(0.6)
      return 1
    },
    { ...inner, write },
  )
  const { state, output } = await ended((await call({ id: 'a' })).json.job)
  assert.deepEqual([state, output], ['done', 1])
})

test('no more than maxRunning jobs run at once', async () => {
  const go = Promise.withResolvers<number>()
  const { call, ended } = await worldOfJobs(() => go.promise, undefined, 1)
  const { job } = (await call({ id: 'a' })).json
  const { status, headers, json } = await call({ id: 'b' })
  assert.deepEqual([status, json.code, headers['retry-after']], [503, 'unavailable', '10'])
  go.resolve(1)
  await ended(job)
  assert.equal((await call({ id: 'c' })).status, 202)
})
