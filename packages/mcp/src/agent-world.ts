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

/** Time that a world has to connect before lists are made without it, and time until it is asked again, in milliseconds. */
export const [OPENING_MS, LEFT_OUT_MS] = [3_000, 10_000]

/** Times until which lists do without a world that failed. */
const leftOut = new WeakMap<AgentWorld, number>()

/** A world that an agent may ask. */
export interface AgentWorld {
  /** Value of the argument `world`: the host of its origin. */
  readonly name: string
  /** Returns the connected world. Called again for every call, so a failure is not kept. */
  open(): Promise<World>
  /** True if calls carry a token. Without one, only safe actions are offered. */
  readonly hasToken: boolean
}

/** A connected world, and what it declares. */
export interface OpenWorld extends Omit<AgentWorld, 'open'> {
  readonly world: World
  readonly title: string | undefined
  readonly description: unknown
  readonly types: readonly EntityTypeDescription[]
  /** Actions to offer as tools. */
  readonly actions: readonly ActionDescription[]
  /** Names of actions that cannot be offered: they write, and there is no token or they take no idempotency key. */
  readonly withheld: readonly string[]
  /** True if the world answers structured queries. */
  readonly hasQuery: boolean
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

/** Descriptions by document, as long as a world keeps its document. */
const described = new WeakMap<object, ReturnType<typeof descriptionFrom>>()

/** Connects to a world and reads its description. */
export async function openWorld({ name, open, hasToken }: AgentWorld): Promise<OpenWorld> {
  const world = await open()
  const { document } = world
  const description = described.get(document) ?? descriptionFrom(document, profileOf(world)?.names)
  described.set(document, description)
  const own = [DISCOVER_ACTION, QUERY_ACTION]
  const others = (description.actions?.value ?? []).filter((action) => !own.includes(action.name))
  const isOffered = ({ safe, idempotencyKey }: ActionDescription) =>
    safe === true || (hasToken && idempotencyKey === true)
  return {
    name,
    hasToken,
    world,
    title: description.name?.value,
    description: document.world?.description,
    types: description.entityTypes?.value ?? [],
    actions: others.filter(isOffered),
    withheld: others.filter((action) => !isOffered(action)).map((action) => action.name),
    hasQuery: QUERY_ACTION in Object(document.extensions),
  }
}

/** Connects to those of some worlds that answer in time. The others are left out, and not waited for again for a while. */
export async function openWorlds(worlds: readonly AgentWorld[]): Promise<OpenWorld[]> {
  const opened = await Promise.all(worlds.map(openInTime))
  return opened.filter((one) => one !== undefined)
}

async function openInTime(agentWorld: AgentWorld): Promise<OpenWorld | undefined> {
  if (performance.now() < (leftOut.get(agentWorld) ?? 0)) return undefined
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), OPENING_MS)
  const opened = await Promise.race([openWorld(agentWorld).catch(() => undefined), late.promise])
  clearTimeout(timer)
  if (opened === undefined) leftOut.set(agentWorld, performance.now() + LEFT_OUT_MS)
  return opened
}

/** Returns the attributes of a type that its schema declares, in its order. */
export function attributesOf({ schema }: EntityTypeDescription): Attribute[] {
  return Object.entries(Object(schema?.['properties'])).map(([name, declared]) => {
    const own = resolved(schema, declared)
    const inner = own['items'] === undefined ? own : resolved(schema, own['items'])
    const { type, id } = Object(inner['properties'])
    const target = resolved(schema, id === undefined ? undefined : type)
    const text = (...names: string[]) => names.map((one) => own[one]).find((one) => typeof one === 'string')
    const kind = [inner['format'] ?? inner['type'] ?? 'any'].flat().join('|')
    return {
      name,
      kind: own === inner ? kind : `list of ${kind}`,
      unit: text('x-unit', 'unit'),
      description: text('description', 'title'),
      values: Array.isArray(inner['enum']) ? inner['enum'] : undefined,
      refersTo: [inner['x-references'] ?? target['const'] ?? target['enum'] ?? []]
        .flat()
        .filter((one) => typeof one === 'string'),
    }
  })
}

/** Follows a reference to a definition, and returns an empty schema for anything that is not an object. */
function resolved(root: unknown, schema: unknown): JsonObject {
  if (!isObject(schema)) return {}
  const name = /^#\/\$defs\/([^/~]+)$/.exec(String(schema['$ref']))?.[1]
  return { ...(name !== undefined && Object(Object(root).$defs)[name]), ...schema }
}
