/** Extracts the values of an entity for precise queries, by kind and path. */
import { type Entity, type JsonObject, type JsonValue, typeFault } from '@worldwright/client/protocol'
import type { IndexRules } from '@worldwright/core/store'
import { instantOf } from '@worldwright/core/store'
import type { Point } from '../port/conditions.ts'
import { ANYWHERE, type DocumentKey, type PropertyValue, pathKey } from '../port/document.ts'

/** Times at which an entity was put and changed, in milliseconds since 1970. Infinity: the moment when it is published. */
export interface Times {
  readonly createdAt: number | undefined
  readonly updatedAt: number | undefined
}

/** Maximum length of a text that is kept as a value, in UTF-16 units: names and codes, not prose. */
const MAX_TEXT = 128
/** Maximum number of names in a path. */
const MAX_DEPTH = 8
/** Maximum number of values taken from one entity. */
const MAX_VALUES = 512
/** Maximum length of a path, as text. */
const MAX_PATH = 256

/**
 * Extracts the values of an entity, whatever its schema says: numbers; booleans; texts of up to 128 UTF-16 units, which are
 * instants as well if they are an RFC 3339 date-time with offset; `{type, id}` objects as references (decisions 2); locations,
 * as GeoJSON points or objects with latitude and longitude. Lists give several values, objects are descended into. The title is
 * a text beside the attributes, `createdAt` and `updatedAt` are instants. At most 512 values are kept, 8 names deep; the index
 * knows if others were left out. `rules`: of attributes of its type; those of `index: false` have none.
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

/** A path that was met, with the paths below it: its text is built once. */
class PathNode {
  readonly names: readonly string[]
  /** Undefined for the root, and for a path that is too long. */
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
    // Member names may all be distinct: no more are remembered than ordinary entities have.
    if (node.key !== undefined && this.#below.size < MAX_REMEMBERED) this.#below.set(name, node)
    return node
  }
}

const MAX_REMEMBERED = 1_000
const ROOT = new PathNode([])

/** Collects the values of one entity. */
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
    // Zero and negative zero are equal: zero is kept.
    else if (typeof value === 'number') this.#add({ path, kind: 'number', value: value + 0 })
    else if (typeof value === 'boolean') this.#add({ path, kind: 'boolean', value })
    else if (Array.isArray(value)) this.#elements(value, node, 1)
    else this.#object(value, path, node)
  }

  /** Lists in lists have the same path; they are descended into as deep as paths go. */
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

/** Returns the reference that an object is: a type and an id, and nothing else. */
function referenceIn(value: JsonObject): DocumentKey | undefined {
  const { type, id } = value
  if (typeof type !== 'string' || typeof id !== 'string') return undefined
  if (Object.keys(value).length !== 2 || typeFault(type) !== undefined) return undefined
  return id.length <= MAX_ID && id.isWellFormed() && !CONTROL.test(id) ? { type, id } : undefined
}

// Limits of the ids of entities: length, and no control characters.
const MAX_ID = 512
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what an id may not hold.
const CONTROL = /[\u0000-\u001f]/

const LATITUDE = ['latitudeDeg', 'latitude', 'lat']
const LONGITUDE = ['longitudeDeg', 'longitude', 'lon', 'lng', 'long']

/** Returns the location that an object names: a GeoJSON point, or members for latitude and longitude. */
function placeIn(value: JsonObject): Point | undefined {
  const coordinates = value['type'] === 'Point' ? value['coordinates'] : undefined
  const [east, north] = Array.isArray(coordinates)
    ? coordinates
    : [numberAt(value, LONGITUDE), numberAt(value, LATITUDE)]
  if (typeof east !== 'number' || typeof north !== 'number') return undefined
  if (Math.abs(north) > 90 || Math.abs(east) > 360) return undefined
  // Planetary catalogues count longitudes east positive beyond 180.
  const longitude = east > 180 ? east - 360 : east < -180 ? east + 360 : east
  return { longitude: longitude + 0, latitude: north + 0 }
}

function numberAt(value: JsonObject, names: readonly string[]): JsonValue | undefined {
  const name = names.find((name) => Object.hasOwn(value, name) && typeof value[name] === 'number')
  return name === undefined ? undefined : value[name]
}
