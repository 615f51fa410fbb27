/** Log of a memory world: each entity or tombstone once, in the order of its last change. */
import { EVENT_STREAM } from '../live-events.ts'
import { type Entity, isObject } from '../protocol.ts'
import { byName } from './memory-values.ts'

interface Row extends Pick<Entity, 'type' | 'id'> {
  readonly number: number
  /** Current state, or undefined for a tombstone. */
  readonly entity: Entity | undefined
}

/** Entities of a memory world, and the changes that led to them. */
export class MemoryLog {
  readonly types: Set<string>
  readonly #rows = new Map<string, Row>()
  readonly #revisions = new Map<string, string>()
  readonly #streams = new Set<() => void>()
  #last = 0

  /** Creates the log of a world with these types and entities. */
  constructor(types: readonly string[] = [], entities: readonly Entity[] = []) {
    this.types = new Set(types)
    for (const entity of entities) this.put(entity)
  }

  /** Position after the last change. */
  get position(): string {
    return `memory-${this.#last}`
  }

  /** Returns all entities, ordered by type and id. */
  entities(): Entity[] {
    return [...this.#rows.values()].flatMap(({ entity }) => entity ?? []).sort(byName)
  }

  /** Returns an entity, or undefined if it does not exist. */
  get(type: string, id: string): Entity | undefined {
    return this.#rows.get(key(type, id))?.entity
  }

  /** Adds or replaces an entity. Its revision depends only on its content. */
  put({ revision: _, ...content }: Entity): 'created' | 'changed' | 'unchanged' {
    const { type, id } = content
    const text = JSON.stringify(content, (_, value) =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    )
    const revision = this.#revisions.get(text) ?? `r${this.#revisions.size + 1}`
    this.#revisions.set(text, revision)
    const before = this.get(type, id)
    if (before?.revision === revision) return 'unchanged'
    this.types.add(type)
    this.#append(type, id, structuredClone({ ...content, revision }))
    return before ? 'changed' : 'created'
  }

  /** Removes an entity. Returns false if it does not exist. */
  delete(type: string, id: string): boolean {
    const exists = this.get(type, id) !== undefined
    if (exists) this.#append(type, id, undefined)
    return exists
  }

  /** Returns the page of changes that a query string requests, or undefined if its offset is not valid for its types. */
  page(query: URLSearchParams, limit = Number(query.get('limit') ?? 100)) {
    const since = query.get('since')
    const types = query.get('types')?.split(',').sort()
    const scope = `@${types ?? ''}`
    const given = since?.endsWith(scope) ? Number(since.slice(0, -scope.length)) : Number.NaN
    const after = since === null ? 0 : since === 'now' ? this.#last : given
    if (!(after <= this.#last)) return undefined
    const newer = [...this.#rows.values()].filter(
      ({ number, type }) => number > after && (types?.includes(type) ?? true),
    )
    const more = newer.length > limit
    const last = more ? (newer[limit - 1]?.number ?? after) : this.#last
    return {
      changes: newer.slice(0, limit).map(({ type, id, number, entity }) => ({
        ...(entity ? { op: 'put', revision: entity.revision } : { op: 'delete' }),
        ...{ type, id, position: `memory-${number}`, next: `${number}${scope}` },
        ...(query.get('entities') === 'true' && entity && { entity }),
      })),
      ...{ next: `${last}${scope}`, more, position: `memory-${last}`, earliest: 'memory-0' },
    }
  }

  /** Returns an event stream of the changes after the offset in a query string, and of new ones as they happen. */
  stream(query: URLSearchParams): Response {
    let send = () => {}
    const body = new ReadableStream<Uint8Array>({
      start: (out) => {
        send = () => {
          const page = this.page(query, Number.POSITIVE_INFINITY)
          if (!page) return
          const { changes, ...state } = page
          query.set('since', state.next)
          const events = [...changes.map((change) => event('change', change)), event('position', state)]
          out.enqueue(new TextEncoder().encode(events.join('')))
        }
        send()
        this.#streams.add(send)
      },
      cancel: () => void this.#streams.delete(send),
    })
    return new Response(body, { headers: { 'content-type': EVENT_STREAM } })
  }

  #append(type: string, id: string, entity: Entity | undefined): void {
    this.#rows.delete(key(type, id))
    this.#rows.set(key(type, id), { type, id, number: ++this.#last, entity })
    for (const send of this.#streams) send()
  }
}

function key(type: string, id: string): string {
  return JSON.stringify([type, id.normalize()])
}

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
