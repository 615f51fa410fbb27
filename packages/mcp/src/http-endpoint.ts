/** The MCP endpoint of a served world, over streamable HTTP. */
import { createMcpHandler, InMemoryServerEventBus, type ServerEvent } from '@modelcontextprotocol/server'
import type { AgentWorld } from './agent-world.ts'
import { followEntities } from './resources.ts'
import { createServer, type Identity } from './server.ts'

/** Maximum size of a request body, in bytes. */
const MAX_BODY = 1_048_576
/** Maximum number of open subscriptions. */
const MAX_SUBSCRIPTIONS = 256

/** An endpoint that answers requests, each with a world of its own. */
export interface Endpoint {
  answer(request: Request, world: AgentWorld, identity: Identity): Promise<Response>
  close(): Promise<void>
}

/** Creates the endpoint. `open` connects to the world without any token: what it changes is told to subscribers. */
export function createEndpoint(open: AgentWorld['open']): Endpoint {
  const handler = createMcpHandler(
    ({ authInfo, era }) => {
      const { world, identity } = authInfo?.extra as { world: AgentWorld; identity: Identity }
      return createServer([world], identity, { era })
    },
    { bus: new FollowingBus(open), maxRequestBodySize: MAX_BODY, maxSubscriptions: MAX_SUBSCRIPTIONS },
  )
  return {
    // The SDK passes `authInfo` through, so it carries what belongs to this request alone.
    answer: (request, world, identity) =>
      handler.fetch(request, {
        authInfo: { token: '', clientId: '', scopes: [], extra: { world, identity } },
      }),
    close: handler.close,
  }
}

/** Events of a world that is followed only while anybody listens. */
class FollowingBus extends InMemoryServerEventBus {
  readonly #open: AgentWorld['open']
  #following: AbortController | undefined

  constructor(open: AgentWorld['open']) {
    super()
    this.#open = open
  }

  override subscribe(listener: (event: ServerEvent) => void): () => void {
    const leave = super.subscribe(listener)
    if (this.#following === undefined) {
      this.#following = new AbortController()
      const { signal } = this.#following
      const publish = (uri: string) => this.publish({ kind: 'resource_updated', uri })
      void followEntities(this.#open, publish, signal)
    }
    return () => {
      leave()
      if (this.listenerCount > 0) return
      this.#following?.abort()
      this.#following = undefined
    }
  }
}
