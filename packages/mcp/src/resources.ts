/** Entities of worlds as resources, at the addresses that the API gives them. */
import { setTimeout as pause } from 'node:timers/promises'
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server'
import { isWorldError, type World, type WorldError } from '@worldwright/client'
import { willPass } from '@worldwright/client/changes'
import { type AgentWorld, openWorlds } from './agent-world.ts'
import { jsonText, quoted, word } from './text.ts'

/** Time during which changes of an entity are one report, in milliseconds. */
const MERGED_MS = 1_000
/** Time until a world that could not be followed is tried again, in milliseconds. */
const RETRY_MS = 5_000
/** Number of changed entities at which reading on waits for their reports. */
const MOST_CHANGED = 1_000

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

/** Returns the start of the addresses of a world's entities. */
export function entitiesOf({ document }: World): string {
  return `${document.endpoints.api.replace(/\/?$/, '/')}entities/`
}

async function entityAt(worlds: readonly AgentWorld[], uri: string, signal: AbortSignal) {
  for (const { world, hasToken } of await openWorlds(worlds)) {
    const base = entitiesOf(world)
    const [, type, id] =
      /^([^/?#]+)\/([^/?#]+)$/.exec(uri.startsWith(base) ? uri.slice(base.length) : '') ?? []
    if (type === undefined || id === undefined) continue
    try {
      return await world.get(decodeURIComponent(type), decodeURIComponent(id), { signal })
    } catch (error) {
      if (isWorldError(error) && ![0, 400, 404].includes(error.status)) throw unread(error, hasToken)
    }
  }
  throw new ResourceNotFoundError(uri)
}

/** Returns the failure of a world as one of the protocol, with what to do about it. */
function unread({ code, status, message }: WorldError, hasToken: boolean): ProtocolError {
  const needs = hasToken
    ? 'The token does not allow this.'
    : 'This needs a token, which this server was not given.'
  const advice = status === 401 || status === 403 ? needs : 'The world could not answer. Try again later.'
  const text = `${word(code)}: ${quoted(message, 300)} ${advice}`
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, text)
}

/** Listener to changed entities: `updated` hears `type/id` of each, as in addresses, and `failed` hears faults. */
export interface Listener {
  updated(path: string, base: string): unknown
  failed(error: Error): void
}

/**
 * Reports the entities that change from now on, until the signal is aborted. Changes of a second are one report for each
 * entity, and the next ones wait until it is sent. Never rejects.
 */
export async function followEntities(
  open: AgentWorld['open'],
  { updated, failed }: Listener,
  signal: AbortSignal,
): Promise<void> {
  const changed = new Set<string>()
  let telling: Promise<void> | undefined
  try {
    const world = await open()
    const tell = async () => {
      while (changed.size > 0) {
        await new Promise((resolve) => setTimeout(resolve, MERGED_MS))
        const paths = signal.aborted ? [] : [...changed]
        changed.clear()
        for (const path of paths) await updated(path, entitiesOf(world))
      }
    }
    for await (const { type, id } of world.changes({ since: 'now', signal })) {
      // A name that is not well-formed has no address.
      if (!type.isWellFormed() || !id.isWellFormed()) continue
      changed.add(`${encodeURIComponent(type)}/${encodeURIComponent(id)}`)
      telling ??= tell()
        .catch(failed)
        .finally(() => {
          telling = undefined
        })
      if (changed.size >= MOST_CHANGED) await telling
    }
  } catch (error) {
    if (!isWorldError(error)) return failed(error as Error)
    // A world without changes has no news, and an expired offset cannot be resumed. Any other failure may pass.
    if (signal.aborted || !willPass(error)) return
    await pause(RETRY_MS, undefined, { signal }).catch(() => {})
    await followEntities(open, { updated, failed }, signal)
  }
}
