/** The reading profile of the world under test: the engine of the client finds and proves the names of its members. */
import type { World } from '@worldwright/client'
import {
  connect,
  descriptionFrom,
  entityFrom,
  interpretationOf,
  type Known,
  listsIn,
  membersOf as membersIn,
  type Names,
  profileOf,
  READING,
  type ReadingProfile,
  valueAt,
  type WorldDescription,
} from '@worldwright/client/foreign'
import { type JsonObject, membersOf, written } from '../json/json.ts'
import type { Target } from './target.ts'

/** Maximum number of types whose lists the engine reads. */
const MOST_READ = 5
/** Minimum timeout for a call of the engine with its proofs, in milliseconds: for a busy machine. */
const CALL_MS = 120_000
/** Maximum number of requests that a call of the engine waits for. */
const MOST_AWAITED = 12
/** Maximum number of requests of the engine that nothing answers. Then it asks no more, and the checks report that. */
const MOST_UNANSWERED = 3

/** Returns the names that the caller gave. */
function givenNames({ options }: Target): Names {
  return { ...options.reading?.names, ...options.names }
}

/** Returns what the engine reads in a document, with the names that the caller gave. */
export function descriptionOf(target: Target, document: JsonObject): WorldDescription {
  return descriptionFrom(document, givenNames(target))
}

/** Returns the types that a document lists. */
export function listedTypes(target: Target, document: JsonObject): string[] {
  return descriptionOf(target, document).entityTypes?.value.map(({ type }) => type) ?? []
}

/**
 * Returns the profile, once per run: names that the caller gave, and names that the engine found. If the engine cannot read
 * the world, only the given names; the checks report why.
 */
export function profile(target: Target): Promise<ReadingProfile> {
  return target.once('profile', async () => {
    const { names, reading, type, timeout = 0 } = target.options
    const most = Math.max(CALL_MS, timeout * MOST_AWAITED)
    try {
      const { document } = await target.document()
      const world = await connect(target.origin, {
        fetch: fetchFor(target),
        // The wire has a timeout of its own. A slow world must not leave a name unproved.
        timeout: most,
        attemptTimeout: most,
        retries: 0,
        names,
        profile: reading,
      })
      const types = type === undefined ? listedTypes(target, document) : [type]
      // Whatever the engine cannot read, a check asks for and reports.
      for (const name of types.slice(0, MOST_READ)) if (await read(world, name).catch(() => false)) break
      return profileOf(world) as ReadingProfile
    } catch {
      const given = givenNames(target)
      return { profile: READING, names: given, proved: Object.keys(given) as (keyof Names)[] }
    }
  })
}

/** Reads two pages of a type, by which the engine proves names. Returns true if there were two pages. */
async function read(world: World, type: string): Promise<boolean> {
  let count = 0
  for await (const _ of world.entities(type, { pageSize: 1 }).pages()) {
    count += 1
    if (count === 2) return true
  }
  return false
}

/** Returns the names with which the engine reads bodies, once per run. A found one is tried first, a given one alone. */
export function known(target: Target): Promise<Known> {
  return target.once('known', async () => {
    const { names, proved } = await profile(target)
    const { document } = await target.document()
    const certainty = (name: string) => (proved.some((one) => one === name) ? 'proved' : 'likely')
    const paths = Object.entries(names).map(([name, path]) => [name, [{ path, certainty: certainty(name) }]])
    return {
      ...target.options.names,
      entity: names.entity,
      paths: Object.fromEntries(paths),
      declared: listedTypes(target, document),
    }
  })
}

/** Returns a `fetch` that sends the requests of the engine over the wire of the target. */
function fetchFor(target: Target): (url: string, init: RequestInit) => Promise<Response> {
  let unanswered = 0
  return async (url, { method = 'GET', headers = {}, body }) => {
    // Checks judge the document. The engine only reads it.
    if (url.endsWith('/.well-known/world.json'))
      return Response.json({ ...(await target.document()).document, protocol: 'world/0.1' })
    if (unanswered === MOST_UNANSWERED) throw new TypeError('nothing answers')
    const exchange = await target.follow(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { body }),
    })
    if (exchange.status === 0) unanswered += 1
    if (exchange.trouble !== undefined) throw new TypeError(exchange.trouble)
    const isBodyless = [204, 205, 304].includes(exchange.status)
    const response = new Response(isBodyless ? null : new Uint8Array(exchange.content), {
      status: exchange.status,
      headers: exchange.headers,
    })
    return Object.defineProperty(response, 'url', { value: url })
  }
}

/** Returns the path of the list in a body: the given one, else that of the profile, the engine's, or that of the only array. */
export function listPathIn(body: unknown, names: Known): string {
  const own = names.entities ?? names.paths?.entities?.[0]?.path ?? (Array.isArray(body) ? '' : 'entities')
  const value = valueAt(body, own)
  // Some languages serialize an empty list as `null`.
  if (names.entities !== undefined || value === null || Array.isArray(value)) return own
  const arrays = membersOf(body, 3).filter((one) => Array.isArray(one.value))
  const only = arrays.length === 1 ? written(arrays[0]?.path ?? []) : undefined
  return listsIn(body, names)[0]?.path ?? only ?? own
}

/** An item of a list, or the body of a single entity, as the engine reads it. */
export interface Entry {
  readonly raw: unknown
  /** Members of the entity, without a wrapper. */
  readonly members: JsonObject
  readonly id: string | undefined
  /** Type that a member of any name has, if the world declares it. */
  readonly type: string | undefined
  readonly title: string | undefined
}

/** Names of ids that need no proof: checks report that the world does not know such an id. */
const USUAL_IDS = /(^|\.)[_@$]?(id|identifier|uid|uuid|guid|key|slug)$/i

/** Reads an item. An id is taken only from a member of a usual name, or from one that is given or proved. */
export function entryFrom(raw: unknown, names: Known): Entry {
  const entity = entityFrom(raw, names)
  const { id, type } = interpretationOf(entity)?.found ?? {}
  const isPath = names.paths?.id?.[0]?.certainty !== 'proved' && !/[/:]/.test(entity.id)
  const isId = id?.certainty !== 'likely' || (isPath && USUAL_IDS.test(id.path))
  return {
    raw,
    members: membersIn(raw, names, ''),
    id: isId ? id && entity.id : undefined,
    type: names.declared?.find((name) => name === type?.value),
    title: entity.title,
  }
}
