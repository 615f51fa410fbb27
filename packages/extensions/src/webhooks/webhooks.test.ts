import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMemoryStore, type Lease } from '@worldwright/core/store'
import { Webhook } from 'standardwebhooks'
import { hookedWorld, receiver, SECRET } from './receiver.fixture.ts'
import { signingKeys } from './webhooks.ts'

const MOON = 'sol:moon'

test('a delivery has the signatures of Standard Webhooks, one for each secret, and is a page of changes', async (t) => {
  const { url, received, until } = await receiver(t)
  const world = hookedWorld(t)
  const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
  await world.deliver(url, undefined, `${SECRET} ${other}`)
  await world.put(MOON, 'io')
  await until(() => received.length === 1)
  const { headers, body } = received[0] ?? assert.fail()
  for (const secret of [SECRET, other])
    assert.deepEqual(new Webhook(secret).verify(body, headers as Record<string, string>), JSON.parse(body))
  assert.throws(() => new Webhook(SECRET).verify(`${body} `, headers as Record<string, string>))
  assert.equal(headers['content-type'], 'application/json')
  const guide = readFileSync(
    join(import.meta.dirname, '../../../../docs/guides/mirror-and-follow.md'),
    'utf8',
  )
  const [, code = ''] = /```js\n(import \{ createHmac[\s\S]*?)```/.exec(guide) ?? []
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const [right, wrong] = [isGenuine(headers, body, other), isGenuine(headers, `${body} `, other)]
  const at = new Date(Date.now() - 400_000)
  const signature = new Webhook(other).sign('msg_1', at, body)
  const seconds = String(Math.floor(at.getTime() / 1_000))
  const late = { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': signature }
  assert.deepEqual(
    [right, wrong, isGenuine({}, body, other), isGenuine(late, body, other)],
    [true, false, false, false],
  )
  const { changes, more, versions } = JSON.parse(body)
  assert.deepEqual([more, Object.keys(versions), changes.length], [false, [MOON], 1])
  assert.deepEqual([changes[0].op, changes[0].type, changes[0].id], ['put', MOON, 'io'])
})

test('a webhook begins at the present, sends its types in order and in batches, and goes on after a restart', async (t) => {
  const { url, received, ids, until } = await receiver(t)
  const world = hookedWorld(t)
  await world.put(MOON, 'before')
  const first = await world.deliver(url, [MOON])
  const numbered = (from: number) => Array.from({ length: 250 }, (_, index) => `m${1_000 + from + index}`)
  await world.put('sol:planet', 'mars')
  await world.put(MOON, ...numbered(0))
  await until(() => ids().length === 250)
  assert.deepEqual(ids(), numbered(0))
  assert.deepEqual(
    received.map(({ body }) => [JSON.parse(body).changes.length, JSON.parse(body).more]),
    [
      [100, true],
      [100, true],
      [50, false],
    ],
  )
  await first.stop()
  await world.put(MOON, ...numbered(250))
  await world.store.write([{ delete: { type: MOON, id: 'before' } }])
  await world.deliver(url, [MOON])
  await until(() => ids().at(-1) === 'before')
  // What was being delivered as the webhook stopped may come twice.
  assert.deepEqual([...new Set(ids())], [...numbered(0), ...numbered(250), 'before'])
  assert.equal(JSON.parse(received.at(-1)?.body ?? '').changes.at(-1).op, 'delete')
  assert.deepEqual(world.said, [])
})

test('a refused delivery is repeated under the same id, not before Retry-After, and nothing overtakes it', async (t) => {
  const statuses = [500, 503, 204]
  const { url, received, ids, until } = await receiver(t, (response, count) => {
    response.writeHead(statuses[count - 1] ?? 204, { 'retry-after': '1' }).end('no')
  })
  const world = hookedWorld(t)
  await world.deliver(url)
  await world.put(MOON, 'io')
  await until(() => received.length === 3)
  const [first, second, third] = received
  assert.ok(first && second && third)
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.ok(third.at - second.at >= 1_000 && second.at - first.at >= 1_000)
  assert.notEqual(third.headers['webhook-timestamp'], first.headers['webhook-timestamp'])
  await world.put(MOON, 'europa')
  await until(() => received.length === 4)
  assert.deepEqual(ids(), ['io', 'io', 'io', 'europa'])
  assert.match(
    world.said[0] ?? '',
    /^warn: Webhook http:.*\/hook failed: the receiver answered 500\. Trying again in [12] s\.$/,
  )
  assert.match(world.said[2] ?? '', /^info: .* works again\.$/)
})

test('receivers that are gone, silent or endless, or that redirect, hold back no other, and get nothing elsewhere', async (t) => {
  const healthy = await receiver(t)
  const silent = await receiver(t, () => {})
  const target = await receiver(t)
  const redirecting = await receiver(t, (response) => response.writeHead(307, { location: target.url }).end())
  const closed = new Set<string>()
  const endless = await receiver(t, (response) => {
    response.writeHead(200).on('close', () => closed.add('endless'))
    const write = () => void (response.destroyed || response.write('x'.repeat(65_536), write))
    write()
  })
  const world = hookedWorld(t)
  const urls = [silent, redirecting, endless, healthy].map(({ url }) => url)
  for (const url of ['http://127.0.0.1:1/?token=hush', ...urls]) await world.deliver(url)
  for (const id of ['io', 'europa', 'ganymede']) {
    await world.put(MOON, id)
    await healthy.until(() => healthy.ids().includes(id))
    await endless.until(() => endless.ids().includes(id))
  }
  await redirecting.until(() => redirecting.received.length > 1)
  assert.deepEqual(healthy.ids(), ['io', 'europa', 'ganymede'])
  assert.deepEqual([silent.received.length, target.received.length, closed.size], [1, 0, 1])
  const said = world.said.join('\n')
  assert.match(said, /failed: the receiver answered 307/)
  assert.match(said, /http:\/\/127\.0\.0\.1:1\/ failed: (?!fetch failed)\S/)
  assert.doesNotMatch(said, /hush|whsec|v1,/)
})

test('a receiver that answers 410 gets nothing more', async (t) => {
  const { url, received } = await receiver(t, (response) => response.writeHead(410).end())
  const world = hookedWorld(t)
  const { ended } = await world.deliver(url)
  await world.put(MOON, 'io')
  await ended
  await world.put(MOON, 'europa')
  assert.equal(received.length, 1)
  assert.match(world.said.join(), /^error: .*stopped until the next start: the receiver answered 410\.$/)
})

test('a receiver is told that changes have expired before later ones are sent', async (t) => {
  const { url, received, ids, until } = await receiver(t, (response, count) =>
    response.writeHead(count === 1 ? 500 : 200).end(),
  )
  const before = hookedWorld(t)
  await (await before.deliver(url)).stop()
  const world = hookedWorld(t)
  await world.put(MOON, 'io')
  // A restored store has another history.
  const kept = [...(await before.store.values('~~webhook/'))].map(([name, { value }]) => [name, value])
  await world.store.write([], { values: Object.fromEntries(kept) })
  await world.deliver(url)
  await until(() => received.length === 2)
  const { code, details } = JSON.parse(received[1]?.body ?? '')
  assert.equal(code, 'changes_expired')
  assert.equal(received[1]?.body, received[0]?.body)
  await world.put(MOON, 'europa')
  await until(() => received.length === 3)
  assert.deepEqual(ids(), ['europa'])
  assert.notEqual(JSON.parse(received[2]?.body ?? '').next, details.next)
  assert.match(world.said.join('\n'), /^error: .*lost changes, which expired before they were delivered/m)
})

test('only the node with the lease delivers, and the next one takes over from there', async (t) => {
  const { url, ids, until } = await receiver(t)
  const memory = createMemoryStore()
  let held: Promise<void> = Promise.resolve()
  const lease = async (): Promise<Lease> => {
    const before = held
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    await before
    return { release: resolve }
  }
  const world = hookedWorld(t, { ...memory, lease })
  const first = await world.deliver(url)
  await world.deliver(url)
  await world.put(MOON, 'io')
  await until(() => ids().at(-1) === 'io')
  await world.put(MOON, 'europa')
  await until(() => ids().at(-1) === 'europa')
  assert.deepEqual(ids(), ['io', 'europa'])
  await first.stop()
  await world.put(MOON, 'ganymede')
  await until(() => ids().at(-1) === 'ganymede')
  assert.deepEqual([...new Set(ids())], ['io', 'europa', 'ganymede'])
})

test('a node that has lost its lease notices it, and nothing is lost', async (t) => {
  const { url, ids, until } = await receiver(t)
  const world = hookedWorld(t)
  for (let count = 0; count < 2; count++) await world.deliver(url)
  const moons = Array.from({ length: 20 }, (_, index) => `m${index}`)
  for (const id of moons) await world.put(MOON, id)
  await until(() => moons.every((id) => ids().includes(id)))
  assert.match(world.said.join(), /failed: another node has delivered meanwhile/)
})

test('a secret is whsec_ and base64 of 24 to 64 bytes', () => {
  const secret = (bytes: number) => `whsec_${Buffer.alloc(bytes).toString('base64')}`
  assert.equal(signingKeys(`${secret(24)} ${secret(64)}`)?.length, 2)
  for (const bad of [
    '',
    'hush',
    secret(23),
    secret(65),
    `${secret(24)}  ${secret(24)}`,
    secret(24).slice(6),
    'whsec_*',
  ])
    assert.equal(signingKeys(bad), undefined, bad)
})
