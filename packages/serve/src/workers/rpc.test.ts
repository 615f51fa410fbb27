import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { StorageFault } from '../../../core/src/store/contract.ts'
import { AnswerLost, answerCalls, type Channel, createCaller } from './rpc.ts'

type Sent = (error: Error | null) => void

/** Creates a channel whose other end is the test; `reaches` tells whether messages still arrive. */
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

test('a call is answered by the method it names, and faults are passed back', async () => {
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

test('thousands of refusals share one fault, made once', async () => {
  const caller = channelTo((message) => answerer.events.emit('message', message))
  const answerer = channelTo((message) => caller.events.emit('message', message))
  answerCalls(answerer.channel, {
    refuse: () => {
      throw new StorageFault('overloaded', 'Too much.')
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
  await assert.rejects(createCaller(channel)('search'), { name: 'StorageFault', code: 'busy' })
})

test('calls that are open when the channel ends fail with an unknown outcome', async () => {
  const { channel, events } = channelTo(() => {})
  const call = createCaller(channel)
  const both = [call('one'), call('two')].map((promise) => assert.rejects(promise, AnswerLost))
  events.emit('disconnect')
  await Promise.all(both)
})

test('an answer that cannot be delivered is dropped', async () => {
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

test('an aborted call fails at once, and the other end aborts it too', async () => {
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

test('a silent other end is not waited for, and is called again once it speaks', async (t) => {
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
