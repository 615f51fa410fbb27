/** An upstream in the test process, for replicas to follow. */
import type { TestContext } from 'node:test'
import { createWorld } from '@worldwright/core'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { listen } from '@worldwright/node'

/** A listening upstream and its store. */
export interface UpstreamFixture {
  readonly url: string
  readonly store: Store
  /** Writes moons with the given title and ids in one commit. */
  put(title: string, ...ids: string[]): Promise<void>
  /** Sets the function called for each request for changes, replacing the previous one. */
  onChanges(heard: () => void): void
  /** Stops listening and closes open connections. */
  stop(): Promise<void>
  /** Listens on the same port again. */
  start(): Promise<void>
}

/** Serves a world of moons until the test ends. With `isPrivate`, it declares itself private but requires no token. */
export async function upstreamFixture(t: TestContext, isPrivate = false): Promise<UpstreamFixture> {
  const store = createMemoryStore()
  const world = {
    id: 'urn:example:sol',
    name: 'Sol',
    types: [{ type: 'sol:moon', title: 'Moon', schema: { type: 'object' } }],
  }
  let heard = () => {}
  const handler = createWorld({
    ...world,
    store,
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
    store,
    async put(title, ...ids) {
      await store.write(ids.map((id) => ({ put: { type: 'sol:moon', id, title, attributes: {} } })))
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

/** Repeats a request until the response matches, and returns that response. */
export async function answered<T>(ask: () => Promise<T>, is: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (is(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
