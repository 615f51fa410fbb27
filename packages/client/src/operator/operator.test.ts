import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { createValidator } from '@worldwright/entities/schemas'
import { createTypeCheck, withTypeInference } from '@worldwright/entities/types'
import { createToken, operator } from '@worldwright/extensions/operator'
import { connect } from '../connect.ts'
import { mintId, Operator, type OperatorType, type RejectedRow } from './operator.ts'

/** Types that `npx worldwright types` would generate for the world below. */
interface Types {
  entities: { 'sol:moon': { radiusKm: number; icy?: boolean } }
  actions: object
}

const MOONS = {
  type: 'sol:moon',
  schema: { properties: { radiusKm: { type: 'number' } }, required: ['radiusKm'] },
}

/** Stores nothing, and names a picture by its size. */
const pictures = async (bytes: Uint8Array, ending: string) => `/attachments/${bytes.length}.${ending}`

type Send = (url: string, init: RequestInit) => Promise<Response>

/** Creates a world, writable if `isOn`, and a hook for the requests that its client sends. */
async function written({ isOn = true } = {}) {
  const store = withTypeInference(createMemoryStore())
  const description = { id: 'urn:example:sol', types: async () => [MOONS] }
  const handler = createWorld({
    ...description,
    store,
    publicUrl: 'https://sol.example',
    extensions: isOn ? [operator({ check: createTypeCheck([MOONS], createValidator), pictures })] : [],
  })
  const { token } = await createToken(store, { scopes: ['write'] })
  const direct: Send = async (url, init) => toFetch(handler)(new Request(url, init))
  const between = { send: direct, methods: [] as string[] }
  const world = await connect<Types>('https://sol.example', {
    token,
    retries: 2,
    fetch: (url, init) => {
      if (init.method !== 'GET') between.methods.push(`${init.method}`)
      return between.send(url, init)
    },
  })
  const ids = async () => (await store.list('sol:moon', { limit: 2_000 })).entities.map(({ id }) => id)
  return { operator: new Operator(world), world, store, between, direct, ids }
}

/** Drops the response to the next write, after the world has applied the write. */
function loseAnswer({ between, direct }: Awaited<ReturnType<typeof written>>, then = async () => {}): void {
  between.send = async (url, init) => {
    if (init.method === 'GET') return direct(url, init)
    const response = await direct(url, init)
    await response.arrayBuffer()
    between.send = direct
    await then()
    throw new TypeError('socket hang up')
  }
}

test('put, patch and delete respect preconditions', async () => {
  const { operator, world, ids } = await written()
  const { entity, position } = await operator.put('sol:moon', 'io', {
    title: 'Io',
    attributes: { radiusKm: 1 },
  })
  assert.ok(position)
  const { revision } = entity
  const radiusKm: number = (await world.get('sol:moon', 'io')).attributes.radiusKm
  assert.equal(radiusKm, 1)
  const patch = { title: null, attributes: { icy: true } }
  const patched = await operator.patch('sol:moon', 'io', patch, { ifRevision: revision })
  assert.deepEqual([patched.entity.title, patched.entity.attributes], [undefined, { radiusKm: 1, icy: true }])
  const other = { attributes: { radiusKm: 2 } }
  await assert.rejects(operator.put('sol:moon', 'io', other, { ifRevision: revision }), {
    code: 'precondition_failed',
    status: 412,
    details: { revision: patched.entity.revision },
  })
  await assert.rejects(operator.put('sol:moon', 'io', other, { ifAbsent: true }), {
    code: 'precondition_failed',
  })
  await assert.rejects(operator.put('sol:moon', 'x', { attributes: {} as never }), { code: 'invalid_entity' })
  await operator.delete('sol:moon', 'io', { ifRevision: patched.entity.revision })
  await assert.rejects(operator.delete('sol:moon', 'io'), { code: 'entity_not_found' })
  assert.deepEqual(await ids(), [])
})

test('types are listed with what the token may do', async () => {
  const { operator, between } = await written()
  const [{ type, count, writable, schema } = {}] = (await operator.types()) as Partial<OperatorType>[]
  assert.deepEqual([type, count, writable, schema], ['sol:moon', 0, true, MOONS.schema])
  between.send = async () => Response.json({ types: 'none' })
  await assert.rejects(operator.types(), { code: 'invalid_response' })
})

test('a retried write is applied once', async () => {
  const world = await written()
  const { operator, between, ids } = world
  loseAnswer(world)
  const { entity } = await operator.create('sol:moon', { attributes: { radiusKm: 1 } })
  assert.deepEqual([await ids(), between.methods], [[entity.id], ['PUT', 'PUT']])
  loseAnswer(world)
  const options = { ifRevision: entity.revision }
  const put = await operator.put('sol:moon', entity.id, { attributes: { radiusKm: 2 } }, options)
  assert.equal(put.entity.attributes.radiusKm, 2)
  loseAnswer(world)
  const patch = { attributes: { radiusKm: 3, icy: null } }
  const patched = await operator.patch('sol:moon', entity.id, patch, { ifRevision: put.entity.revision })
  assert.equal(patched.entity.attributes.radiusKm, 3)
  loseAnswer(world)
  await operator.delete('sol:moon', entity.id, { ifRevision: patched.entity.revision })
  assert.deepEqual(await ids(), [])
})

test('a write by another writer is not mistaken for an earlier attempt', async () => {
  const world = await written()
  const { operator, store, between, direct } = world
  const { entity } = await operator.put('sol:moon', 'io', { attributes: { radiusKm: 1 } })
  const other = async () => {
    await store.write([{ put: { type: 'sol:moon', id: 'io', attributes: { radiusKm: 9 } } }])
  }
  loseAnswer(world, other)
  const put = operator.put('sol:moon', 'io', { attributes: { radiusKm: 2 } }, { ifRevision: entity.revision })
  await assert.rejects(put, { code: 'precondition_failed' })
  // Another writer has written the same content, and this write is a first attempt.
  between.send = direct
  await assert.rejects(operator.put('sol:moon', 'io', { attributes: { radiusKm: 9 } }, { ifAbsent: true }), {
    code: 'precondition_failed',
  })
})

test('a bulk write is sent in batches and reports progress and rejected rows', async () => {
  const world = await written()
  const { operator, between, direct, ids, store } = world
  const rejected: RejectedRow[] = []
  const progress: number[] = []
  const rows = Array.from({ length: 1_200 }, (_, at) => ({
    id: `m${at}`,
    attributes: { radiusKm: at === 700 ? ('x' as unknown as number) : at },
  }))
  loseAnswer(world)
  const result = await operator.bulk('sol:moon', rows, {
    onRejected: (row) => rejected.push(row),
    onProgress: ({ rows }) => progress.push(rows),
  })
  assert.deepEqual(progress, [500, 1_000, 1_200])
  assert.deepEqual(
    rejected.map(({ row, fields }) => [row, fields[0]?.['pointer']]),
    [[700, '/attributes/radiusKm']],
  )
  // The first batch was written by the attempt whose response was lost.
  assert.deepEqual([result.created, result.unchanged, result.rejected], [699, 500, 1])
  assert.equal((await ids()).length, 1_199)
  // A batch is sent again after a truncated response.
  between.methods.length = 0
  between.send = async (url, init) => {
    between.send = direct
    const text = await (await direct(url, init)).text()
    const headers = { 'content-type': 'application/x-ndjson' }
    return new Response(text.slice(0, text.lastIndexOf('{')), { headers })
  }
  const minted = await operator.bulk('sol:moon', [{ attributes: { radiusKm: 1 } }], { mintIds: true })
  assert.deepEqual([minted.unchanged, between.methods], [1, ['POST', 'POST']])
  assert.equal((await ids()).length, 1_200)
  const replaced = await operator.bulk('sol:moon', rows.slice(0, 600), { replace: true })
  assert.deepEqual([replaced.unchanged, replaced.deleted], [600, 600])
  const stopped = operator.bulk('sol:moon', [{ id: 'x', attributes: {} as never }], { onInvalid: 'stop' })
  await assert.rejects(stopped, { code: 'invalid_entity' })
  assert.equal(await store.get('sol:moon', 'x'), undefined)
})

test('a batch whose outcome the world does not know is sent again, and its error has the id of the write', async () => {
  const { operator, between, direct, ids } = await written()
  const details = { reason: 'undecided', write: 'w1' }
  const last = `${JSON.stringify({ committed: null, code: 'unavailable', message: 'open', details })}\n`
  const headers = { 'content-type': 'application/x-ndjson' }
  const rows = [{ id: 'io', attributes: { radiusKm: 1 } }]
  between.send = async () => new Response(last, { headers })
  await assert.rejects(operator.bulk('sol:moon', rows), { code: 'unavailable', details })
  assert.equal(between.methods.length, 3)
  between.send = async () => {
    between.send = direct
    return new Response(last, { headers })
  }
  assert.equal((await operator.bulk('sol:moon', rows)).created, 1)
  assert.deepEqual(await ids(), ['io'])
})

test('a world that does not declare the operator extension cannot be written', async () => {
  const { operator, between } = await written({ isOn: false })
  await assert.rejects(operator.put('sol:moon', 'io', { attributes: { radiusKm: 1 } }), {
    code: 'unsupported_extension',
  })
  assert.deepEqual(between.methods, [])
})

test('minted ids are version 7 UUIDs in chronological order', () => {
  assert.match(mintId(), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(mintId(0x017f22e279b0).slice(0, 13), '017f22e2-79b0')
  assert.ok(mintId(1_000) < mintId(1_001))
  assert.notEqual(mintId(5), mintId(5))
})

test('a picture is sent once, with its media type, and its path is returned', async () => {
  const { operator, between } = await written()
  const png = Uint8Array.from('\x89PNG\r\n\x1a\n', (char) => char.charCodeAt(0))
  const picture = new Blob([png], { type: 'image/png' })
  assert.equal(await operator.storePicture('sol:moon', picture), '/attachments/8.png')
  await assert.rejects(operator.storePicture('sol:moon', new Blob(['<svg/>'], { type: 'image/svg+xml' })), {
    code: 'unsupported_media_type',
  })
  const sent = between.methods.length
  between.send = async () => {
    throw new TypeError('socket hang up')
  }
  await assert.rejects(operator.storePicture('sol:moon', picture), { code: 'network_error' })
  assert.deepEqual(between.methods.slice(sent), ['POST'])
})

test('a path of a picture that is not on the origin of the world is refused', async () => {
  const { operator, between } = await written()
  const picture = new Blob(['GIF89a'], { type: 'image/gif' })
  for (const path of [
    'javascript:alert(1)',
    '//evil.example/a.png',
    '/\\evil.example',
    '/a.png\n/b.png',
    'a.png',
    '/',
    5,
  ]) {
    between.send = async () => Response.json({ path }, { status: 201 })
    await assert.rejects(operator.storePicture('sol:moon', picture), { code: 'invalid_response' })
  }
})
