import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { createValidator } from '../../../entities/src/schemas/validator.ts'
import { defineAction } from '../actions/define-action.ts'
import { changes } from '../changes/routes.ts'
import { operator } from '../operator/routes.ts'
import { createToken } from '../operator/tokens.ts'
import { query } from '../query/index.ts'
import { openApi } from './routes.ts'

const MOON = {
  type: 'sol:moon',
  title: 'Moon',
  schema: {
    type: 'object',
    properties: { orbits: { $ref: '#/$defs/planet' }, radiusKm: { type: 'number' } },
    $defs: { planet: { type: 'object', required: ['type', 'id'] } },
  },
}
const VISIT = defineAction(
  {
    name: 'sol:visit',
    safe: false,
    inputSchema: { type: 'object' },
    outputSchema: { type: 'boolean' },
    handler: () => true,
  },
  createValidator,
)

async function described({ isPrivate = false, apiUrl = undefined as string | undefined } = {}) {
  const store = createMemoryStore()
  await createToken(store, { scopes: ['admin'] })
  const attributes = { radiusKm: 1560.8, orbits: { type: 'sol:planet', id: 'jupiter' } }
  await store.write([{ put: { type: 'sol:moon', id: 'europa', title: 'Europa', attributes } }])
  const description = { id: 'urn:x:sol', name: 'Sol', types: [MOON] }
  const world = createWorld({
    ...description,
    store,
    publicUrl: 'https://sol.example',
    ...(apiUrl !== undefined && { apiUrl }),
    actions: [VISIT],
    extensions: [query(), openApi(), changes(), operator({ isPrivate })],
  })
  const read = async (target: string, headers = {}) => {
    const response = await world.handle({ method: 'GET', target, headers })
    const text = Buffer.from((response.body as Uint8Array | undefined) ?? []).toString()
    return { ...response, text }
  }
  const response = await read('/openapi.json')
  return { world, read, response, document: JSON.parse(response.text) as OpenApiText }
}

interface OpenApiText extends JsonObject {
  servers: { url: string }[]
  paths: Record<string, Record<string, JsonObject> & { servers?: JsonObject[] }>
  components: { schemas: Record<string, JsonObject>; responses: Record<string, JsonObject> }
}

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref' && typeof member === 'string') yield member
    else yield* referencesIn(member)
  }
}

test('every route is described for each type and action, and every reference resolves', async () => {
  const { document, world } = await described()
  assert.equal(document['openapi'], '3.1.1')
  assert.deepEqual(Object.keys(document.paths).toSorted(), [
    '/.well-known/world.json',
    '/api/operator/v0/actions/sol%3Avisit',
    '/api/operator/v0/actions/worldwright%3Aquery',
    '/api/operator/v0/actions/wp%3Adiscover',
    '/api/operator/v0/entities/sol%3Amoon',
    '/api/operator/v0/entities/sol%3Amoon/{id}',
    '/api/operator/v0/export',
    '/api/operator/v0/jobs/{id}',
    '/api/operator/v0/types',
    '/api/operator/v0/writes/{write}',
    '/api/world/v0/actions/sol%3Avisit',
    '/api/world/v0/actions/worldwright%3Aquery',
    '/api/world/v0/actions/wp%3Adiscover',
    '/api/world/v0/changes',
    '/api/world/v0/entities/sol%3Amoon',
    '/api/world/v0/entities/sol%3Amoon/{id}',
    '/api/world/v0/jobs/{id}',
  ])
  for (const route of world.routes) {
    const { operations } = route
    if (operations) assert.deepEqual(Object.keys(operations), Object.keys(route.methods), route.path)
    else assert.match(route.path, /^\/(?:openapi\.json|\.well-known\/api-catalog)$/)
  }
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((operation) => (operation as JsonObject)['operationId']),
  )
  assert.equal(new Set(ids).size, ids.length)
  for (const reference of referencesIn(document)) {
    let found: unknown = document
    for (const part of reference.slice(2).split('/')) found = (found as Record<string, unknown>)[part]
    assert.notEqual(found, undefined, reference)
  }
})

test('responses match their schemas, and the schema of a type includes its attributes', async () => {
  const { document, read } = await described()
  const schema = (name: string) => {
    const text = JSON.stringify({ ...document.components.schemas[name], components: document.components })
    return createValidator(JSON.parse(text))
  }
  const entity = JSON.parse((await read('/api/world/v0/entities/sol%3Amoon/europa')).text)
  assert.deepEqual(schema('sol_moon')(entity).faults, [])
  assert.notDeepEqual(schema('sol_moon')({ ...entity, attributes: { radiusKm: 'wide' } }).faults, [])
  assert.notDeepEqual(schema('sol_moon')({ ...entity, attributes: { orbits: {} } }).faults, [])
  const page = JSON.parse((await read('/api/world/v0/entities/sol%3Amoon?limit=1')).text)
  assert.deepEqual(schema('sol_moon_page')(page).faults, [])
  const error = JSON.parse((await read('/api/world/v0/entities/sol%3Amoon/x')).text)
  assert.deepEqual(schema('Error')(error).faults, [])
  const discovery = JSON.parse((await read('/.well-known/world.json')).text)
  assert.deepEqual(schema('Discovery')(discovery).faults, [])
  const responses = document.paths['/api/world/v0/entities/sol%3Amoon/{id}']?.['get']?.[
    'responses'
  ] as JsonObject
  assert.deepEqual(responses['404'], { $ref: '#/components/responses/entity_not_found' })
})

test('operations that require a token declare it', async () => {
  const operation = ({ paths }: OpenApiText, path: string, method: string) =>
    paths[path]?.[method]?.['security']
  const open = await described()
  const bearer = [{ bearer: [] }]
  assert.deepEqual(operation(open.document, '/api/world/v0/entities/sol%3Amoon', 'get'), [])
  assert.deepEqual(operation(open.document, '/api/world/v0/actions/sol%3Avisit', 'post'), bearer)
  assert.deepEqual(operation(open.document, '/api/operator/v0/types', 'get'), bearer)
  const closed = await described({ isPrivate: true })
  assert.deepEqual(operation(closed.document, '/api/world/v0/entities/sol%3Amoon', 'get'), bearer)
  assert.deepEqual(operation(closed.document, '/.well-known/world.json', 'get'), [])
})

test('discovery and the API catalogue link to the description, which has an entity tag', async () => {
  const { read, response } = await described()
  const { extensions } = JSON.parse((await read('/.well-known/world.json')).text)
  assert.deepEqual(extensions['worldwright:openapi'], { path: '/openapi.json' })
  const catalogue = await read('/.well-known/api-catalog', { accept: 'application/linkset+json' })
  assert.equal(catalogue.headers['content-type'], 'application/linkset+json')
  assert.deepEqual(JSON.parse(catalogue.text).linkset[0]['service-desc'], [
    { href: 'https://sol.example/openapi.json', type: 'application/json' },
  ])
  const etag = response.headers['etag'] ?? ''
  assert.equal((await read('/openapi.json', { 'if-none-match': etag })).status, 304)
})

test('an API on a different origin is described with its own server', async () => {
  const { document } = await described({ apiUrl: 'https://api.example/v2' })
  assert.deepEqual(document.servers, [{ url: 'https://sol.example' }])
  assert.deepEqual(document.paths['/v2/entities/sol%3Amoon']?.servers, [{ url: 'https://api.example' }])
  assert.equal(document.paths['/.well-known/world.json']?.servers, undefined)
})

test('only actions that change something take an Idempotency-Key', async () => {
  const { paths } = (await described()).document
  const takesKey = (action: string) => {
    const call = paths[`/api/world/v0/actions/${encodeURIComponent(action)}`]?.['post']
    const parameters = (call?.['parameters'] ?? []) as { readonly name: string }[]
    return parameters.some(({ name }) => name === 'Idempotency-Key')
  }
  assert.equal(takesKey('sol:visit'), true)
  assert.equal(takesKey('wp:discover'), false)
  assert.equal(takesKey('worldwright:query'), false)
})
