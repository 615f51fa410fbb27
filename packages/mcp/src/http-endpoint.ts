/** The MCP endpoint of a served world, over streamable HTTP. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createMcpHandler, InMemoryServerEventBus, type ServerEvent } from '@modelcontextprotocol/server'
import type { AgentWorld } from './agent-world.ts'
import { LISTEN } from './catalogue.ts'
import { entitiesOf, followEntities } from './resources.ts'
import { createServer } from './server.ts'

/** Maximum size of a request body, in bytes: that of the API. */
const MAX_BODY = 65_536
/** Maximum number of open subscriptions. */
const MAX_SUBSCRIPTIONS = 256

/** An endpoint that answers requests, each with a world of its own. */
export interface Endpoint {
  /** Answers a request. `leave` is called once its subscription has ended, or at once if it opens none. */
  answer(request: Request, world: AgentWorld, name: string, leave?: () => void): Promise<Response>
}

/** Subscriber of a request: the start of the addresses it uses, and what to call at its end. */
interface Subscriber {
  base: string
  readonly leave: () => void
  isOpen?: boolean
}

/** Subscriber of the request that the SDK is answering, as it hands none to the bus. */
const subscribers = new AsyncLocalStorage<Subscriber>()

/** Creates the endpoint. `open` connects without a token, to learn what to tell subscribers. */
export function createEndpoint(open: AgentWorld['open'], maxSubscriptions = MAX_SUBSCRIPTIONS): Endpoint {
  const options = {
    bus: new FollowingBus(open),
    maxRequestBodySize: MAX_BODY,
    maxSubscriptions: Math.min(maxSubscriptions, MAX_SUBSCRIPTIONS),
  }
  const handler = createMcpHandler(({ authInfo, era }) => {
    const { world, name } = authInfo?.extra as { world: AgentWorld; name: string }
    return createServer([world], name, era)
  }, options)
  return {
    async answer(request, world, name, leave = () => {}) {
      // The SDK only passes `authInfo` through, so it carries what belongs to this request alone.
      const authInfo = { token: '', clientId: '', scopes: [], extra: { world, name } }
      const subscriber: Subscriber = { base: '', leave }
      try {
        if (request.headers.get('mcp-method') === LISTEN) subscriber.base = entitiesOf(await world.open())
        return await subscribers.run(subscriber, () => handler.fetch(request, { authInfo }))
      } finally {
        if (!subscriber.isOpen) leave()
      }
    },
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
    const subscriber = subscribers.getStore() as Subscriber
    subscriber.isOpen = true
    const unsubscribe = super.subscribe((event) =>
      listener('uri' in event ? { ...event, uri: subscriber.base + event.uri } : event),
    )
    if (this.listenerCount === 1) {
      this.#following = new AbortController()
      const updated = (uri: string) => this.publish({ kind: 'resource_updated', uri })
      void followEntities(this.#open, { updated, failed() {} }, this.#following.signal)
    }
    return () => {
      unsubscribe()
      subscriber.leave()
      if (this.listenerCount === 0) this.#following?.abort()
    }
  }
}
