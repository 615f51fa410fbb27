import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { called } from './agents.ts'
import { serve } from './command.ts'

const folder = await mkdtemp(join(tmpdir(), 'agents-http-'))
after(() => rm(folder, { recursive: true }))
const lifetime = { after: (end: () => Promise<void>) => after(end) }
const store = ['--store', `sqlite:${join(folder, 'sol.db')}`]
const { origin } = await serve(lifetime, 'examples/solar-system', '--mcp', ...store, '--workers', '1')

async function agent(mode: 'auto' | 'legacy', headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const options = { requestInit: { headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), options))
  lifetime.after(() => client.close())
  return client
}

test('a served world answers agents of both generations at /mcp', async () => {
  for (const mode of ['auto', 'legacy'] as const) {
    const client = await agent(mode)
    const { tools } = await client.listTools()
    assert.equal(tools.length, 6)
    const { text } = await called(client, 'query', { types: ['sol:moon'], where: "title = 'Europa'" })
    assert.match(text, /^1 found\. /)
  }
})
