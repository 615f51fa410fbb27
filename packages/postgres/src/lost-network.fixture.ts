/**
 * Takes down the network while a node has sent half a message of a write, and prints how often another one is then refused.
 * Must be run by root in a network namespace of its own.
 */
import { execFileSync } from 'node:child_process'
import { refusalsAfter } from './hung-write.fixture.ts'
import { startPostgres } from './server.fixture.ts'

const setNetwork = (state: 'up' | 'down') => execFileSync('ip', ['link', 'set', 'lo', state])

setNetwork('up')
const server = await startPostgres({ port: 5432 })
const loseNetwork = ({ connection }: Parameters<Parameters<typeof refusalsAfter>[0]>[0]) => {
  connection.parse({ name: 'half', text: 'SELECT $1::text', types: [] }, true)
  // The type of a message and a part of its length.
  connection.stream.write(Buffer.from([0x42, 0, 1]))
  setTimeout(() => setNetwork('down'), 100)
}
const refusals = await refusalsAfter(loseNetwork, 'postgres://world@127.0.0.1/postgres', server?.url)
process.stdout.write(`${refusals}`)
await server?.end()
process.exit()
