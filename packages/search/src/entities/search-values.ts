import { type Entity, type JsonObject, type JsonValue, typeFault } from '@worldwright/client/protocol'
import { type IndexRules, instantOf } from '@worldwright/core/store'
import type { Point } from '../port/conditions.ts'
import { ANYWHERE, type DocumentKey, type PropertyValue, pathKey } from '../port/document.ts'

/** Creation and update times, in milliseconds since 1970. Infinity represents the time of publication. */
export interface Times {
  readonly createdAt: number | undefined
  readonly updatedAt: number | undefined
}

/** Maximum length of an indexed text value in UTF-16 code units, which suffices for names and codes but not for prose. */
const MAX_TEXT = 128
/** Maximum depth of a path, in names. */
const MAX_DEPTH = 8
/** Maximum number of values extracted from one entity. */
const MAX_VALUES = 512
/** Maximum length of a path in text form, in UTF-16 code units. */
const MAX_PATH = 256

/**
 * Extracts an entity's values regardless of its schema: numbers, booleans, strings of up to 128 UTF-16 code units (also as
 * instants if they are RFC 3339 date-times with an offset), `{type, id}` objects as references (decisions 2), and locations
 * (GeoJSON points, or objects with latitude and longitude). Each list element yields a value, and objects are traversed. The
 * title is a string outside the attributes; `createdAt` and `updatedAt` are instants. At most 512 values are kept, up to 8
 * names deep; the index records omissions. Attributes with `index: false` in `rules` are excluded.
 */
export function valuesOf(
  { title, attributes: all }: Entity,
  times: Times,
  rules: IndexRules[string] = {},
): PropertyValue[] {
  const isIndexed = (name: string) => !Object.hasOwn(rules, name) || rules[name]?.index !== false
  const names = Object.keys(all)
  const attributes = names.every(isIndexed) ? all : pick(all, names.filter(isIndexed))
  const collector = new Collector()
  if (title !== undefined) collector.text(TITLE, title)
  collector.instant(CREATED, times.createdAt)
  collector.instant(UPDATED, times.updatedAt)
  const place = placeIn(attributes)
  if (place) collector.place(ATTRIBUTES, place)
  collector.members(attributes, ROOT)
  return collector.values
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, object[name] as JsonValue]))
}

const ATTRIBUTES = pathKey('attributes')
const TITLE = pathKey('title')
const CREATED = pathKey('createdAt')
const UPDATED = pathKey('updatedAt')

/** A path seen so far, and the paths below it. Caches the path's text form. */
class PathNode {
  readonly names: readonly string[]
  /** Path in text form, or undefined for the root and for paths that are too long. */
  readonly key: string | undefined
  readonly #below = new Map<string, PathNode>()

  constructor(names: readonly string[]) {
    const [first, ...rest] = names
    const key = first === undefined ? undefined : pathKey([first, ...rest])
    this.names = names
    this.key = key !== undefined && key.length <= MAX_PATH && names.length <= MAX_DEPTH ? key : undefined
  }

  below(name: string): PathNode {
    const known = this.#below.get(name)
    if (known) return known
    const node = new PathNode([...this.names, name])
    // Member names may all be distinct, so the cache is limited to as many paths as ordinary entities have.
    if (node.key !== undefined && this.#below.size < MAX_REMEMBERED) this.#below.set(name, node)
    return node
  }
}

const MAX_REMEMBERED = 1_000
const ROOT = new PathNode([])

class Collector {
  readonly values: PropertyValue[] = []
  #isCutShort = false

  members(object: JsonObject, node: PathNode): void {
    for (const name of Object.keys(object)) {
      if (this.#isCutShort) return
      this.#value(object[name] as JsonValue, node.below(name))
    }
  }

  text(path: string, value: string): void {
    if (value.length > MAX_TEXT || !value.isWellFormed()) {
      this.#add({ path, kind: 'unindexed' })
      return
    }
    this.#add({ path, kind: 'text', value })
    this.instant(path, instantOf(value))
  }

  place(path: string, value: Point): void {
    this.#add({ path, kind: 'place', value })
  }

  instant(path: string, value: number | undefined): void {
    if (value !== undefined) this.#add({ path, kind: 'instant', value })
  }

  #value(value: JsonValue, node: PathNode): void {
    if (value === null) return
    const path = node.key
    if (path === undefined) this.#cutShort()
    else if (typeof value === 'string') this.text(path, value)
    // Adding 0 turns -0 into 0, since the two count as equal.
    else if (typeof value === 'number') this.#add({ path, kind: 'number', value: value + 0 })
    else if (typeof value === 'boolean') this.#add({ path, kind: 'boolean', value })
    else if (Array.isArray(value)) this.#elements(value, node, 1)
    else this.#object(value, path, node)
  }

  /** Visits list elements. Nested lists share the path of the outer list and are traversed to the maximum path depth. */
  #elements(elements: readonly JsonValue[], node: PathNode, depth: number): void {
    for (const element of elements) {
      if (this.#isCutShort) return
      if (!Array.isArray(element)) this.#value(element, node)
      else if (depth < MAX_DEPTH) this.#elements(element, node, depth + 1)
      else this.#cutShort()
    }
  }

  #object(value: JsonObject, path: string, node: PathNode): void {
    const reference = referenceIn(value)
    if (reference) {
      this.#add({ path, kind: 'reference', value: reference })
      return
    }
    const place = placeIn(value)
    if (place) this.place(path, place)
    if (!place || value['type'] !== 'Point') this.members(value, node)
  }

  #add(value: PropertyValue): void {
    if (this.values.length < MAX_VALUES) this.values.push(value)
    else this.#cutShort()
  }

  #cutShort(): void {
    if (this.#isCutShort) return
    this.#isCutShort = true
    this.values.push({ path: ANYWHERE, kind: 'unindexed' })
  }
}

/** Returns the reference that an object represents, or undefined unless its only members are a valid type and id. */
function referenceIn(value: JsonObject): DocumentKey | undefined {
  const { type, id } = value
  if (typeof type !== 'string' || typeof id !== 'string') return undefined
  if (Object.keys(value).length !== 2 || typeFault(type) !== undefined) return undefined
  return id.length <= MAX_ID && id.isWellFormed() && !CONTROL.test(id) ? { type, id } : undefined
}

// Restrictions on entity ids: a maximum length, and no control characters.
const MAX_ID = 512
// biome-ignore lint/suspicious/noControlCharactersInRegex: an id must not contain control characters.
const CONTROL = /[\u0000-\u001f]/

const LATITUDE = ['latitudeDeg', 'latitude', 'lat']
const LONGITUDE = ['longitudeDeg', 'longitude', 'lon', 'lng', 'long']

/** Returns the location in a GeoJSON point or in an object with latitude and longitude members, or else undefined. */
function placeIn(value: JsonObject): Point | undefined {
  const coordinates = value['type'] === 'Point' ? value['coordinates'] : undefined
  const [east, north] = Array.isArray(coordinates)
    ? coordinates
    : [numberAt(value, LONGITUDE), numberAt(value, LATITUDE)]
  if (typeof east !== 'number' || typeof north !== 'number') return undefined
  if (Math.abs(north) > 90 || Math.abs(east) > 360) return undefined
  // Planetary catalogs use east-positive longitudes beyond 180.
  const longitude = east > 180 ? east - 360 : east < -180 ? east + 360 : east
  return { longitude: longitude + 0, latitude: north + 0 }
}

function numberAt(value: JsonObject, names: readonly string[]): JsonValue | undefined {
  const name = names.find((name) => Object.hasOwn(value, name) && typeof value[name] === 'number')
  return name === undefined ? undefined : value[name]
}
