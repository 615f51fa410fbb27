/** Titles of views, written in English from their conditions and order. */
import type { Asked, Filter } from './asked.ts'
import { splitGroup, UNITS } from './groups.ts'
import { pointText } from './near.ts'
import { namesOf } from './property-key.ts'
import type { Known } from './question.ts'
import type { View } from './view.ts'

/** Names of a world that titles of its views contain. */
export interface TitleWords {
  /** Display name of the type. */
  readonly type: string
  /** Returns the label of a property. */
  readonly label: (key: string) => string
  /** Returns how the values of a property compare: by kind, or as dates. */
  readonly kind: (key: string) => Known['kind'] | 'date' | undefined
  /** Returns the display name of an entity, which is given as `type/id`, if it is known. */
  readonly entity: (reference: string) => string | null | undefined
}

/** Maximum length of a value in a title, and of a title, in characters. */
const VALUE_CHARACTERS = 60
const TITLE_CHARACTERS = 200
/** Maximum number of values of one property in a title. */
const MOST_VALUES = 3

/** Returns the title of a view, such as `Moons of Saturn: radius at least 100, by mass, largest first`. */
export function titleOfView({ asked, plot, view }: View, words: TitleWords): string {
  const possessor = asked?.filters.find((filter) => isPossessor(filter, words))
  const conditions = asked
    ? conditionsIn({ ...asked, filters: asked.filters.filter((one) => one !== possessor) }, words)
    : []
  const head =
    possessor?.is === 'any'
      ? `${words.type} of ${valueText(possessor.values[0] ?? '', possessor.key, words)}`
      : words.type
  const groups = view === 'summary' ? (plot?.by ?? []).map((text) => groupText(text, words)) : []
  const order = groups.length > 0 ? `by ${groups.join(' and ')}` : asked && orderIn(asked, words)
  const said = [...conditions, ...(order ? [order] : [])].join(', ')
  const between = conditions.length > 0 ? ': ' : groups.length > 0 ? ' ' : ', '
  return shortened(said === '' ? head : head + between + said, TITLE_CHARACTERS)
}

/** Reports whether a filter says to what the entities belong: a reference whose property is called like its type. */
function isPossessor(filter: Filter, { kind }: TitleWords): boolean {
  const [value = '', ...others] = filter.is === 'any' ? filter.values : []
  const [, local = ''] = /^[^:/]*:([^/]+)\//.exec(value) ?? []
  const isNamed = namesOf(filter.key).at(-1)?.toLowerCase() === local.toLowerCase()
  return isNamed && others.length === 0 && kind(filter.key) === 'reference'
}

function conditionsIn({ text, filters, cql }: Asked, words: TitleWords): string[] {
  return [
    ...(text.trim() === '' ? [] : [`“${shortened(text, VALUE_CHARACTERS)}”`]),
    ...filters.map((filter) => filterText(filter, words)),
    ...(cql.trim() === '' ? [] : [shortened(cql, 2 * VALUE_CHARACTERS)]),
  ]
}

function filterText(filter: Filter, words: TitleWords): string {
  const { key } = filter
  const label = labelIn(key, words)
  const spelt = (text: string) => valueText(text, key, words)
  if (filter.is === 'none') return `without ${label}`
  if (filter.is === 'box') {
    const [west, south, east, north] = filter.box
    return `${label} at latitudes ${south} to ${north} and longitudes ${west} to ${east}`
  }
  if (filter.is === 'any') {
    const { values } = filter
    const more = values.length > MOST_VALUES ? [`${values.length - MOST_VALUES} more`] : []
    return `${label} ${[...values.slice(0, MOST_VALUES).map(spelt), ...more].join(' or ')}`
  }
  const { from, to, isBelow } = filter
  const isTimed = isTime(key, words)
  const end = to && `${isBelow ? (isTimed ? 'before' : 'below') : isTimed ? 'until' : 'at most'} ${spelt(to)}`
  if (from === '') return `${label} ${end}`
  if (to === '') return `${label} ${isTimed ? 'from' : 'at least'} ${spelt(from)}`
  return `${label} ${isBelow ? 'from ' : ''}${spelt(from)} to ${isBelow ? 'below ' : ''}${spelt(to)}`
}

function orderIn({ sort, near }: Asked, words: TitleWords): string | undefined {
  if (near !== undefined) return `nearest to ${pointText(near.place)} first`
  if (sort === '') return undefined
  const isDown = sort.startsWith('-')
  const key = isDown ? sort.slice(1) : sort
  const by = `by ${labelIn(key, words)}`
  if (isTime(key, words)) return `${by}, ${isDown ? 'newest' : 'oldest'} first`
  if (words.kind(key) === 'number') return `${by}, ${isDown ? 'largest' : 'smallest'} first`
  return isDown ? `${by}, descending` : by
}

function groupText(text: string, words: TitleWords): string {
  const [bin, key] = splitGroup(text) ?? ['value', text]
  const label = labelIn(key, words)
  if (UNITS.includes(bin)) return `${bin} of ${label}`
  return bin === 'value' ? label : `${label} in steps of ${bin}`
}

function isTime(key: string, { kind, label }: TitleWords): boolean {
  const found = kind(key)
  return found === 'instant' || found === 'date' || (found === 'number' && /\byear$/i.test(label(key)))
}

function labelIn(key: string, { label }: TitleWords): string {
  return shortened(label(key), VALUE_CHARACTERS).replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase())
}

function valueText(text: string, key: string, { kind, entity }: TitleWords): string {
  const found = kind(key)
  if (found === 'boolean') return text === 'true' ? 'yes' : text === 'false' ? 'no' : text
  const name = found === 'reference' ? (entity(text) ?? text.replace(/^[^/]*\//, '')) : text
  return shortened(name, VALUE_CHARACTERS)
}

/** Matches characters that would break or reorder a line: controls, line ends, and those that set the direction of text. */
const REORDERING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu

/** Returns text in one line of at most `most` characters, without any that reorder it. */
function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').replace(REORDERING, '').trim()
  const all = [...line]
  return all.length <= most ? line : `${all.slice(0, most - 1).join('')}…`
}
