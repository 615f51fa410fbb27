import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { h } from 'preact'
import { doing, find, get, press, show, startPage, textOf } from '../page.fixture.ts'
import { waits } from '../world/retry-after.ts'

startPage()
const { Waiting, WaitNotice } = await import('./waiting.tsx')

/** Mocks the clock, starting at 0. Returns a function that advances it by a number of seconds. */
function clock(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: 0 })
  return (seconds: number) => doing(() => t.mock.timers.tick(seconds * 1_000))
}

/** Creates a busy or stopped read. `calls` lists the methods that were called. */
function readOf(isBusy: boolean) {
  const calls: string[] = []
  const read = { isBusy, stop: () => void calls.push('stop'), retry: () => void calls.push('retry') }
  return { read, calls }
}

test('after three seconds, the world is named and waiting can be stopped', (t) => {
  const pass = clock(t)
  const { read, calls } = readOf(true)
  show(h(Waiting, { host: 'sol.example', heading: 'mars', read }))
  assert.equal(textOf(get('h1')), 'mars')
  assert.equal(textOf(get('p[role=status]')), 'Loading…')
  pass(2)
  assert.equal(find('button'), undefined)
  pass(1)
  assert.equal(textOf(get('p[role=status]')), 'Waiting for sol.example, 3 s so far.')
  press(get('button', 'Stop waiting'))
  assert.deepEqual(calls, ['stop'])
  pass(60)
  assert.equal(textOf(get('p[role=status]')), 'Waiting for sol.example, 63 s so far.')
})

test('a stopped read is reported and can be retried, which restarts the clock', (t) => {
  const pass = clock(t)
  const waiting = (read: ReturnType<typeof readOf>['read']) => show(h(Waiting, { host: 'sol.example', read }))
  const { read, calls } = readOf(false)
  waiting({ ...read, isBusy: true })
  pass(5)
  waiting(read)
  assert.equal(textOf(get('p[role=status]')), 'Stopped.')
  assert.equal(find('.bones'), undefined)
  press(get('button', 'Try again'))
  assert.deepEqual(calls, ['retry'])
  waiting({ ...read, isBusy: true })
  assert.equal(textOf(get('p[role=status]')), 'Loading…')
  pass(3)
  assert.equal(textOf(get('p[role=status]')), 'Waiting for sol.example, 3 s so far.')
})

test('there is no button without a read, and a heading only if one is given', (t) => {
  const pass = clock(t)
  show(h(Waiting, { host: 'sol.example' }))
  pass(10)
  assert.equal(find('button'), undefined)
  assert.equal(find('h1'), undefined)
})

test('the wait requested by the world is counted down, but not a wait requested by another world', (t) => {
  const pass = clock(t)
  waits.value = new Map([['sol.example', 2_500]])
  t.after(() => {
    waits.value = new Map()
  })
  show(h(WaitNotice, { host: 'other.example' }))
  assert.equal(textOf(get('span')), '')
  show(h(WaitNotice, { host: 'sol.example' }))
  assert.equal(textOf(get('span.note')), 'sol.example asks us to wait: trying again in 3 s.')
  pass(1)
  assert.equal(textOf(get('span.note')), 'sol.example asks us to wait: trying again in 2 s.')
  pass(2)
  assert.equal(textOf(get('span')), '')
  assert.equal(find('.note'), undefined)
})
