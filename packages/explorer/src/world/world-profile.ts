/** Discovery document, converted for display. Only two of its members are required, and all others are optional. */
import type { World } from '@worldwright/client'
import { descriptionFrom, type Names } from '@worldwright/client/foreign'
import { isObject, member, textMember } from '@worldwright/extensions/shown'
import { VIEW_PATH } from '@worldwright/extensions/views'

/** An entity type with the texts that describe it. */
export type TypeProfile = Readonly<ReturnType<typeof typeProfile>>

/** Facts about a world that the page has before it reads any entity. */
export type WorldProfile = Readonly<ReturnType<typeof profileOf>>

/** Returns the host of an origin, including the port. It is the name of a world that has neither a name nor types. */
export function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '')
}

/** Reports whether a host is loopback, in which case its address says nothing about the world. */
export function isOwnMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(host)
}

/** Hues of types, in degrees of OKLCH: equally light, and ordered so that neighbours differ. */
const HUES = [250, 40, 150, 320, 85, 200, 15, 280, 120, 225, 60, 345]

/** Converts the discovery document of a world to a profile. `names` are the member names that the user supplied. */
export function profileOf(world: World, names: Names = {}) {
  const { document, origin } = world
  const host = hostOf(origin)
  const { id, name, entityTypes, actions } = descriptionFrom(document, names)
  const types = (entityTypes?.value ?? []).map((entry, index) => typeProfile(entry.type, entry, index))
  return {
    origin,
    /** Host and port, which are the name of a world that has neither a name nor types. */
    host,
    name: name?.value ?? nameFromTypes(types) ?? host,
    description: textMember(document.world, 'description') ?? textMember(document, 'description'),
    id: id?.value,
    /** Terms of use and attribution of the data, in the words of its author. */
    license: textMember(document.world, 'license'),
    attribution: textMember(document.world, 'attribution'),
    api: document.endpoints.api,
    protocol: document.protocol,
    revision: textMember(document, 'revision'),
    types,
    actions: (actions?.value ?? []).map((entry) => actionProfile(entry.name, entry)),
    /** True if the document contains a list of types, even an empty one. `knowsActions` is the same for actions. */
    knowsTypes: entityTypes !== undefined,
    knowsActions: actions !== undefined,
    /** Limits that the world declares, as pairs of a dotted path, such as `list.max`, and a value. */
    limits: flattened(document.limits),
    extensions: Object.entries(isObject(document.extensions) ? document.extensions : {}),
    ...lookOf(member(document.extensions, 'worldwright:pages'), origin),
    needsToken: member(document.authentication, 'required') === true,
    /** Origins that belong to the world. */
    origins: [...new Set([origin, new URL(document.endpoints.api).origin])],
  }
}

/**
 * Returns the pages and the look of a world. Its files and stories are on its origin, whatever their paths: `/.` keeps a path
 * from naming a host. Accents of other people's worlds are kept so dark, or so light, that they can be read.
 */
export function lookOf(own: unknown, origin: string) {
  const [light, dark] = ['light', 'dark'].map((name) => textMember(member(own, 'accent'), name))
  return {
    /** True if the world serves a page for each view. */
    hasViews: textMember(own, 'views') === VIEW_PATH,
    stories: [member(own, 'stories') ?? []].flat().map((entry) => ({
      title: textMember(entry, 'title') ?? '',
      description: textMember(entry, 'description'),
      href: `${origin}/.${textMember(entry, 'path')}`,
    })),
    pictures: ['picture', 'logo']
      .filter((name) => textMember(own, name))
      .map((name) => ({ class: name, src: `${origin}/.${textMember(own, name)}` })),
    accent: /^(?:#[\da-f]{6}){2}$/i.test(`${light}${dark}`)
      ? `--accent:light-dark(oklch(from ${light} min(l,.6)c h),oklch(from ${dark} max(l,.6)c h))`
      : '',
  }
}

/** Reports whether an action of a world declares the member `input` in its input schema. */
export function takes({ actions }: WorldProfile, action: string, input: string): boolean {
  return actions.some(
    ({ name, inputSchema }) =>
      name === action && member(member(inputSchema, 'properties'), input) !== undefined,
  )
}

/** Returns the page size for reading a whole list: the declared maximum up to 1,000, or 100 if there is none. */
export function pageSizeOf({ limits }: WorldProfile): number {
  const most = limits.find(([name]) => name === 'list.max')?.[1]
  return typeof most === 'number' && most >= 1 ? Math.min(most, 1_000) : 100
}

/** Derives the name of a world without a name from its first types. Returns undefined if it has no types. */
function nameFromTypes(types: readonly TypeProfile[]): string | undefined {
  if (types.length === 0) return undefined
  const named = types.slice(0, 3).map(({ title }) => title)
  return `${named.join(', ')}${types.length > named.length ? ', …' : ''}`
}

/** Returns the profile of a type. A type that the document does not list gets a default profile. */
export function typeIn(profile: WorldProfile, type: string): TypeProfile {
  return profile.types.find((known) => known.type === type) ?? typeProfile(type, undefined, 0)
}

/** Returns the titles that are ambiguous because several types share them. */
export function sharedTitles(types: readonly TypeProfile[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { title } of types) (seen.has(title) ? shared : seen).add(title)
  return shared
}

/** Returns the profile of a type as the discovery document lists it. `index` is its place there. */
export function typeProfile(type: string, entry: unknown, index: number) {
  return {
    type,
    title: textMember(entry, 'title') ?? titleOf(type),
    description: textMember(entry, 'description'),
    schema: member(entry, 'schema'),
    /** Style with the hue of the type. */
    style: { '--hue': HUES[index % HUES.length] },
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

/** Converts a name such as `sol:dwarf-planet` to a title such as `Dwarf planet`. */
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
