import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSearchAddress } from './address.ts'

test('a URL is parsed into nodes, index, shards and replicas, and is shown without its password', () => {
  const address = openSearchAddress(
    'opensearch://world:se%3Acret@a.example,b.example:9201/sol?shards=3&replicas=2',
  )
  assert.deepEqual(address, {
    nodes: ['https://a.example:9200', 'https://b.example:9201'],
    authorization: `Basic ${btoa('world:se:cret')}`,
    index: 'sol',
    shards: 3,
    replicas: 2,
    name: 'opensearch://world@a.example,b.example:9201/sol?shards=3&replicas=2',
  })
})

test('TLS is used for non-local hosts only, unless sslmode overrides this', () => {
  const nodesOf = (url: string) => openSearchAddress(url).nodes
  assert.deepEqual(nodesOf('opensearch://localhost,[::1]:1/sol'), ['http://localhost:9200', 'http://[::1]:1'])
  assert.deepEqual(nodesOf('opensearch://a.example/sol?sslmode=disable'), ['http://a.example:9200'])
  assert.deepEqual(nodesOf('opensearch://127.0.0.1/sol?sslmode=verify-full'), ['https://127.0.0.1:9200'])
})

for (const url of [
  'opensearch://a.example',
  'opensearch:///sol',
  'opensearch://a.example/Sol',
  'opensearch://a.example/sol?shards=0',
  'opensearch://a.example/sol?shards=many',
  'opensearch://a.example/sol?sslmode=require',
  'opensearch://a.example/sol?other=1',
  'opensearch://a.example:x/sol',
  'https://a.example/sol',
])
  test(`${url} is refused`, () => {
    assert.throws(() => openSearchAddress(url), { name: 'StoreFault', code: 'not_a_store' })
  })
