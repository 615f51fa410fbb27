/**
 * The protocol `world/0.1` as types and literals: the data exchanged between any world and any client.
 * Field names that the specification defines are used as defined; the others are from docs/spec/decisions.md.
 * Imports nothing and has no effect on import, so that client and server can both use it.
 */

/** Protocol version of this code: the value of `protocol` in a discovery document (Level 1, versioning). */
export const PROTOCOL = 'world/0.1'

/** Path at which every world origin publishes its discovery document (Level 1, routes 1). */
export const WELL_KNOWN_PATH = '/.well-known/world.json'

/** The action that every Level 1 world offers: filter and search entities. */
export const DISCOVER_ACTION = 'wp:discover'

/** Any JSON value. Objects are read by own properties only: keys such as `__proto__` are data. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject

/** A JSON object: members of any JSON value by name. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** Reports whether a value is an object with named members: not an array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return !!value && typeof value === 'object' && !Array.isArray(value)
}

/** Returns the JSON Pointer (RFC 6901) one step below `parent`, which is `''` for a whole document. */
export function pointerTo(parent: string, step: string | number): string {
  return `${parent}/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`
}

/** Returns the member names and indexes of a JSON Pointer, in order; none for a whole document. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
}

/** Address of an entity: its type and, within the type, its id (Level 1, entity). */
export interface EntityRef {
  /** Namespaced type, `prefix:name`. */
  type: string
  /** Identifier, unique within the type. */
  id: string
  /** Id of another world (`world.id`), only if the entity belongs to it. */
  world?: string
}

/** One entity as served. Members without a value are absent, never null. */
export interface Entity<Type extends string = string, Attributes = JsonObject> {
  type: Type
  id: string
  title?: string
  summary?: string
  /** All of the author's data; described by the type's schema in the discovery document. */
  attributes: Attributes
  /** RFC 3339 UTC. */
  createdAt?: string
  /** RFC 3339 UTC; changes if and only if `revision` does. */
  updatedAt?: string
  /** Identifies the content: equal content has the same revision in every world. */
  revision?: string
}

/** One page of entities of one type, in UTF-8 byte order of their ids. */
export interface EntityList<E = Entity> {
  entities: E[]
  /** Cursor of the next page, to be passed back unchanged; absent on the last page only. */
  nextCursor?: string
  /** The limit that was applied: the requested one, or the maximum if that is smaller. */
  limit: number
  /** Number of entities of the type, from the same moment as the page. */
  total: number
  /** Ids of damaged entities omitted from the page. Absent if there are none. */
  damaged?: string[]
}

/** Input of `wp:discover` (Level 1, discover action input). Every member is optional. */
export interface DiscoverInput<Type extends string = string> {
  /** Searches only these types. Absent or empty: all. */
  types?: Type[]
  /** Free text. Absent or blank: everything. Never parsed as a query language. */
  text?: string
  /** Maximum number of entities. */
  limit?: number
  /** `nextCursor` of the answer before, to the same types and text. Only worlds that return one accept it. */
  cursor?: string
  /** Requests the fields in which each entity matched. Only worlds whose action declares it return them. */
  matchedIn?: boolean
}

/** Output of `wp:discover`, best match first. */
export interface DiscoverOutput<E = Entity> {
  entities: E[]
  limit: number
  /** All matches within the filter, not only the returned ones. */
  total: number
  /** Matches per type; types without any are omitted. */
  counts: Record<string, number>
  /** `total` and `counts` are lower bounds. Absent when they are exact. */
  totalIsLowerBound?: true
  /** More matches exist than were returned. */
  truncated: boolean
  /** A time budget ended the search early: the best result so far. Absent if the search was complete. */
  partial?: true
  /** The index's words that matched, for highlighting in displayed text. */
  matched: string[]
  /** For each entity, the fields that contain one of these words, as JSON Pointers. Absent unless requested. */
  matchedIn?: string[][]
  /** Cursor for what follows. Absent if nothing follows, and in worlds without such cursors. */
  nextCursor?: string
  /** Damaged matches that are omitted. Absent if there are none. */
  damaged?: { type: string; id: string }[]
}

/** A notice in an answer that did not fail. */
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

/** An entity type in the discovery document. */
export interface EntityTypeDescription {
  type: string
  title?: string
  description?: string
  /** JSON Schema (2020-12) of the type's `attributes`. */
  schema?: JsonObject
}

/** An action in the discovery document. */
export interface ActionDescription {
  name: string
  title?: string
  description?: string
  /** Read-only: repeating the call changes nothing. */
  safe?: boolean
  inputSchema?: JsonObject
  outputSchema?: JsonObject
}

/**
 * The discovery document. Level 1 defines `protocol` and `endpoints.api`, and a client may rely on no more;
 * the other members are present in the worlds that this project serves.
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
  /** Changes if and only if anything else in the document does. */
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
  /** The expected value, for people. Absent if the reason says enough. */
  message?: string
}

/** The body of every non-success response (Level 1, errors 1). Branch on `code`, never on `message`. */
export interface ErrorBody {
  code: string
  message: string
  details?: JsonObject
  requestId?: string
}

/** Reasons why a string is not a type or not an id. */
export type NameFault =
  | 'empty'
  | 'too_long'
  | 'malformed'
  | 'ill_formed_unicode'
  | 'control_character'
  | 'outer_white_space'
  | 'dot_segment'
  | 'not_nfc'

/** Grammar of entity types (decisions 2), besides their maximum length of 128 characters. */
export const TYPE = /^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*:[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/
const MAX_TYPE_LENGTH = 128
const MAX_ID_BYTES = 512
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what an id may not hold.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:$|[/\\])/

/** Returns the reason why `text` is no entity type (decisions 2: `prefix:name`, ASCII, at most 128 characters), if any. */
export function typeFault(text: string): NameFault | undefined {
  if (text === '') return 'empty'
  if (text.length > MAX_TYPE_LENGTH) return 'too_long'
  return TYPE.test(text) ? undefined : 'malformed'
}

/**
 * Returns the reason why `text` cannot be one component of a request path, in any world: it is empty or not Unicode text,
 * contains control characters, or has a segment `.` or `..` that URL parsers and proxies remove, encoded or not.
 * Weaker than `typeFault` and `idFault`: the grammar of another world is its own.
 */
export function addressFault(text: string): NameFault | undefined {
  if (text === '') return 'empty'
  if (!isWellFormed(text)) return 'ill_formed_unicode'
  if (CONTROL.test(text)) return 'control_character'
  return DOT_SEGMENT.test(text) ? 'dot_segment' : undefined
}

/**
 * Returns the reason why `text` cannot be an entity id (decisions 2). The length limit applies to the UTF-8 of its NFC form.
 * `not_nfc` comes last: the NFC form of an id with only this fault names an entity that may exist.
 */
export function idFault(text: string): NameFault | undefined {
  const fault = addressFault(text)
  if (fault !== undefined) return fault
  if (text.trim() !== text) return 'outer_white_space'
  const normal = text.normalize('NFC')
  if (new TextEncoder().encode(normal).length > MAX_ID_BYTES) return 'too_long'
  return normal === text ? undefined : 'not_nfc'
}

/** Reports whether a string has no lone surrogate (`String.prototype.isWellFormed`, which older runtimes lack). */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

/**
 * Calls `visit` for every reference in a value to an entity of the same world (decisions 2), in order: an object with a
 * type and an id and nothing else. `pointer` is the JSON Pointer (RFC 6901) of `value`; `visit` gets that of the
 * reference.
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
