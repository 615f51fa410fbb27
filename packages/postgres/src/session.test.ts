import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Client } from 'pg'
import { Conversation } from './session.ts'

test('pipelined statements are sent as one packet', async () => {
  const packets: string[] = []
  const stream = new Writable({
    writev(chunks, done) {
      packets.push(chunks.map(({ chunk }) => String(chunk)).join(' '))
      done()
    },
  })
  const client = {
    connection: { stream },
    query: async (sql: string) => {
      stream.write(sql)
      await turn()
      return { rows: [] }
    },
  }
  const session = new Conversation(client as unknown as Client)
  session.send('BEGIN')
  await Promise.all([session.query('ONE'), Promise.resolve().then(() => session.query('TWO'))])
  session.send('THREE')
  await session.query('COMMIT')
  assert.deepEqual(packets, ['BEGIN ONE TWO', 'THREE COMMIT'])
})
