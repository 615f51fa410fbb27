import { connect, type World } from '@worldwright/client'
import { parseExact } from '@worldwright/client/exact'
import { descriptionFrom, profileOf } from '@worldwright/client/foreign'
import {
  type EntityList,
  type EntityTypeDescription,
  isObject,
  type JsonObject,
  typeFault,
} from '@worldwright/client/protocol'
import { ListReader } from '@worldwright/extensions/list-reader'
import { queriedWorld, typesOf } from '@worldwright/extensions/queried-world'
import { count, type Io, say, UsageFault, visible } from '@worldwright/serve/terminal'
import { pathsIn, valuesAt } from './result-table.ts'

/**
 * Reads the types that a query names, or all, and those to which its paths lead, and returns a world of their entities.
 * @throws UsageFault if there are more than `limit` entities, or no types; WorldError if a list cannot be read to its end
 */
export async function walkedWorld(world: World, input: JsonObject, limit: number, io: Io): Promise<World> {
  const { id, entityTypes } = descriptionFrom(world.document, profileOf(world)?.names)
  const types = entityTypes?.value ?? []
  const declared = new Set(types.map(({ type }) => type))
  const { types: named, similar } = input
  const more = isObject(similar) ? [similar['type']] : []
  const asked = Array.isArray(named) ? [...named, ...more].map(String) : [...declared]
  if (asked.length === 0)
    throw new UsageFault(
      'No entity types were recognised. Name them: --type prefix:name, or --names types=PATH',
    )
  const lines = new Map<string, Map<string, string>>()
  await read(world, new Set(asked), lines, limit, io)
  const behind = declared.intersection(typesBehind(pathsIn(input), lines, typesOf({ types, lines })))
  await read(world, behind.difference(lines), lines, limit, io)
  const answer = await queriedWorld({ id: id?.value ?? world.origin, origin: world.origin, types, lines })
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
