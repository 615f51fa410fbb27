import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { called } from './agents.ts'
import { serveWith } from './command.ts'

const folder = await mkdtemp(join(tmpdir(), 'agents-http-'))
after(() => rm(folder, { recursive: true }))
const lifetime = { after: (end: () => Promise<void>) => after(end) }
/** Module that appends the URL of each module of the SDK that is loaded to the file LOADED. */
const WATCH = `
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    if (url.includes('@modelcontextprotocol')) appendFileSync(process.env.LOADED, url + '\\n')
    return next(url, context)
  },
})
`
await writeFile(join(folder, 'watch.mjs'), WATCH)
const LOADED = join(folder, 'loaded')
await writeFile(LOADED, '')
const env = { LOADED, NODE_OPTIONS: `--import ${join(folder, 'watch.mjs')}` }
const options = ['--mcp', '--workers', '1', '--store', `sqlite:${join(folder, 'sol.db')}`]
const { origin } = await serveWith({ env }, lifetime, 'examples/solar-system', ...options)

async function agent(mode: 'auto' | 'legacy', headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const options = { requestInit: { headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), options))
  lifetime.after(() => client.close())
  return client
}

test('the SDK is loaded with the first request of an agent', async () => {
  const { status } = await fetch(`${origin}/mcp/server-card`)
  assert.deepEqual([status, await readFile(LOADED, 'utf8')], [200, ''])
  await agent('auto')
  assert.match(await readFile(LOADED, 'utf8'), /@modelcontextprotocol\/server/)
})

test('a served world answers agents of both generations at /mcp', async () => {
  for (const mode of ['auto', 'legacy'] as const) {
    const client = await agent(mode)
    const { tools } = await client.listTools()
    assert.equal(tools.length, 6)
    const { text } = await called(client, 'query', { types: ['sol:moon'], where: "title = 'Europa'" })
    assert.match(text, /^1 found\. /)
  }
})
