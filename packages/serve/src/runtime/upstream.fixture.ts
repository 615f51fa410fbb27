/** A world in the test's own process that replicas follow. */
import type { TestContext } from 'node:test'
import { createWorld } from '@worldwright/core'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { listen } from '@worldwright/node'

/** An upstream that listens, and the store behind it. */
export interface UpstreamFixture {
  readonly url: string
  readonly storage: Store
  /** Puts moons in one commit, each with this title. */
  put(title: string, ...ids: string[]): Promise<void>
  /** Calls this with each request for changes, replacing the previous listener. */
  onChanges(heard: () => void): void
  /** Stops accepting connections, and cuts the open ones. */
  stop(): Promise<void>
  /** Listens again at the same port. */
  start(): Promise<void>
}

/** Serves a world of moons until the test ends. `isPrivate`: it declares itself private, but answers everybody. */
export async function upstreamFixture(t: TestContext, isPrivate = false): Promise<UpstreamFixture> {
  const storage = createMemoryStore()
  const world = {
    id: 'urn:example:sol',
    name: 'Sol',
    types: [{ type: 'sol:moon', title: 'Moon', schema: { type: 'object' } }],
  }
  let heard = () => {}
  const handler = createWorld({
    ...world,
    store: storage,
    extensions: [
      changes(),
      () => ({ name: 'sol:guard', authentication: { required: isPrivate, schemes: [] } }),
    ],
    observe: ({ route }) => route.endsWith('/changes') && heard(),
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

/** Repeats a request until the answer matches, and returns that answer. */
export async function answered<T>(ask: () => Promise<T>, is: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (is(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
