import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDefinition } from '@worldwright/publish'
import { settingsFrom } from '../open/settings.ts'
import { connectionLimitFor, limitLines, rateLimitFor, streamLimitsFor } from './limits-for.ts'

const PUBLIC = { host: '0.0.0.0', publicUrl: 'https://world.example' }
const PROXIED = { publicUrl: 'https://world.example', trustedProxies: '127.0.0.1' }

function settings(flags: Record<string, string>) {
  return settingsFrom(emptyDefinition(), flags, { env: {} })
}

/** Returns the limits for an address: connections and streams, each counted up to 1,000, and the rate limit. */
function allowed(flags: Record<string, string>, address: string) {
  const given = settings(flags)
  const { admitConnection } = connectionLimitFor(given, { fail: () => {} })
  const { enterStream } = streamLimitsFor(given)
  const limit = rateLimitFor(given)
  const opened = (open: (() => unknown) | undefined) => {
    let count = 0
    while (count < 1_000 && (open === undefined || open())) count += 1
    return count
  }
  return [
    opened(admitConnection && (() => admitConnection({ remoteAddress: address, once() {} } as never))),
    opened(enterStream && (() => enterStream({ client: { address } } as never))),
    limit === undefined || limit.isExempt(address) ? 'any' : limit.limit,
  ]
}

test('a world that listens beyond loopback limits public addresses by default', () => {
  assert.deepEqual(allowed(PUBLIC, '203.0.113.9'), [512, 128, 60_000])
  assert.deepEqual(allowed(PUBLIC, '2001:db8::1'), [512, 128, 60_000])
  assert.deepEqual(allowed(PUBLIC, '10.0.0.1'), [1_000, 1_000, 'any'])
  assert.deepEqual(allowed(PUBLIC, '127.0.0.1'), [1_000, 1_000, 'any'])
  assert.deepEqual(allowed(PROXIED, '203.0.113.9'), [512, 128, 60_000])
  assert.deepEqual(allowed({}, '203.0.113.9'), [1_000, 1_000, 'any'])
  assert.deepEqual(allowed({ publicUrl: 'https://world.example' }, '127.0.0.1'), [1_000, 1_000, 'any'])
})

test('a configured limit applies to every address, and 0 disables it', () => {
  const set = { rateLimit: '7', connectionsPerAddress: '3', streamsPerAddress: '2' }
  for (const address of ['127.0.0.1', '203.0.113.9']) {
    assert.deepEqual(allowed(set, address), [3, 2, 7])
    assert.deepEqual(allowed({ ...PUBLIC, ...set }, address), [3, 2, 7])
  }
  const off = { rateLimit: '0', connectionsPerAddress: '0', streamsPerAddress: '0' }
  assert.deepEqual(allowed({ ...PUBLIC, ...off }, '203.0.113.9'), [1_000, 1_000, 'any'])
  assert.throws(() => settings({ rateLimit: '-1' }), /a whole number from 0 to 1000000; this is -1/)
  assert.throws(() => settings({ maxStreams: '0' }), /a whole number from 1 to 100000; this is 0/)
})

test('the startup lines list the limits and advice for proxies', () => {
  const limits =
    'Limits of each address: 60,000 requests a minute, 512 connections to each worker, 128 event streams of each worker.'
  const spared = 'Limits that are defaults do not count for loopback and private addresses.'
  const proxy =
    'Behind a proxy, set --trusted-proxies: without it the clients of a proxy have no limits of their own.'
  assert.deepEqual(limitLines(settings({})), [])
  assert.deepEqual(limitLines(settings(PUBLIC)), [limits, spared, proxy])
  assert.deepEqual(limitLines(settings(PROXIED)), [limits, spared])
  assert.deepEqual(limitLines(settings({ publicUrl: 'https://world.example' })), [proxy])
  assert.deepEqual(limitLines(settings({ rateLimit: '5' })), ['Limits of each address: 5 requests a minute.'])
})

test('a stream that ends no longer counts against its address', () => {
  const { enterStream } = streamLimitsFor(settings({ streamsPerAddress: '1' }))
  const request = { method: 'GET', target: '/', headers: {}, client: { address: '192.0.2.1', connection: 1 } }
  const leave = enterStream?.(request)
  assert.equal(enterStream?.(request), undefined)
  leave?.()
  assert.ok(enterStream?.(request))
})
