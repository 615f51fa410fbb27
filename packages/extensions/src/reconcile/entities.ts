/** Entities of a service as its clients see them: names, properties, suggestions, cells and previews. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Entity, EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type { Mount, QueryReader, WorldRequest } from '@worldwright/core'
import { DISCOVER_DEFAULT, DISCOVER_MAX, SEARCH_BUDGET_MS } from '@worldwright/core'
import type { Found, Query } from '@worldwright/core/store'
import { titlesOf } from '../pages/entity-page.ts'
import { html } from '../pages/html.ts'
import { nameOf, shortText, typeName } from '../pages/seen-text.ts'
import { attributesHtml, keyOf, referenceIn } from '../pages/values.ts'
import { valuesAt } from '../query/projection.ts'
import { wordsOf } from './names.ts'
import { propertiesOf, readExtension } from './read-queries.ts'

/** Reconciliation service for a type, handling one request. `signal` is aborted when the request ends or times out. */
export interface Service extends Pick<Mount, 'world' | 'source' | 'origin' | 'apiUrl'> {
  readonly view: string | undefined
  readonly type: EntityTypeDescription
  readonly request: WorldRequest
  readonly signal: AbortSignal
}

/** Returns an entity, or undefined if there is none. Yields to other requests first. Rejects if the request has ended. */
export async function entityOf({ source, type, signal }: Service, id: string) {
  await turn(undefined, { signal })
  const found = await source.get(type.type, id, { signal })
  return found && (JSON.parse(found.json) as Entity)
}

/** Finds entities by id, condition and text, without duplicates. `partial` is true if the search was cut short. */
export async function searched(service: Service, { text = '', where, limit }: Omit<Query, 'budgetMs'>) {
  const { world, type, signal } = service
  const { client } = service.request
  const asked = { text, limit, types: [type.type], budgetMs: SEARCH_BUDGET_MS, signal, client }
  const own = await entityOf(service, text)
  const found: Found[] = where ? [await world.find({ ...asked, where })] : []
  if (text !== '' || where === undefined) found.push(await world.discover(asked))
  const hits = found.flatMap((one) => one.hits.map(({ json }): Entity => JSON.parse(json)))
  const entities = new Map([...(own ? [own] : []), ...hits].map((entity) => [entity.id, entity]))
  return { entities: [...entities.values()], partial: found.some(({ partial }) => partial) }
}

/** Returns an entity's id, name and description for lists. */
export function labelled(entity: Entity): JsonObject {
  const description = entity.summary && shortText(entity.summary, 200)
  return { id: entity.id, name: nameOf(entity), ...(description && { description }) }
}

/** Returns a function that reads the cells of an entity at a path. References to types other than `target` become names. */
export async function cellsIn({ source, signal }: Service, entity: Entity) {
  const titles = await titlesOf(entity.attributes, source, { signal })
  return (path: readonly string[], target?: string) => {
    const values = valuesAt(entity.attributes, path).filter((value) => value !== null)
    return values.map((value): JsonObject => {
      const link = referenceIn(value)
      const name = link && (titles.get(keyOf(link)) ?? link.id)
      if (link && name && (target ?? link.type) === link.type) return { id: link.id, name }
      if (typeof value === 'number') return Number.isInteger(value) ? { int: value } : { float: value }
      return { str: name ?? (typeof value === 'string' ? value : JSON.stringify(value)) }
    })
  }
}

/** Suggests entries of a kind that match `prefix`, skipping the first `cursor`. @throws WorldFault `invalid_parameter` */
export async function suggested(service: Service, kind: string, form: QueryReader): Promise<JsonObject> {
  const [text = '', skipped = 0] = [form.single('prefix'), form.count('cursor')]
  form.finish()
  const { type } = service
  const limit = Math.min(skipped + DISCOVER_DEFAULT, DISCOVER_MAX)
  if (kind === 'entity') {
    const { entities } = await searched(service, { text, limit })
    return { result: entities.slice(skipped, limit).map(labelled) }
  }
  const begin = ` ${wordsOf(text).join(' ')}`
  const all = (
    kind === 'type' ? [{ id: type.type, name: typeName(type) }] : [...propertiesOf(type).values()]
  ).filter(({ id, name }) => id.startsWith(text) || ` ${wordsOf(name).join(' ')}`.includes(begin))
  return { result: all.slice(skipped, limit).map(({ id, name }) => ({ id, name })) }
}

/** Answers a data extension query. `urlOf` returns the service URL of a type. */
export async function extended(service: Service, query: string, urlOf: (type: string) => string) {
  const { ids, properties } = readExtension(query, service.type)
  const types = await service.world.types()
  const entities = await Array.fromAsync(ids, (id) => entityOf(service, id))
  const readers = await Array.fromAsync(entities, async (entity) => entity && cellsIn(service, entity))
  const columns = properties.map(({ id, name, path }) => {
    const values = entities.flatMap((entity) => (entity ? valuesAt(entity.attributes, path) : []))
    const referred = new Set(values.map((value) => referenceIn(value)?.type))
    const target = types.find(({ type }) => referred.has(type))
    const type = target && { id: target.type, name: typeName(target) }
    const elsewhere = type && type.id !== service.type.type && { service: urlOf(type.id) }
    const cells = readers.map((cellsAt) => cellsAt?.(path, type?.id) ?? [])
    return { meta: { id, name, ...(type && { type }), ...elsewhere }, cells }
  })
  const row = (at: number) => columns.map(({ meta, cells }) => [meta.id, cells[at] ?? []] as const)
  const rows = ids.map((id, at) => [id, Object.fromEntries(row(at))] as const)
  return { meta: columns.map(({ meta }) => meta), rows: Object.fromEntries(rows) }
}

/** Renders an entity's preview, a page without scripts. @throws WorldFault `entity_not_found` */
export async function previewOf({ world, source, type, signal }: Service, id: string) {
  const entity: Entity = JSON.parse((await world.get(type.type, id, { signal })).json)
  const titles = await titlesOf(entity.attributes, source, { signal })
  const facts = attributesHtml(entity.attributes, type.schema, { titles, isExact: false })
  return html`<!doctype html><meta charset="utf-8"><base target="_blank"><title>${nameOf(entity)}</title>
<h1 dir="auto">${nameOf(entity)}</h1><p>${typeName(type)}</p><p dir="auto">${entity.summary}</p>${facts}`.text
}
