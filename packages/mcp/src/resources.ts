/** Entities of worlds as resources, at the addresses that the API gives them. */
import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { isWorldError, type World } from '@worldwright/client'
import { type AgentWorld, openWorlds } from './agent-world.ts'
import { jsonText } from './text.ts'

/** Subscriptions of a connection. Clients of 2025 name the addresses; later ones leave them to the transport. */
export interface Subscriptions {
  readonly wanted: Set<string>
  /** Begins to follow the worlds, at the first use of a resource. */
  begin(): void
}

/** Registers a template for the entities of each world. Entities are too many to be listed. */
export function registerResources(
  server: Server,
  worlds: readonly AgentWorld[],
  subscriptions?: Subscriptions,
): void {
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: (await openWorlds(worlds)).map(({ world, name }) => ({
      uriTemplate: `${entitiesOf(world)}{type}/{id}`,
      name: `entities of ${name}`,
      mimeType: 'application/json',
    })),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    subscriptions?.begin()
    const entity = await entityAt(worlds, uri, signal)
    return { contents: [{ uri, mimeType: 'application/json', text: jsonText(entity) }] }
  })
  if (subscriptions === undefined) return
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    subscriptions.wanted.add(uri)
    subscriptions.begin()
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscriptions.wanted.delete(uri)
    return {}
  })
}

function entitiesOf({ document }: World): string {
  return `${document.endpoints.api.replace(/\/?$/, '/')}entities/`
}

async function entityAt(worlds: readonly AgentWorld[], uri: string, signal: AbortSignal) {
  for (const { world } of await openWorlds(worlds)) {
    const base = entitiesOf(world)
    const [, type, id] =
      /^([^/?#]+)\/([^/?#]+)$/.exec(uri.startsWith(base) ? uri.slice(base.length) : '') ?? []
    if (type === undefined || id === undefined) continue
    try {
      return await world.get(decodeURIComponent(type), decodeURIComponent(id), { signal })
    } catch (error) {
      if (isWorldError(error) && ![0, 400, 404].includes(error.status)) throw error
    }
  }
  throw new ResourceNotFoundError(uri)
}

/** Reports the addresses of entities that change from now on, until the signal is aborted. */
export async function followEntities(
  open: AgentWorld['open'],
  updated: (uri: string) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const world = await open()
    for await (const { type, id } of world.changes({ since: 'now', signal }))
      updated(`${entitiesOf(world)}${encodeURIComponent(type)}/${encodeURIComponent(id)}`)
  } catch (error) {
    // A world without changes has no news, and an expired offset cannot be resumed.
    if (!isWorldError(error)) throw error
  }
}
