/** A discovery document as the page reads it: only two of its members are specified, so no other is relied on. */
import type { World } from '@worldwright/client'
import { descriptionFrom, type Names } from '@worldwright/client/foreign'
import { isObject, member, textMember } from '../data/schema.ts'

/** An entity type with display texts. */
export type TypeProfile = Readonly<ReturnType<typeof typeProfile>>

/** An action with its display texts. */
export type ActionProfile = Readonly<ReturnType<typeof actionProfile>>

/** Everything the page knows about a world before it reads an entity. */
export type WorldProfile = Readonly<ReturnType<typeof profileOf>>

/** Returns the host of an origin, with its port: the name of a world that has none. */
export function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '')
}

/** Reports whether a host is the user's own machine: its address says nothing about the world. */
export function isOwnMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(host)
}

/** Number of hues that types are marked with. */
const HUES = 12

/** Converts a world's discovery document, with names given by hand, to the profile that pages show. */
export function profileOf(world: World, names: Names = {}) {
  const { document, origin } = world
  const host = hostOf(origin)
  const { id, name, entityTypes, actions } = descriptionFrom(document, names)
  const types = (entityTypes?.value ?? []).map((entry, index) => typeProfile(entry.type, entry, index))
  return {
    origin,
    /** The host, without a scheme: the name of a world that has none, and no types either. */
    host,
    name: name?.value ?? nameFromTypes(types) ?? host,
    description: textMember(document.world, 'description') ?? textMember(document, 'description'),
    id: id?.value,
    /** Terms of use of its data, and attribution, in its author's words. */
    license: textMember(document.world, 'license'),
    attribution: textMember(document.world, 'attribution'),
    api: document.endpoints.api,
    protocol: document.protocol,
    revision: textMember(document, 'revision'),
    types,
    actions: (actions?.value ?? []).map((entry) => actionProfile(entry.name, entry)),
    /** True if the document was recognised to list types, and actions, though perhaps none. */
    knowsTypes: entityTypes !== undefined,
    knowsActions: actions !== undefined,
    /** Limits that the world declares, as `list.max` and value. */
    limits: flattened(document.limits),
    extensions: Object.entries(isObject(document.extensions) ? document.extensions : {}),
    needsToken: member(document.authentication, 'required') === true,
    /** The origins that belong to this world. */
    origins: [...new Set([origin, new URL(document.endpoints.api).origin])],
  }
}

/** Reports whether an action of the world declares a member of its input. */
export function takes({ actions }: WorldProfile, action: string, input: string): boolean {
  return actions.some(
    ({ name, inputSchema }) =>
      name === action && member(member(inputSchema, 'properties'), input) !== undefined,
  )
}

/** Returns the page size for reading a whole list: as many entities as the world gives, up to 1,000. */
export function pageSizeOf({ limits }: WorldProfile): number {
  const most = limits.find(([name]) => name === 'list.max')?.[1]
  return typeof most === 'number' && most >= 1 ? Math.min(most, 1_000) : 100
}

/** Returns the name of a world that has none: its first types. */
function nameFromTypes(types: readonly TypeProfile[]): string | undefined {
  if (types.length === 0) return undefined
  const named = types.slice(0, 3).map(({ title }) => title)
  return `${named.join(', ')}${types.length > named.length ? ', …' : ''}`
}

/** Returns the profile of a type, also of one that the document does not list. */
export function typeIn(profile: WorldProfile, type: string): TypeProfile {
  return profile.types.find((known) => known.type === type) ?? typeProfile(type, undefined, 0)
}

/** Returns the titles that several of these types have: they alone do not identify a type. */
export function sharedTitles(types: readonly TypeProfile[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { title } of types) (seen.has(title) ? shared : seen).add(title)
  return shared
}

function typeProfile(type: string, entry: unknown, index: number) {
  return {
    type,
    title: textMember(entry, 'title') ?? titleOf(type),
    description: textMember(entry, 'description'),
    schema: member(entry, 'schema'),
    /** Number of the hue that marks it, from 0. */
    hue: index % HUES,
  }
}

function actionProfile(name: string, entry: unknown) {
  return {
    name,
    title: textMember(entry, 'title') ?? titleOf(name),
    description: textMember(entry, 'description'),
    isSafe: member(entry, 'safe') === true || name === 'wp:discover',
    inputSchema: member(entry, 'inputSchema'),
    outputSchema: member(entry, 'outputSchema'),
  }
}

/** Converts a name such as `sol:dwarf-planet` to words: `Dwarf planet`. */
function titleOf(name: string): string {
  const words = name
    .replace(/^[^:]*:/, '')
    .replace(/[-_.]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return words.toLowerCase().replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) || name
}

function flattened(value: unknown, path = ''): (readonly [string, string | number])[] {
  if (typeof value === 'number' || typeof value === 'string') return path === '' ? [] : [[path, value]]
  if (!isObject(value) || path.split('.').length > 3) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    flattened(inner, path === '' ? name : `${path}.${name}`),
  )
}
