/** Types and entities of worlds as resources, at the addresses that the API gives them. */

import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { isWorldError, type World } from '@worldwright/client'
import { type AgentWorld, type OpenWorld, openWorld } from './agent-world.ts'
import { answerText, BUDGET } from './answer.ts'
import { typeCard } from './describe-world.ts'
import { entityJson, word } from './text.ts'

/** Returns the address of a type, or of an entity. */
export function resourceUri({ document }: World, type: string, id?: string): string {
  const names = id === undefined ? [type] : [type, id]
  return `${document.endpoints.api.replace(/\/?$/, '/')}entities/${names.map(encodeURIComponent).join('/')}`
}

/** Subscriptions of a connection. Clients of 2025 name the addresses; later ones leave them to the transport. */
export interface Subscriptions {
  readonly wanted: Set<string>
  /** Begins to follow the worlds, at the first use of a resource. */
  begin(): void
}

/** Registers the resources of these worlds: a card for each type, and a template for entities. */
export function registerResources(
  server: Server,
  worlds: readonly AgentWorld[],
  subscriptions?: Subscriptions,
): void {
  const opened = async () => {
    const all = await Promise.allSettled(worlds.map(openWorld))
    return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  }
  server.setRequestHandler('resources/list', async () => ({
    resources: (await opened()).flatMap(({ world, types }) =>
      types.map(({ type }) => ({ uri: resourceUri(world, type), name: word(type), mimeType: 'text/plain' })),
    ),
  }))
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: (await opened()).map(({ world, name }) => ({
      uriTemplate: `${resourceUri(world, '')}{type}/{id}`,
      name: `entities of ${word(name)}`,
      mimeType: 'application/json',
    })),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    subscriptions?.begin()
    return { contents: [{ uri, ...(await contentOf(await opened(), uri, mcpReq.signal)) }] }
  })
  if (subscriptions === undefined) return
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    subscriptions.wanted.add(uri)
    subscriptions.begin()
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    subscriptions.wanted.delete(uri)
    return {}
  })
}

async function contentOf(worlds: readonly OpenWorld[], uri: string, signal: AbortSignal) {
  for (const on of worlds) {
    const base = resourceUri(on.world, '')
    const names = uri.startsWith(base) && URL.canParse(uri) ? uri.slice(base.length).split('/') : []
    const [type = '', id, ...others] = names.map(decoded)
    if (type === '' || others.length > 0) continue
    if (id === undefined && on.types.some((one) => one.type === type)) {
      const card = await typeCard({ on, args: {}, signal }, type)
      return { mimeType: 'text/plain', text: answerText(on.name, card, BUDGET) }
    }
    if (id === undefined) continue
    const entity = await on.world.get(type, id, { signal }).catch((error) => {
      if (isWorldError(error) && (error.status === 404 || error.status === 400))
        throw new ResourceNotFoundError(uri)
      throw error
    })
    return { mimeType: 'application/json', text: entityJson(entity) }
  }
  throw new ResourceNotFoundError(uri)
}

function decoded(component: string): string {
  try {
    return decodeURIComponent(component)
  } catch {
    return ''
  }
}

/** Reports the addresses of entities that change from now on, until the signal is aborted. Never rejects. */
export async function followEntities(
  open: AgentWorld['open'],
  updated: (uri: string) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const world = await open()
    for await (const { type, id } of world.changes({ since: 'now', signal }))
      updated(resourceUri(world, type, id))
  } catch (error) {
    // A world without changes has no news, and an expired offset cannot be resumed.
    if (!isWorldError(error)) throw error
  }
}
