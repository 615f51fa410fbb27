import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openSearchAddress } from './address.ts'
import { Cluster } from './cluster.ts'

/** Starts a node that gives every request the same response and records the requests. */
async function node(t: TestContext, status: number, body: object) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(status).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function clusterOf(...hosts: string[]): Cluster {
  return new Cluster(openSearchAddress(`opensearch://${hosts.join()}/sol`))
}

test('requests fail over from unreachable and overloaded nodes, and unreachable nodes are tried last', async (t) => {
  const busy = await node(t, 429, {})
  const good = await node(t, 200, { ok: true })
  const cluster = clusterOf('127.0.0.1:1', busy.host, good.host)
  for (let times = 0; times < 3; times++) assert.deepEqual(await cluster.do('sol/_count'), { ok: true })
  assert.deepEqual(good.asked, Array(3).fill('GET /sol/_count'))
})

test('if no node responds, the fault names each node', async () => {
  const cluster = clusterOf('127.0.0.1:1')
  await assert.rejects(cluster.ask('_search'), {
    name: 'StoreFault',
    code: 'search_unreachable',
    message: /http:\/\/127\.0\.0\.1:1: .*Searches fail until it does/,
  })
})

test('`ask` returns an error status from the cluster, but `do` throws a fault', async (t) => {
  const { host } = await node(t, 404, { error: { root_cause: [{ reason: 'no such index' }] } })
  const cluster = clusterOf(host)
  assert.equal((await cluster.ask('sol/_doc/1')).status, 404)
  await assert.rejects(cluster.do('sol/_doc/1'), {
    code: 'search_unreachable',
    message: /404: no such index/,
  })
})

test('a request is rejected with the reason of its signal if the signal is aborted', async (t) => {
  const { host } = await node(t, 200, {})
  const reason = new Error('left')
  await assert.rejects(clusterOf(host).ask('sol', { signal: AbortSignal.abort(reason) }), reason)
})
