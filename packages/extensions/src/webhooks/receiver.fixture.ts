/** Receiver of webhooks in the test process. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { deliverChanges, signingKeys } from './webhooks.ts'

/** Secret of all webhooks under test: 32 bytes. */
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** A received request. `at` is in milliseconds on a monotonic clock. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly at: number
}

/** Listens until the test ends. `answer` responds to each request; the default answers 204. */
export async function receiver(t: TestContext, answer?: (response: ServerResponse, count: number) => void) {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    received.push({ headers: request.headers, body, at: performance.now() })
    if (answer) answer(response, received.length)
    else response.writeHead(204).end()
    for (const look of waiting) look()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const ids = () =>
    received.flatMap(({ body }): string[] =>
      (JSON.parse(body).changes ?? []).map(({ id }: { id: string }) => id),
    )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    /** Returns the ids of all received changes, in order. */
    ids,
    /** Resolves once the condition holds after a request. */
    async until(holds: () => boolean): Promise<void> {
      while (!holds()) {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.add(resolve)
        await promise
        waiting.delete(resolve)
      }
    },
  }
}

/** Creates a world with webhooks over a store. */
export function hookedWorld(t: TestContext, store: Store = createMemoryStore()) {
  const said: string[] = []
  return {
    store,
    said,
    /** Puts entities of a type in one write. */
    put: (type: string, ...ids: readonly string[]) =>
      store.write(ids.map((id) => ({ put: { type, id, attributes: {} } }))),
    /** Starts a webhook, and waits until it has begun if it is new. Returns `stop`, and `ended` without stopping. */
    async deliver(url: string, types?: readonly string[], secrets = SECRET) {
      const ending = new AbortController()
      const { signal } = ending
      const report = (level: string, message: string) => void said.push(`${level}: ${message}`)
      const keys = signingKeys(secrets) ?? []
      const ended = deliverChanges(
        { url, types, keys },
        { worldId: 'urn:example:sol', store, report, signal },
      )
      const stop = async () => {
        ending.abort()
        await ended
      }
      t.after(stop)
      while ((await store.values(`~~webhook/${url}`)).size === 0) await new Promise(setImmediate)
      return { ended, stop }
    },
  }
}
