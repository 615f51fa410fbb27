import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './database.ts'
import { Follower } from './follower.ts'

test('a change that is told while the view catches up is looked for soon, not at the next poll', async () => {
  const listener = Object.assign(new EventEmitter(), { query: async () => {}, end: async () => {} })
  const database = { connect: async () => listener, query: async () => [], isBusy: false }
  const looks: (() => void)[] = []
  const begun = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
  const view = {
    currentAt: 0,
    hasReached: () => true,
    look() {
      begun[looks.length]?.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      looks.push(resolve)
      return promise
    },
  }
  const options = { follows: () => true, now: () => new Date(), deletionsKeptMs: 1_000 }
  const follower = new Follower(database as unknown as Database, view, options)
  follower.start()
  await begun[0]?.promise
  listener.emit('notification', { payload: 'another node' })
  looks[0]?.()
  // Timers of one process fire in order, so a busy machine cannot turn this.
  const first = await Promise.race([begun[1]?.promise.then(() => 'look'), pause(300, 'poll')])
  looks[1]?.()
  await follower.stop()
  assert.equal(first, 'look')
})
