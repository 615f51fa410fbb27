/** Tests of both against a world on a local port that stops and starts again. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createCollection } from '@tanstack/db'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { connect } from '@worldwright/client'
import { createWorld } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { query } from '@worldwright/extensions/query'
import { listen } from '@worldwright/node'
import { memorySearch } from '@worldwright/search/entities'
import { collectionOptions } from './collection-options.ts'
import { liveOptions } from './live-options.ts'

const MOON = { type: 'sol:moon', schema: { properties: { mass: { type: 'number' } } } }
const HEAVY = { types: ['sol:moon'], where: { op: '>', args: [{ property: 'mass' }, 1] } }

/** Serves a world with the moons io, which is light, and titan, which is heavy. */
async function served(t: TestContext) {
  const store = createMemoryStore({ search: memorySearch })
  const start = (port: number) => {
    const description = { id: 'urn:example:sol', types: [MOON], extensions: [query(), changes()] }
    return listen(createWorld({ ...description, store }), { port })
  }
  let server = await start(0)
  t.after(() => server.close())
  const put = (id: string, mass: number) =>
    store.write([{ put: { type: 'sol:moon', id, attributes: { mass } } }])
  await put('io', 1)
  await put('titan', 3)
  return {
    put,
    remove: (id: string) => store.write([{ delete: { type: 'sol:moon', id } }]),
    world: await connect(server.url),
    /** Stops the world, runs `meanwhile`, and starts the world again. */
    async away(meanwhile: () => Promise<unknown>) {
      await server.close()
      await meanwhile()
      server = await start(server.port)
    },
  }
}

/** Puts, changes and deletes moons, makes one leave, and stops the world. `shows` waits for moons, written `id mass`. */
async function live(sol: Awaited<ReturnType<typeof served>>, shows: (...moons: string[]) => Promise<void>) {
  await shows('titan 3')
  await sol.put('europa', 2)
  await shows('europa 2', 'titan 3')
  await sol.put('europa', 4)
  await shows('europa 4', 'titan 3')
  await sol.put('europa', 0.5)
  await shows('titan 3')
  await sol.put('rhea', 5)
  await shows('rhea 5', 'titan 3')
  await sol.remove('titan')
  await shows('rhea 5')
  await sol.away(async () => {
    await sol.remove('rhea')
    await sol.put('europa', 6)
  })
  await shows('europa 6')
}

/** Waits until `holds` returns true, for some seconds at most. */
async function turns(holds: () => boolean) {
  for (let count = 0; !holds() && count < 2_000; count++)
    await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Returns a function that waits until `moons` returns these moons. */
function showing(moons: () => readonly { id: string; attributes: object }[]) {
  return async (...expected: string[]) => {
    const shown = () => moons().map(({ id, attributes }) => `${id} ${Object.values(attributes)}`)
    await turns(() => shown().sort().join() === expected.join())
    assert.deepEqual(shown().sort(), expected)
  }
}

test('a collection of TanStack DB holds the moons that match', async (t) => {
  const sol = await served(t)
  const moons = createCollection({ id: 'moons', ...collectionOptions(sol.world, HEAVY) })
  await moons.preload()
  await live(
    sol,
    showing(() => moons.toArray),
  )
  await moons.cleanup()
})

test('a query of TanStack Query shows the moons that match while it is used', async (t) => {
  const sol = await served(t)
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY } } })
  const options = liveOptions(client, sol.world, HEAVY)
  const observer = new QueryObserver(client, options)
  const leave = observer.subscribe(() => {})
  const shows = showing(() => client.getQueryData(options.queryKey)?.entities ?? [])
  await live(sol, shows)
  leave()
  // No component uses the answer, so it is no longer kept current.
  await turns(() => client.getQueryState(options.queryKey)?.isInvalidated === true)
  await sol.put('dione', 7)
  const again = observer.subscribe(() => {})
  await shows('dione 7', 'europa 6')
  again()
})
