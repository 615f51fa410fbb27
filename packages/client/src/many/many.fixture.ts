/**
 * Several worlds in memory behind one `fetch`. For tests only; not published.
 */
import type { DiscoveryDocument, Entity } from '../protocol.ts'
import { type MemoryWorld, memoryWorld } from '../testing/memory-world.ts'
import type { WorldAnswer } from './merge.ts'

/** Creates a moon with a title. */
export function moon(id: string, title = id): Entity {
  return { type: 'sol:moon', id, title, attributes: { of: 'ice and ocean' } }
}

/** Creates a world at `https://NAME.example`, with the id `urn:NAME`, that has these moons. */
export function worldOf(name: string, moons: Entity[], document?: Partial<DiscoveryDocument>): MemoryWorld {
  return memoryWorld({
    origin: `https://${name}.example`,
    id: `urn:${name}`,
    entities: moons,
    ...(document && { document }),
  })
}

/** Creates a `fetch` for these worlds and, by host, for anything else. */
export function fetchOf(
  worlds: readonly MemoryWorld[],
  others: Record<string, (path: string, init: RequestInit) => unknown> = {},
) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    const { origin, host, pathname } = new URL(url)
    const world = worlds.find((world) => world.origin === origin)
    if (world) return world.fetch(url, init)
    const answer = await others[host]?.(pathname, init)
    if (answer === undefined) throw new TypeError(`there is no ${host}`)
    return answer instanceof Response ? answer : Response.json(answer)
  }
}

/** Creates the answers of a world of Level 1, whose `wp:discover` has this output. */
export function hostile(name: string, output: unknown, id = `urn:${name}`) {
  return (path: string) =>
    path.includes('well-known')
      ? {
          protocol: 'world/0.1',
          world: { id },
          endpoints: { api: `https://${name}.example/api` },
        }
      : { action: 'wp:discover', output }
}

/** Formats an answer as the host, the state, and the reason. */
export function shown({ origin, state, error, as }: WorldAnswer): string[] {
  return [new URL(origin).hostname.replace('.example', ''), state, error?.code ?? as ?? '']
}
