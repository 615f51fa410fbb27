/**
 * The protocol `world/0.1` as types and literals: what crosses the wire between any world and any client.
 * Field names the specification gives stand as given; the others are the decisions' (docs/spec/decisions.md).
 * Imports nothing and does nothing on import, so that client and server can both stand on it.
 */

/** The protocol version this code speaks: the value of `protocol` in a discovery document (Level 1, versioning). */
export const PROTOCOL = 'world/0.1'

/** Where every world origin publishes its discovery document (Level 1, routes 1). */
export const WELL_KNOWN_PATH = '/.well-known/world.json'

/** The action every Level 1 world offers: filter and search entities. */
export const DISCOVER_ACTION = 'wp:discover'

/** Any JSON value. Objects are read by own properties only: keys such as `__proto__` are data. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject

/** A JSON object: members of any JSON value by name. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** Whether a value is an object with named members: no array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return !!value && typeof value === 'object' && !Array.isArray(value)
}

/** The JSON Pointer (RFC 6901) that leads one step further than `parent`, which is `''` for a whole document. */
export function pointerTo(parent: string, step: string | number): string {
  return `${parent}/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`
}

/** The member names and indexes that a JSON Pointer goes through, in order; none for a whole document. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
}

/** How an entity is addressed: by its type and, within it, its id (Level 1, entity). */
export interface EntityRef {
  /** Namespaced type, `prefix:name`. */
  type: string
  /** Identifier, unique within the type. */
  id: string
  /** The id of another world (`world.id`), only where the entity lives there. */
  world?: string
}

/** One entity as it is served. Members without a value are absent, never null. */
export interface Entity<Type extends string = string, Attributes = JsonObject> {
  type: Type
  id: string
  title?: string
  summary?: string
  /** All of the author's data; described by the type's schema in the discovery document. */
  attributes: Attributes
  /** RFC 3339 UTC. */
  createdAt?: string
  /** RFC 3339 UTC; changes exactly when `revision` does. */
  updatedAt?: string
  /** Identifies the content: the same content has the same revision in every world. */
  revision?: string
}

/** One page of entities of one type, in UTF-8 byte order of their ids. */
export interface EntityList<E = Entity> {
  entities: E[]
  /** Pass back unchanged for the next page; absent on the last page, and only there. */
  nextCursor?: string
  /** The limit that was applied: the requested one, or the maximum where that is smaller. */
  limit: number
  /** How many entities of the type exist, from the same moment as the page. */
  total: number
  /** Ids of entities that belong on the page and are left out, since the world's store is damaged. Absent if none is. */
  damaged?: string[]
}

/** What `wp:discover` is asked (Level 1, discover action input). Every member is optional. */
export interface DiscoverInput<Type extends string = string> {
  /** Search only these types. Absent or empty: all. */
  types?: Type[]
  /** Free text. Absent or blank: everything. Never parsed as a query language. */
  text?: string
  /** How many entities at most. */
  limit?: number
  /** `nextCursor` of the answer before, to the same types and text. Only worlds that give one take it. */
  cursor?: string
  /** Whether the answer is to say in which fields each entity matched. Only worlds whose action declares it do. */
  matchedIn?: boolean
}

/** What `wp:discover` answers, best match first. */
export interface DiscoverOutput<E = Entity> {
  entities: E[]
  limit: number
  /** All matches within the filter, not only the returned ones. */
  total: number
  /** Matches per type; types without any are left out. */
  counts: Record<string, number>
  /** `total` and `counts` are lower bounds. Absent when they are exact. */
  totalIsLowerBound?: true
  /** More matches exist than were returned. */
  truncated: boolean
  /** A time budget ended the search early: the best found so far. Absent when it ran to its end. */
  partial?: true
  /** The index's words that matched, for marking them in shown text. */
  matched: string[]
  /** Of each entity the fields that hold one of these words, as JSON Pointers into it. Absent if it was not asked for. */
  matchedIn?: string[][]
  /** For what comes after these entities. Absent if nothing does, and in worlds that have no such cursor. */
  nextCursor?: string
  /** Matches that are left out, since the world's store is damaged. Absent if none is. */
  damaged?: { type: string; id: string }[]
}

/** Something the answer wants to say without failing. */
export interface Warning {
  code: string
  message: string
  /** JSON Pointer (RFC 6901) into the request body. */
  field?: string
}

/** The envelope of every action's answer. */
export interface ActionResult<Output = JsonValue> {
  action: string
  output: Output
  warnings?: Warning[]
}

/** One entity type as the discovery document lists it. */
export interface EntityTypeDescription {
  type: string
  title?: string
  description?: string
  /** JSON Schema (2020-12) of the type's `attributes`. */
  schema?: JsonObject
}

/** One action as the discovery document lists it. */
export interface ActionDescription {
  name: string
  title?: string
  description?: string
  /** Reading only: repeating the call changes nothing. */
  safe?: boolean
  inputSchema?: JsonObject
  outputSchema?: JsonObject
}

/**
 * The discovery document. Level 1 states `protocol` and `endpoints.api`, and a client may rely on no more;
 * the other members are present in the worlds this project serves.
 */
export interface DiscoveryDocument {
  protocol: string
  endpoints: { api: string; [name: string]: unknown }
  /** `id` is an absolute URI, compared as an exact string. */
  world?: { id?: string; name?: string; description?: string; license?: string; attribution?: string }
  entityTypes?: EntityTypeDescription[]
  actions?: ActionDescription[]
  limits?: { [name: string]: unknown }
  authentication?: { required?: boolean; schemes?: string[] }
  /** Everything beyond Level 1, by `prefix:name`. */
  extensions?: Record<string, JsonObject>
  /** Changes exactly when anything else in the document does. */
  revision?: string
  [member: string]: unknown
}

/** One fault in a request, in the `details.fields` of an error body. */
export interface FieldFault {
  in: 'body' | 'query' | 'path' | 'header'
  /** RFC 6901, for faults in a body. */
  pointer?: string
  /** Parameter or header name, for faults elsewhere. */
  name?: string
  reason:
    | 'required'
    | 'wrong_type'
    | 'not_integer'
    | 'too_small'
    | 'too_long'
    | 'too_many'
    | 'malformed'
    | 'repeated'
    | 'not_allowed'
  /** What would be right, for people. Absent if the reason says it. */
  message?: string
}

/** The body of every non-success response (Level 1, errors 1). Branch on `code`, never on `message`. */
export interface ErrorBody {
  code: string
  message: string
  details?: JsonObject
  requestId?: string
}

/** Why a string is no type or no id; `undefined` where it is one. */
export type NameFault =
  | 'empty'
  | 'too_long'
  | 'malformed'
  | 'ill_formed_unicode'
  | 'control_character'
  | 'outer_white_space'
  | 'dot_segment'
  | 'not_nfc'

/** The grammar of entity types (decisions 2), beside their length of at most 128 characters. */
export const TYPE = /^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*:[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/
const MAX_TYPE_LENGTH = 128
const MAX_ID_BYTES = 512
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what an id may not hold.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:$|[/\\])/

/** Why `text` is not an entity type (decisions 2): `prefix:name`, ASCII, at most 128 characters. */
export function typeFault(text: string): NameFault | undefined {
  if (text === '') return 'empty'
  if (text.length > MAX_TYPE_LENGTH) return 'too_long'
  return TYPE.test(text) ? undefined : 'malformed'
}

/**
 * Why `text` cannot stand as one component of a request path, in any world: it is empty, no Unicode text, holds
 * control characters, or has a segment `.` or `..` that URL parsers and proxies take away, encoded or not.
 * Weaker than `typeFault` and `idFault`: another world's grammar is its own.
 */
export function addressFault(text: string): NameFault | undefined {
  if (text === '') return 'empty'
  if (!isWellFormed(text)) return 'ill_formed_unicode'
  if (CONTROL.test(text)) return 'control_character'
  return DOT_SEGMENT.test(text) ? 'dot_segment' : undefined
}

/**
 * Why `text` cannot be an entity id (decisions 2). Its length counts in UTF-8 bytes of its NFC form.
 * `not_nfc` comes last: an id that has only this fault names, in its NFC form, an entity that may exist.
 */
export function idFault(text: string): NameFault | undefined {
  const fault = addressFault(text)
  if (fault !== undefined) return fault
  if (text.trim() !== text) return 'outer_white_space'
  const normal = text.normalize('NFC')
  if (new TextEncoder().encode(normal).length > MAX_ID_BYTES) return 'too_long'
  return normal === text ? undefined : 'not_nfc'
}

/** Whether a string holds no lone surrogate (`String.prototype.isWellFormed`, which older runtimes lack). */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

/**
 * Calls `visit` for every reference in a value to an entity of the same world (decisions 2), in order: an object of a
 * type and an id and nothing else. `pointer` is where `value` stands, and the one given to `visit` where the reference
 * does (RFC 6901).
 */
export function visitReferences(
  value: JsonValue,
  visit: (reference: EntityRef, pointer: string) => void,
  pointer = '',
): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const element = value[index]
      if (typeof element === 'object') visitReferences(element, visit, `${pointer}/${index}`)
    }
    return
  }
  if (value === null || typeof value !== 'object') return
  const { type, id } = value
  const names = Object.keys(value)
  if (typeof type === 'string' && typeof id === 'string' && names.length === 2) {
    if (typeFault(type) === undefined) visit({ type, id }, pointer)
    return
  }
  for (const name of names) {
    const member = value[name]
    if (typeof member === 'object') visitReferences(member, visit, pointerTo(pointer, name))
  }
}
