import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { operated } from './operator.fixture.ts'
import { createTokens } from './stored-tokens.ts'
import { createToken, createTokenCheck, listTokens, revokeToken, scopeFrom } from './tokens.ts'

const LIST = '/api/world/v0/entities/sol%3Amoon'
const IO = '/api/operator/v0/entities/sol%3Amoon/io'

test('a token has 256 random bits, and its secret is not stored', async () => {
  const store = createMemoryStore()
  const { token, description } = await createToken(store, { scopes: ['write:sol:moon'], name: 'loader' })
  assert.match(token, /^ww_[0-9a-f]{10}_[A-Za-z0-9_-]{43}$/)
  const kept = await createTokens(store).get(description.id)
  assert.ok(kept && !kept.value.includes(token.slice(14)))
  const [listed] = await listTokens(store)
  assert.deepEqual(
    [listed?.name, listed?.scopes, Object.hasOwn(listed ?? {}, 'digest')],
    ['loader', ['write:sol:moon'], false],
  )
})

test('a token is valid until it expires or is revoked, and its last use is recorded', async () => {
  const store = createMemoryStore()
  const clock = { time: new Date('2026-03-01T09:00:00Z') }
  const check = createTokenCheck(store, () => clock.time)
  const expiresAt = new Date('2026-03-02T09:00:00Z')
  const { token, description } = await createToken(store, { scopes: ['read'], expiresAt }, clock.time)
  assert.deepEqual(await check(token), { id: description.id, scopes: ['read'] })
  assert.equal(await check(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`), undefined)
  assert.equal(await check('ww_0123456789_nothing'), undefined)
  assert.equal((await listTokens(store))[0]?.lastUsedAt, '2026-03-01T09:00:00.000Z')
  clock.time = expiresAt
  assert.equal(await check(token), undefined)
  const other = await createToken(store, { scopes: ['read'] }, clock.time)
  assert.ok(await check(other.token))
  assert.equal(await revokeToken(store, other.description.id), true)
  assert.equal(await check(other.token), undefined)
  assert.equal(await revokeToken(store, other.description.id), false)
  assert.deepEqual(
    (await listTokens(store)).map(({ id }) => id),
    [description.id],
  )
})

test('a scope is admin, or is read, write or call, optionally for one name', () => {
  const scopes = ['read', 'write', 'admin', 'read:sol:moon', 'write:sol:moon', 'call', 'call:sol:visit']
  assert.deepEqual(scopes.map(scopeFrom), scopes)
  assert.deepEqual(
    ['', 'Read', 'write:', 'write:moon', 'call:', 'call:visit', 'read:moon', 'all'].map(scopeFrom),
    Array(8).fill(undefined),
  )
})

test('without tokens the operator API is hidden and not declared', async () => {
  const { send } = await operated([])
  assert.deepEqual([(await send('GET', IO)).status, (await send('GET', IO)).json().code], [404, 'not_found'])
  const { extensions } = (await send('GET', '/.well-known/world.json')).json()
  assert.equal(extensions['worldwright:operator'], undefined)
})

test('with a token, discovery declares the operator API with its limits', async () => {
  const { send } = await operated()
  const { 'worldwright:operator': declared } = (await send('GET', '/.well-known/world.json')).json()
    .extensions
  assert.equal(declared.path, '/api/operator/v0')
  assert.equal(declared.limits.maxEntityBytes, 262_144)
})

test('no token or a bad one gives 401 with a challenge, a wrong scope 403 naming the missing one', async () => {
  const { send } = await operated(['write:sol:note'])
  for (const authorization of ['Bearer nonsense', 'Basic eDp5', '']) {
    const { status, headers, json } = await send('GET', IO, undefined, { authorization })
    assert.deepEqual([status, json().code, json().details], [401, 'unauthenticated', { schemes: ['bearer'] }])
    assert.match(headers['www-authenticate'] ?? '', /^Bearer realm="world"/)
  }
  assert.equal((await send('GET', IO)).status, 200)
  const { status, json } = await send('PUT', IO, { attributes: {} })
  assert.deepEqual([status, json().code, json().details], [403, 'forbidden', { scope: 'write:sol:moon' }])
  const reader = await operated(['read'])
  assert.equal((await reader.send('DELETE', IO)).status, 403)
})

test('a private world requires a token for reads, but discovery is public', async () => {
  const { send } = await operated(['read'], { isPrivate: true })
  const anonymous = { authorization: 'Bearer none' }
  assert.equal((await send('GET', LIST, undefined, anonymous)).status, 401)
  assert.equal((await send('GET', '/nowhere', undefined, anonymous)).status, 401)
  const discovery = await send('GET', '/.well-known/world.json', undefined, anonymous)
  assert.deepEqual(discovery.json().authentication, { required: true, schemes: ['bearer'] })
  const list = await send('GET', LIST)
  assert.equal(list.status, 200)
  assert.match(list.headers['cache-control'] ?? '', /^private/)
  assert.match(list.headers['vary'] ?? '', /Authorization/)
})
