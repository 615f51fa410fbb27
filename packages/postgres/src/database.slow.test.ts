import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Client } from 'pg'
import { Database } from './database.ts'
import { freePort, NO_POSTGRES, startPostgres } from './server.fixture.ts'

const port = await freePort()
const server = await startPostgres({ port })
after(() => server?.end())

test('a node that takes no answer within a write keeps the rows from the others for seconds only', async (t) => {
  if (!server) return t.skip(NO_POSTGRES)
  const [hung, healthy] = [1, 2].map(() => new Database(`postgres://world@127.0.0.1:${port}/postgres`)) as [
    Database,
    Database,
  ]
  t.after(() => Promise.all([hung.close(), healthy.close()]))
  await healthy.query('CREATE TABLE public.rows AS SELECT 1 AS n')
  const hold = 'SELECT FROM public.rows FOR UPDATE'
  const connect = hung.primary.connect.bind(hung.primary)
  let client: Client | undefined
  hung.primary.connect = async (pipeline) => {
    client = await connect(pipeline)
    return client
  }
  const writing = hung.writing(async (session) => {
    await session.query(hold)
    client?.connection.stream.pause()
    // More than the buffers of both sides take.
    await session.query(`SELECT repeat('x', 1000000) FROM generate_series(1, 60)`)
  })
  writing.catch(() => {})
  while (!client?.connection.stream.isPaused()) await new Promise((resume) => setTimeout(resume, 10))
  let refusals = 0
  for (; refusals <= 3; refusals++)
    if (await healthy.writing((session) => session.query(hold)).catch(() => undefined)) break
  client.connection.stream.destroy()
  assert.ok(refusals <= 3, `refused ${refusals} times, two seconds each`)
  await assert.rejects(writing)
})
