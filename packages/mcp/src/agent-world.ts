/** Worlds as an agent meets them: connected, with what their discovery documents say under our names. */
import type { World } from '@worldwright/client'
import { descriptionFrom, profileOf } from '@worldwright/client/foreign'
import {
  type ActionDescription,
  DISCOVER_ACTION,
  type EntityTypeDescription,
  isObject,
  type JsonObject,
} from '@worldwright/client/protocol'
import { QUERY_ACTION } from '@worldwright/client/query'

/** A world that an agent may ask. */
export interface AgentWorld {
  /** Value of the argument `world`: the host of its origin. */
  readonly name: string
  /** Returns the connected world. Called again for every request, so a failure is not kept. */
  open(): Promise<World>
  /** True if calls carry a token. Without one, only safe actions are offered. */
  readonly hasToken: boolean
}

/** A connected world, and what it declares. */
export interface OpenWorld {
  readonly name: string
  readonly world: World
  readonly title: string | undefined
  readonly description: string | undefined
  readonly types: readonly EntityTypeDescription[]
  /** Actions to offer as tools. */
  readonly actions: readonly ActionDescription[]
  /** Names of actions that cannot be offered: they write, and there is no token or they take no idempotency key. */
  readonly withheld: readonly string[]
  /** True if the world answers structured queries. */
  readonly hasQuery: boolean
  readonly hasToken: boolean
}

/** An attribute of a type, as far as its schema describes it. */
export interface Attribute {
  readonly name: string
  readonly kind: string
  readonly unit: string | undefined
  readonly description: string | undefined
  readonly values: readonly unknown[] | undefined
  readonly refersTo: readonly string[]
}

/** Connects to a world and reads its description. */
export async function openWorld({ name, open, hasToken }: AgentWorld): Promise<OpenWorld> {
  const world = await open()
  const { name: title, entityTypes, actions } = descriptionFrom(world.document, profileOf(world)?.names)
  const own = [DISCOVER_ACTION, QUERY_ACTION]
  const others = (actions?.value ?? []).filter((action) => !own.includes(action.name))
  const isOffered = ({ safe, idempotencyKey }: ActionDescription) =>
    safe === true || (hasToken && idempotencyKey === true)
  const description: unknown = world.document.world?.description
  return {
    name,
    world,
    title: title?.value,
    description: typeof description === 'string' ? description : undefined,
    types: entityTypes?.value ?? [],
    actions: others.filter(isOffered),
    withheld: others.filter((action) => !isOffered(action)).map((action) => action.name),
    hasQuery: isObject(world.document.extensions) && QUERY_ACTION in world.document.extensions,
    hasToken,
  }
}

/** Returns the attributes of a type that its schema declares, in its order. */
export function attributesOf({ schema }: EntityTypeDescription): Attribute[] {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties).map(([name, declared]) => {
    const own = resolved(schema, declared)
    const items = resolved(schema, own['items'])
    const inner = own['items'] === undefined ? own : items
    const { type, id } = isObject(inner['properties']) ? inner['properties'] : {}
    const refersTo = type !== undefined && id !== undefined ? textsIn(resolved(schema, type)) : []
    return {
      name,
      kind: kindOf(own, inner),
      unit: [own['x-unit'], own['unit']].find((unit) => typeof unit === 'string'),
      description: [own['description'], own['title']].find((text) => typeof text === 'string'),
      values: Array.isArray(inner['enum']) ? inner['enum'] : undefined,
      refersTo: typeof inner['x-references'] === 'string' ? [inner['x-references']] : refersTo,
    }
  })
}

function kindOf(own: JsonObject, inner: JsonObject): string {
  const kind = [inner['format'] ?? inner['type'] ?? 'any'].flat().join('|')
  return own === inner ? kind : `list of ${kind}`
}

/** Follows a local `$ref`, and returns an empty schema for anything else that is not an object. */
function resolved(root: unknown, schema: unknown): JsonObject {
  if (!isObject(schema)) return {}
  const name = /^#\/\$defs\/([^/~]+)$/.exec(String(schema['$ref']))?.[1]
  const defs = isObject(root) ? root['$defs'] : undefined
  const target = name !== undefined && isObject(defs) ? defs[name] : undefined
  return isObject(target) ? { ...target, ...schema } : schema
}

/** Returns the values of a schema that has one, or some. */
function textsIn({ const: one, enum: some }: JsonObject): string[] {
  return [one ?? some ?? []].flat().filter((value) => typeof value === 'string')
}
