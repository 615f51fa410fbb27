import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { refusalsAfter } from './hung-write.fixture.ts'
import { freePort, NO_POSTGRES, postgresProgram, startPostgres } from './server.fixture.ts'

test('a node that takes no answer within a write keeps the rows from the others for seconds only', async (t) => {
  const port = await freePort()
  const server = await startPostgres({ port })
  if (!server) return t.skip(NO_POSTGRES)
  t.after(() => server.end())
  const refusals = await refusalsAfter((client) => {
    client.connection.stream.pause()
    // More than the buffers of both sides take.
    void client.query(`SELECT repeat('x', 1000000) FROM generate_series(1, 60)`).catch(() => {})
  }, `postgres://world@127.0.0.1:${port}/postgres`)
  assert.ok(refusals <= 3, `refused ${refusals} times`)
})

test('a node that the network loses within a message keeps the rows from the others for seconds only', async (t) => {
  if (postgresProgram('postgres') === undefined) return t.skip(NO_POSTGRES)
  if (process.getuid?.() !== 0)
    return t.skip('not run: this machine has no root user, who can take down a network')
  const program = join(import.meta.dirname, 'lost-network.fixture.ts')
  const args = ['--net', process.execPath, '--conditions=@worldwright/source', program]
  const { stdout } = await promisify(execFile)('unshare', args, { timeout: 60_000 })
  assert.match(stdout, /^[0-3]$/)
})
