import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { connect, type World, WorldError } from '@worldwright/client'
import { memoryWorld } from '@worldwright/client/testing'
import { type AgentWorld, OPENING_MS } from './agent-world.ts'
import { followEntities } from './resources.ts'
import { createServer } from './server.ts'
import { listTools } from './tools.ts'

function worldOf(host: string, harm: (world: World) => object = () => ({})): AgentWorld {
  const { fetch, origin } = memoryWorld({
    origin: `https://${host}`,
    entities: [{ type: 'sol:moon', id: 'io', attributes: {} }],
  })
  return {
    name: host,
    hasToken: false,
    async open() {
      const world = await connect(origin, { fetch, retries: 0 })
      return Object.assign(world, harm(world))
    },
  }
}

test('a world whose description cannot be read is left out of the lists', async (t) => {
  const unread = worldOf('unread.example', () => ({
    get document() {
      throw new RangeError('too deep')
    },
  }))
  const [near, far] = InMemoryTransport.createLinkedPair()
  await createServer([worldOf('sol.example'), unread], 'test', 'legacy').connect(far)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(near)
  t.after(() => client.close())
  const [first, ...others] = (await client.listTools()).tools
  assert.match(`${first?.description}`, /Types: sol:moon\./)
  assert.ok(others.some(({ name }) => name === 'get_entity'))
})

test('a world that does not answer delays lists once, for three seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const hanging: AgentWorld = { ...worldOf('hanging.example'), open: () => new Promise(() => {}) }
  const worlds = [worldOf('sol.example'), hanging]
  const first = listTools(worlds)
  await new Promise(setImmediate)
  t.mock.timers.tick(OPENING_MS)
  for (const [{ description } = { description: '' }] of [await first, await listTools(worlds)])
    assert.match(description, /Types: sol:moon\./)
})

test('changes without an address are passed over, and equal ones of a second are one report', async () => {
  const lone = { type: 'sol:\ud800', id: '\ud800' }
  const news = [lone, ...Array(500).fill({ type: 'sol:moon', id: 'io' }), { type: 'sol:moon', id: 'europa' }]
  const changes = async function* () {
    yield* news
  }
  const { updated, failed, heard } = listener()
  await followEntities(worldOf('sol.example', () => ({ changes })).open, { updated, failed }, signal)
  assert.deepEqual(await heard(2), ['sol%3Amoon/io', 'sol%3Amoon/europa'])
})

test('a world that cannot be followed for now is tried again', { timeout: 30_000 }, async () => {
  let tries = 0
  const changes = async function* () {
    tries += 1
    if (tries === 1) throw new WorldError('unavailable', undefined, { status: 503 })
    yield { type: 'sol:moon', id: 'io' }
  }
  const { updated, failed, heard } = listener()
  await followEntities(worldOf('sol.example', () => ({ changes })).open, { updated, failed }, signal)
  assert.deepEqual(await heard(1), ['sol%3Amoon/io'])
})

test('a fault in following a world is reported, not thrown', async () => {
  const changes = async function* () {
    yield { type: 'sol:moon' }
  }
  const { updated, failed, heard } = listener()
  await followEntities(worldOf('sol.example', () => ({ changes })).open, { updated, failed }, signal)
  assert.match(`${await heard(1)}`, /TypeError/)
})

const signal = new AbortController().signal

/** Returns a listener, and a function that waits for a number of reports of either kind. */
function listener() {
  const reports: string[] = []
  const updated = (path: string) => void reports.push(path)
  const failed = (error: Error) => void reports.push(`${error}`)
  const heard = async (count: number) => {
    while (reports.length < count) await new Promise((resolve) => setTimeout(resolve, 50))
    return reports
  }
  return { updated, failed, heard }
}
