import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { StoreFault } from '../../../core/src/store/contract.ts'
import { AnswerLost, answerCalls, type Channel, createCaller } from './rpc.ts'

type Sent = (error: Error | null) => void

/** Creates a channel that passes messages to `other` as long as `reaches` returns true. */
function channelTo(other: (message: object) => void, reaches = () => true) {
  const events = new EventEmitter()
  const channel: Channel = {
    send(message: object, sent: Sent) {
      if (reaches()) other(message)
      sent(reaches() ? null : new Error('write EPIPE'))
    },
    on: (event, listener) => events.on(event, listener),
  }
  return { channel, events }
}

test('a call returns the result or the fault of the named method', async () => {
  const caller = channelTo((message) => answerer.events.emit('message', message))
  const answerer = channelTo((message) => caller.events.emit('message', message))
  answerCalls(answerer.channel, {
    double: (number: number) => 2 * number,
    fail: () => {
      throw new Error('no')
    },
  })
  const call = createCaller(caller.channel)
  assert.equal(await call('double', [21]), 42)
  await assert.rejects(call('fail'), { message: 'no' })
  await assert.rejects(call('toString'), { message: 'no such call: toString' })
})

test('a fault of the other end keeps its code, entity and details', async () => {
  const caller = channelTo((message) => answerer.events.emit('message', message))
  const answerer = channelTo((message) => caller.events.emit('message', message))
  const about = { entity: { type: 'sol:moon', id: 'io' }, details: { failing: true } }
  answerCalls(answerer.channel, {
    find: () => {
      throw new StoreFault('index_rebuilding', 'Not yet.', about)
    },
  })
  const fault = { name: 'StoreFault', code: 'index_rebuilding', message: 'Not yet.', ...about }
  await assert.rejects(createCaller(caller.channel)('find'), fault)
})

test('overload refusals share one fault object', async () => {
  const caller = channelTo((message) => answerer.events.emit('message', message))
  const answerer = channelTo((message) => caller.events.emit('message', message))
  answerCalls(answerer.channel, {
    refuse: () => {
      throw new StoreFault('overloaded', 'Too much.')
    },
  })
  const call = createCaller(caller.channel)
  const [one, other] = await Promise.allSettled([call('refuse'), call('refuse')])
  assert.ok(one?.status === 'rejected' && other?.status === 'rejected')
  assert.equal(one.reason.code, 'overloaded')
  assert.equal(one.reason, other.reason)
})

test('a call that cannot be sent fails as busy', async () => {
  const { channel } = channelTo(
    () => {},
    () => false,
  )
  await assert.rejects(createCaller(channel)('search'), { name: 'StoreFault', code: 'busy' })
})

test('open calls fail with an unknown outcome if the channel closes', async () => {
  const { channel, events } = channelTo(() => {})
  const call = createCaller(channel)
  const both = [call('one'), call('two')].map((promise) => assert.rejects(promise, AnswerLost))
  events.emit('disconnect')
  await Promise.all(both)
})

test('a reply that cannot be sent is dropped', async () => {
  const dropped = Promise.withResolvers<void>()
  const events = new EventEmitter()
  answerCalls(
    {
      send(_message, sent) {
        sent(new Error('write EPIPE'))
        dropped.resolve()
      },
      on: (event, listener) => events.on(event, listener),
    },
    { one: () => 1 },
  )
  events.emit('message', { call: 1, method: 'one', args: [] })
  await dropped.promise
})

test('an aborted call fails immediately and is aborted at the other end', async () => {
  const caller = channelTo((message) => answerer.events.emit('message', message))
  const answerer = channelTo((message) => caller.events.emit('message', message))
  const givenUp = Promise.withResolvers<unknown>()
  answerCalls(answerer.channel, {
    wait: (_word: string, signal: AbortSignal) =>
      new Promise(() => signal.addEventListener('abort', () => givenUp.resolve(signal.reason))),
  })
  const call = createCaller(caller.channel)
  const ending = new AbortController()
  const waiting = call('wait', ['long'], ending.signal)
  ending.abort(new Error('enough'))
  await assert.rejects(waiting, { message: 'enough' })
  await givenUp.promise
  await assert.rejects(call('wait', ['long'], ending.signal), { message: 'enough' })
})

test('an unresponsive peer is not waited for, and is called again once it responds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const sent: object[] = []
  const { channel, events } = channelTo((message) => sent.push(message))
  const call = createCaller(channel, { silenceSeconds: 12 })
  t.mock.timers.tick(11_000)
  events.emit('message', { heartbeat: true })
  const waiting = assert.rejects(call('write'), AnswerLost)
  t.mock.timers.tick(12_000)
  await waiting
  await assert.rejects(call('write'), { code: 'busy' })
  assert.deepEqual(sent, [{ call: 1, method: 'write', args: [] }, { abort: 1 }])
  events.emit('message', { heartbeat: true })
  const answered = call('write')
  events.emit('message', { reply: 2, result: 'done' })
  assert.equal(await answered, 'done')
})
