/** Reads a world that answers no queries into a world in memory that does. */
import { connect, type World } from '@worldwright/client'
import { parseExact } from '@worldwright/client/exact'
import { descriptionFrom, profileOf } from '@worldwright/client/foreign'
import {
  type Entity,
  type EntityList,
  type EntityTypeDescription,
  isObject,
  type JsonObject,
  typeFault,
} from '@worldwright/client/protocol'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { SchemaInference } from '@worldwright/entities/schemas'
import { query } from '@worldwright/extensions/query'
import { memorySearch } from '@worldwright/search/entities'
import { count, type Io, say, UsageFault, visible } from '@worldwright/serve/terminal'
import { ListReader } from '../mirror/list-reader.ts'
import { pathsIn, valuesAt } from './result-table.ts'

/** Default maximum number of entities to read, since they are kept in memory. */
export const WALK_LIMIT = 200_000

/**
 * Reads the types that a query names, or all, and those to which its paths lead, and returns a world of their entities.
 * @throws UsageFault if there are more than `limit` entities, or no types; WorldError if a list cannot be read to its end
 */
export async function walkedWorld(world: World, input: JsonObject, limit: number, io: Io): Promise<World> {
  const { id, entityTypes } = descriptionFrom(world.document, profileOf(world)?.names)
  const declared = new Map(entityTypes?.value.map((one) => [one.type, one]))
  const { types: named, similar } = input
  const more = isObject(similar) ? [similar['type']] : []
  const asked = Array.isArray(named) ? [...named, ...more].map(String) : [...declared.keys()]
  if (asked.length === 0)
    throw new UsageFault(
      'No entity types were recognised. Name them: --type prefix:name, or --names types=PATH',
    )
  const lines = new Map<string, Map<string, string>>()
  await read(world, new Set(asked), lines, limit, io)
  const describe = () => [...lines].map(([type, of]) => described(declared.get(type), type, of.values()))
  const behind = new Set(declared.keys()).intersection(typesBehind(pathsIn(input), lines, describe()))
  await read(world, behind.difference(lines), lines, limit, io)
  const store = createMemoryStore({ search: memorySearch })
  const { position } = await store.changes({ limit: 0 })
  const following = await store.follow?.()
  // Written as by a replica, so that the entities keep their times.
  for (const [type, of] of lines)
    for (const [id, json] of of) {
      const { revision = '' }: Entity = JSON.parse(json)
      await following?.add([{ type, id, position, entity: { type, id, revision, json } }])
    }
  await following?.commit({ position, earliest: position, versions: new Map() })
  const about = { id: id?.value ?? world.origin, types: describe(), publicUrl: world.origin }
  const answer = toFetch(createWorld({ ...about, store, extensions: [query()] }))
  return connect(world.origin, {
    parse: parseExact,
    fetch: async (url, init) => answer(new Request(url, init)),
  })
}

/** Reads types into `lines`: the JSON of their entities, by type and id. First reads one page of each type, for its total. */
async function read(
  world: World,
  types: ReadonlySet<string>,
  lines: Map<string, Map<string, string>>,
  limit: number,
  io: Io,
): Promise<void> {
  const before = [...lines.values()].reduce((sum, { size }) => sum + size, 0)
  const lists = [...types].map((type) => ({ type, list: new ListReader(world, type, false) }))
  const known = () => lists.reduce((sum, { list }) => sum + Math.max(list.total, list.read), 0)
  let isLeast = false
  const take = (type: string, list: ListReader, page: EntityList) => {
    const of = lines.get(type) ?? new Map()
    for (const [id, line] of list.take(page)) of.set(id, line)
    lines.set(type, of)
    isLeast ||= page.total === undefined
    if (before + known() <= limit) return
    const [number, most] = [before + known(), limit].map((one) => one.toLocaleString('en'))
    throw new UsageFault(
      `The types have at least ${number} entities, and --walk-limit is ${most}. Name fewer types with --type, or raise --walk-limit.`,
    )
  }
  const begun: { type: string; list: ListReader; pages: AsyncGenerator<EntityList> }[] = []
  for (const { type, list } of lists) {
    if (typeFault(type))
      throw new UsageFault(
        `${type} is not a type of the form prefix:name, so it cannot be queried. Name other types with --type`,
      )
    const pages = list.pages(io.signal)
    const { value } = await pages.next()
    if (value) take(type, list, value)
    begun.push({ type, list, pages })
  }
  if (begun.length === 0) return
  const number = `${isLeast ? 'at least ' : ''}${count(known(), 'entity', 'entities')}`
  say(io, visible(`Reading ${number} of ${count(begun.length, 'type')} of ${world.origin}.`))
  for (const { type, list, pages } of begun) {
    for await (const page of pages) take(type, list, page)
    list.end()
  }
}

/** Returns the description of a type with the schema that the world declares, or else one inferred from the entities. */
function described(
  { title, schema: own }: Partial<EntityTypeDescription> = {},
  type: string,
  lines: Iterable<string>,
): EntityTypeDescription {
  const about = { type, ...(typeof title === 'string' && { title }) }
  if (isObject(own) && ['properties', '$ref', 'allOf', 'anyOf', 'oneOf'].some((name) => name in own))
    return { ...about, schema: own }
  const inference = new SchemaInference()
  for (const line of lines) inference.add(JSON.parse(line).attributes)
  return { ...about, schema: inference.schema() }
}

/** Returns the types of the entities to which the beginnings of paths refer, by references or by ids. */
function typesBehind(
  paths: readonly (readonly string[])[],
  lines: ReadonlyMap<string, ReadonlyMap<string, string>>,
  types: readonly EntityTypeDescription[],
): Set<string> {
  const beginnings = paths.flatMap((path) => path.slice(1).map((_, at) => path.slice(0, at + 1)))
  if (beginnings.length === 0) return new Set()
  const ids = [...JSON.stringify(types).matchAll(/"x-references":"([^"]+)"/g)].map(([, type = '']) => type)
  const found = new Set(ids)
  for (const line of [...lines.values()].flatMap((of) => [...of.values()]))
    for (const value of beginnings.flatMap((path) => valuesAt(JSON.parse(line), path)))
      if (isObject(value) && 'id' in value && typeof value['type'] === 'string') found.add(value['type'])
  return found
}
