import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { agentOf, called } from './agents.ts'
import { serve } from './command.ts'
import { ROOT } from './source-files.ts'

/** One entry of a list of servers. */
interface Entry {
  readonly command?: string
  readonly args?: string[]
  readonly env?: Record<string, string>
  readonly url?: string
  readonly headers?: Record<string, string>
}

const GUIDE = readFileSync(join(ROOT, 'docs/guides/connect-agents.md'), 'utf8')
const lists = [...GUIDE.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json))
const entries = lists.flatMap(({ mcpServers, servers }): Entry[] => Object.values(mcpServers ?? servers))

const folder = await mkdtemp(join(tmpdir(), 'agents-guide-'))
after(() => rm(folder, { recursive: true }))
const lifetime = { after: (end: () => Promise<void>) => after(end) }
const options = ['--mcp', '--workers', '1', '--store', `sqlite:${join(folder, 'sol.db')}`]
const { origin } = await serve(lifetime, 'examples/solar-system', ...options)

test('every list of servers in the guide connects an agent', async (t) => {
  assert.equal(entries.length, 6)
  for (const { command, args = [], env, url, headers = {} } of entries) {
    if (url !== undefined) {
      const client = new Client({ name: 'test', version: '1' })
      const at = new URL(url.replace('https://sol.example', origin))
      await client.connect(new StreamableHTTPClientTransport(at, { requestInit: { headers } }))
      assert.equal((await client.listTools()).tools.length, 6)
      await client.close()
      continue
    }
    assert.deepEqual(
      [command, ...args.slice(0, 4)],
      ['npx', '--prefix', '/home/me/my-world', 'worldwright', 'mcp'],
    )
    const other = origin.replace('127.0.0.1', 'localhost')
    const origins = args.slice(4).map((one) => (one === 'https://sol.example' ? origin : other))
    const { client } = await agentOf(t, origins, { ...(env && { env }) })
    assert.equal((await client.listTools()).tools.length, 6)
  }
})

test('the example of the guide is what the demo world answers', async (t) => {
  const [, json = '', answer = ''] = /```\nquery (\{.*\})\n\n(.*?)\n```/s.exec(GUIDE) ?? []
  const { client } = await agentOf(t, [origin])
  const { text } = await called(client, 'query', JSON.parse(json))
  assert.equal(text.replace(new URL(origin).host, 'sol.example').split('\nOther fields')[0], answer)
})
