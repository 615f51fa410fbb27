/** Proxies a cluster and can hold a request, so that its sender can be killed or stalled at exactly that point. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Path of the request to hold, and whether to hold the request itself or the cluster's response to it. */
export interface Hold {
  readonly path: RegExp
  readonly at: 'request' | 'answer'
}

/** Proxy to one node of a cluster. */
export interface HeldWay {
  /** Address of the proxy, as `HOST:PORT`. */
  readonly host: string
  /** Holds the next matching request. Resolves once it is held. */
  hold(hold: Hold): Promise<void>
  /** Releases the held request. */
  release(): void
  end(): Promise<void>
}

/** Starts a proxy to one node of a cluster. */
export async function openHeldWay(node: string): Promise<HeldWay> {
  let wanted: Hold | undefined
  let held = Promise.withResolvers<void>()
  let released = Promise.withResolvers<void>()
  const isHeld = (path: string, at: Hold['at']) => {
    if (wanted?.at !== at || !wanted.path.test(path)) return false
    wanted = undefined
    held.resolve()
    return true
  }
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', method = 'GET', headers } = request
    const body = await text(request)
    if (isHeld(path, 'request')) await released.promise
    const type = headers['content-type']
    const answer = await fetch(`http://${node}${path}`, {
      method,
      ...(type !== undefined && { headers: { 'content-type': type }, body }),
    })
    const answered = await answer.text()
    if (isHeld(path, 'answer')) await released.promise
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answered)
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(hold) {
      wanted = hold
      held = Promise.withResolvers<void>()
      released = Promise.withResolvers<void>()
      return held.promise
    },
    release: () => released.resolve(),
    async end() {
      released.resolve()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
