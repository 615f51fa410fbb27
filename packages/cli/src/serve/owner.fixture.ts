/** A world in the test's own process that copies follow. */
import type { TestContext } from 'node:test'
import { createMemoryStorage, createWorld, listen, type Storage } from '@worldwright/server'
import { createChangesApi } from '@worldwright/server/changes'

/** An owner that listens, and the store behind it. */
export interface OwnerFixture {
  readonly url: string
  readonly storage: Storage
  /** Puts moons in one commit, each with this title. */
  put(title: string, ...ids: string[]): Promise<void>
  /** Calls this with each request for changes, in place of what was called before. */
  onChanges(heard: () => void): void
  /** Takes no connections any more, and cuts those there are. */
  stop(): Promise<void>
  /** Listens again, where it did before. */
  start(): Promise<void>
}

/** Serves a world of moons until the test is over. `isPrivate`: it says that it is; it answers everybody. */
export async function ownerFixture(t: TestContext, isPrivate = false): Promise<OwnerFixture> {
  const storage = createMemoryStorage()
  const world = {
    id: 'urn:example:sol',
    name: 'Sol',
    types: [{ type: 'sol:moon', title: 'Moon', schema: { type: 'object' } }],
  }
  const changes = createChangesApi(world, storage)
  let heard = () => {}
  const handler = createWorld(world, storage, {
    routes: changes.routes,
    extensions: changes.extensions,
    observe: ({ route }) => route.endsWith('/changes') && heard(),
    authentication: { required: isPrivate, schemes: [] },
  })
  let listening = await listen(handler, { host: '127.0.0.1', port: 0 })
  const { url } = listening
  t.after(() => listening.close())
  return {
    url,
    storage,
    async put(title, ...ids) {
      await storage.write(ids.map((id) => ({ put: { type: 'sol:moon', id, title, attributes: {} } })))
    },
    onChanges(next) {
      heard = next
    },
    stop: () => listening.close(),
    async start() {
      listening = await listen(handler, { host: '127.0.0.1', port: Number(new URL(url).port) })
    },
  }
}

/** Waits until a request is answered as is wanted, and gives the answer. */
export async function answered<T>(ask: () => Promise<T>, is: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (is(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
