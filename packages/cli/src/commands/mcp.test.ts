import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { memoryOutput, runWith } from '../memory-io.fixture.ts'

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('agents are served as soon as one world answers, while another one hangs', async (t) => {
  const answers = Promise.withResolvers<void>()
  const hanging = await serve(t, async (_, response) => {
    await answers.promise
    response.end()
  })
  const world = await serve(t, ({ headers: { host } }, response) => {
    response.setHeader('content-type', 'application/json')
    const endpoints = { api: `http://${host}/w` }
    response.end(
      JSON.stringify({ protocol: 'world/0.1', world: { id: 'urn:x' }, endpoints, entityTypes: [] }),
    )
  })
  t.after(() => answers.resolve())
  const ending = new AbortController()
  const { stream, text } = memoryOutput()
  const running = runWith(['mcp', hanging, world], { stderr: stream, signal: ending.signal })
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  assert.match(text(), /^Serving 2 worlds to an agent: /)
  ending.abort()
  await running
})

test('agents are not served if no world can be reached', async () => {
  const { code, err } = await runWith(['mcp', 'http://127.0.0.1:9'])
  assert.equal(code, 1)
  assert.match(err, /Nothing listens at/)
})
