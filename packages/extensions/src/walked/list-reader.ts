/** Reads the list of a type to its end, as JSON, and refuses lists that cannot be read whole. */
import { type Entity, type EntityList, type World, WorldError } from '@worldwright/client'
import { hasRepeatedKey, jsonLineOf } from '@worldwright/client/exact'
import { interpretationOf } from '@worldwright/client/foreign'
import { addressFault, isObject } from '@worldwright/client/protocol'

/** Maximum page size to request, even if the world allows more. */
const PAGE_SIZE = 1_000

/** The list of one type. Its pages are passed to `take` in order, and then `end` is called. */
export class ListReader {
  /** Paths of members that were lost in the conversion of entities. */
  readonly unused = new Set<string>()
  /** Highest total of the pages so far. */
  total = 0
  readonly #world: World
  readonly #type: string
  readonly #keepsReceived: boolean
  readonly #seen = new Set<string>()

  /** @param keepsReceived set to keep an entity as received if its type, id and attributes have our names */
  constructor(world: World, type: string, keepsReceived: boolean) {
    this.#world = world
    this.#type = type
    this.#keepsReceived = keepsReceived
  }

  /** Number of different entities so far. */
  get read(): number {
    return this.#seen.size
  }

  /** Requests the pages of the list. */
  async *pages(signal: AbortSignal): AsyncGenerator<EntityList> {
    yield* this.#world.entities(this.#type, { pageSize: pageSizeOf(this.#world) }, { signal }).pages()
  }

  /**
   * Returns the JSON of each entity on a page, by id.
   * @throws WorldError `invalid_response` for entities that have no valid or unique name, or lose members; `pagination_loop`
   */
  take({ entities, total = 0 }: EntityList): ReadonlyMap<string, string> {
    const type = this.#type
    this.total = Math.max(this.total, total)
    const had = this.#seen.size
    const lines = new Map<string, string>()
    for (const entity of entities) {
      requireName(entity.type, entity.id, this.#world.origin)
      if (entity.type !== type)
        throw new WorldError('invalid_response', `The list of ${type} holds an entity of ${entity.type}.`)
      const line = this.#lineOf(entity)
      const { id } = entity
      const isGuess = interpretationOf(entity)?.found['id']?.certainty === 'likely'
      // The list may move during the walk, so that an entity is on two pages. A guessed id may be another member.
      if ((isGuess && this.#seen.has(id)) || (lines.get(id) ?? line) !== line) {
        const message = `The list of ${type} has several entities with the id ${id}. If that is no id, name it: --names id=PATH`
        throw new WorldError('invalid_response', message)
      }
      this.#seen.add(id)
      lines.set(id, line)
    }
    // The page has a new cursor but no new entity, so the walk might never end.
    if (entities.length > 0 && this.#seen.size === had)
      throw new WorldError('pagination_loop', `The list of ${type} gives the same entities again and again.`)
    return lines
  }

  /** Throws `invalid_response` if entities are missing. */
  end(): void {
    requireWhole(this.#type, this.read, this.total)
  }

  /**
   * Returns the JSON of an entity: as received if it uses our member names, otherwise converted to them.
   * @throws WorldError `invalid_response` if the conversion would lose a repeated key, or members and all attributes
   */
  #lineOf(entity: Entity): string {
    const { type, id } = entity
    const body = interpretationOf(entity)?.body
    const isOurs =
      isObject(body) && body['type'] === type && body['id'] === id && isObject(body['attributes'])
    const isWhole = isOurs && body['title'] === entity.title && body['summary'] === entity.summary
    if (isWhole || (isOurs && this.#keepsReceived)) return jsonLineOf(body)
    if (hasRepeatedKey(body)) {
      const message = `The entity ${type} ${id} has a key twice, and its conversion would lose one of the values. Tell the operator of the world.`
      throw new WorldError('invalid_response', message, { details: { type, id } })
    }
    const lost = unusedInItem(entity)
    if (lost.length > 0 && Object.keys(entity.attributes).length === 0)
      throw new WorldError(
        'invalid_response',
        `No attributes were recognised in ${id} of ${type}. Its members: ${lost.join(', ')}. Name them: --names attributes=PATH`,
      )
    for (const path of lost) this.unused.add(path)
    return jsonLineOf(entity)
  }
}

/** Returns the page size to request from a world; undefined if it states no maximum. */
export function pageSizeOf({ document: { limits } }: World): number | undefined {
  const list = isObject(limits) ? limits['list'] : undefined
  const max = isObject(list) ? list['max'] : undefined
  return typeof max === 'number' && max >= 1 ? Math.min(Math.floor(max), PAGE_SIZE) : undefined
}

/** Throws `invalid_response` if a walk read fewer entities of a type than the highest total of its pages. */
export function requireWhole(type: string, read: number, total: number): void {
  if (read >= total) return
  throw new WorldError(
    'invalid_response',
    `The list of ${type} ended after ${read} of ${total} entities. Try again, as it may have changed. If ${total} is not its total, name the total: --names total=PATH`,
  )
}

/** @throws WorldError `invalid_response` for a type or an id that is invalid in every world */
export function requireName(type: unknown, id: unknown, url: string): void {
  for (const [member, text] of Object.entries({ type, id }))
    if (typeof text !== 'string' || addressFault(text) !== undefined)
      throw new WorldError('invalid_response', `An entity has no ${member} that can be one.`, {
        url,
        details: { member },
      })
}

/** Returns the paths of members of the received item that `entity` lacks at any path and that its conversion did not use. */
export function unusedInItem(entity: Entity): string[] {
  const { body, found } = interpretationOf(entity) ?? { body: entity, found: {} }
  const kept = new Set(leavesIn(entity).map(({ mark }) => mark))
  const used = new Set(Object.values(found).map((part) => JSON.stringify(part?.value)))
  const isLost = ({ mark, value }: Leaf) => !kept.has(mark) && !used.has(JSON.stringify(value))
  return leavesIn(body)
    .filter(isLost)
    .map(({ path }) => path)
}

interface Leaf {
  readonly path: string
  readonly value: unknown
  /** Name and value, which a leaf keeps if it is moved. */
  readonly mark: string
}

/** Returns the texts, numbers and truth values in a value, except at the paths in `without`. Items share the path of their array. */
export function leavesIn(value: unknown, without: readonly string[] = [], path = '', name = ''): Leaf[] {
  if (value === null || value === undefined || without.includes(path)) return []
  if (Array.isArray(value)) return value.flatMap((item) => leavesIn(item, without, path, name))
  if (!isObject(value)) return [{ path, value, mark: `${name} ${JSON.stringify(value)}` }]
  const inner = Object.entries(value)
  return inner.flatMap(([key, one]) => leavesIn(one, without, path === '' ? key : `${path}.${key}`, key))
}
