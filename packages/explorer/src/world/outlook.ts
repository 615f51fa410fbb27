/** A discovery document as the page reads it: of all members only two are stated, so none of the rest is relied on. */
import type { DiscoveryDocument, World } from '@worldwright/client'
import { isObject, member, textMember } from '../data/schema.ts'

/** An entity type with words for people. */
export interface TypeOutlook {
  readonly type: string
  readonly title: string
  readonly description: string | undefined
  readonly schema: unknown
  /** Which of the page's hues marks it, from 0. */
  readonly hue: number
}

/** An action with words for people. */
export interface ActionOutlook {
  readonly name: string
  readonly title: string
  readonly description: string | undefined
  readonly isSafe: boolean
  readonly inputSchema: unknown
  readonly outputSchema: unknown
}

/** What the page knows of a world before it reads any entity. */
export interface Outlook {
  readonly origin: string
  /** The host, without a scheme: the name of a world that has none. */
  readonly host: string
  readonly name: string
  readonly description: string | undefined
  readonly id: string | undefined
  readonly api: string
  readonly protocol: string
  readonly revision: string | undefined
  readonly types: readonly TypeOutlook[]
  readonly actions: readonly ActionOutlook[]
  /** Numbers the world keeps to, as `list.max` and value. */
  readonly limits: readonly (readonly [string, string | number])[]
  readonly extensions: readonly (readonly [string, unknown])[]
  readonly needsToken: boolean
  /** The origins that belong to this world. */
  readonly origins: readonly string[]
}

/** How many different hues types are marked with. */
const HUES = 12

/** Reads a world's discovery document into what the pages show. */
export function outlookOf(world: World): Outlook {
  const { document, origin } = world
  const host = origin.replace(/^https?:\/\//, '')
  const about = document.world
  return {
    origin,
    host,
    name: textMember(about, 'name') ?? host,
    description: textMember(about, 'description'),
    id: world.id,
    api: document.endpoints.api,
    protocol: document.protocol,
    revision: textMember(document, 'revision'),
    types: listed(document, 'entityTypes')
      .map(typeOutlook)
      .filter((type) => type !== undefined),
    actions: listed(document, 'actions')
      .map(actionOutlook)
      .filter((action) => action !== undefined),
    limits: flattened(document.limits),
    extensions: isObject(document.extensions) ? Object.entries(document.extensions) : [],
    needsToken: member(document.authentication, 'required') === true,
    origins: [...new Set([origin, new URL(document.endpoints.api).origin])],
  }
}

/** The outlook on a type, also on one that the document does not list. */
export function typeIn(outlook: Outlook, type: string): TypeOutlook {
  return (
    outlook.types.find((known) => known.type === type) ?? {
      type,
      title: titleOf(type),
      description: undefined,
      schema: undefined,
      hue: 0,
    }
  )
}

/** The titles that more than one of these types has: they alone do not tell which type is meant. */
export function sharedTitles(types: readonly TypeOutlook[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { title } of types) (seen.has(title) ? shared : seen).add(title)
  return shared
}

function listed(document: DiscoveryDocument, name: string): unknown[] {
  const list = document[name]
  return Array.isArray(list) ? list : []
}

function typeOutlook(entry: unknown, index: number): TypeOutlook | undefined {
  const type = typeof entry === 'string' ? entry : (textMember(entry, 'type') ?? textMember(entry, 'name'))
  if (type === undefined) return undefined
  return {
    type,
    title: textMember(entry, 'title') ?? titleOf(type),
    description: textMember(entry, 'description'),
    schema: member(entry, 'schema'),
    hue: index % HUES,
  }
}

function actionOutlook(entry: unknown): ActionOutlook | undefined {
  const name = typeof entry === 'string' ? entry : textMember(entry, 'name')
  if (name === undefined) return undefined
  return {
    name,
    title: textMember(entry, 'title') ?? titleOf(name),
    description: textMember(entry, 'description'),
    isSafe: member(entry, 'safe') === true || name === 'wp:discover',
    inputSchema: member(entry, 'inputSchema'),
    outputSchema: member(entry, 'outputSchema'),
  }
}

/** `sol:dwarf-planet` as words: `Dwarf planet`. */
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
