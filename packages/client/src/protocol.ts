/**
 * Types and constants of the protocol `world/0.1`. Field names defined by the specification are used as they are; all others
 * are from docs/spec/decisions.md. Has no imports and no side effects, so that client and server can both use it.
 */

/** Protocol version implemented here: the value of `protocol` in a discovery document (Level 1, versioning). */
export const PROTOCOL = 'world/0.1'

/** Path at which every world publishes its discovery document (Level 1, routes 1). */
export const WELL_KNOWN_PATH = '/.well-known/world.json'

/** Name of the action for filtering and searching entities, which every Level 1 world offers. */
export const DISCOVER_ACTION = 'wp:discover'

/** Any JSON value. Only own properties of objects are read, so keys such as `__proto__` are data. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject

/** A JSON object, with JSON values by member name. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** Reports whether a value is a JSON object: not null, an array or an `ExactNumber`. */
export function isObject(value: unknown): value is JsonObject {
  return {}.toString.call(value) === '[object Object]'
}

/** Appends a member name or an array index to a JSON Pointer (RFC 6901). `''` points to the whole document. */
export function pointerTo(parent: string, step: string | number): string {
  return `${parent}/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`
}

/** Splits a JSON Pointer into member names and indexes, in order. Returns an empty array for the whole document. */
export function pointerSteps(pointer: string): string[] {
  const [, ...steps] = pointer.split('/')
  return steps.map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
}

/** Address of an entity: its type and its id within that type (Level 1, entity). */
export interface EntityRef {
  /** Namespaced type, `prefix:name`. */
  type: string
  /** Identifier, unique within the type. */
  id: string
  /** `world.id` of the world that contains the entity. Absent if that is the world in which the reference occurs. */
  world?: string
}

/** One entity as served. Members without a value are absent, never null. */
export interface Entity<Type extends string = string, Attributes = JsonObject> {
  type: Type
  id: string
  title?: string
  summary?: string
  /** The author's data, described by the type's schema in the discovery document. */
  attributes: Attributes
  /** RFC 3339 UTC. */
  createdAt?: string
  /** RFC 3339 UTC. Changes if and only if `revision` does. */
  updatedAt?: string
  /** Content identifier: equal content has the same revision in every world. */
  revision?: string
}

/** One page of entities of one type, in UTF-8 byte order of their ids. */
export interface EntityList<E = Entity> {
  entities: E[]
  /** Cursor of the next page, to be passed back unchanged. Absent only on the last page. */
  nextCursor?: string
  /** Applied limit: the requested one, or the maximum if that is smaller. */
  limit: number
  /** Number of entities of the type, in the same snapshot as the page. */
  total: number
  /** Ids of the damaged entities omitted from the page. Absent if there are none. */
  damaged?: string[]
}

/** Input of `wp:discover` (Level 1, discover action input). Every member is optional. */
export interface DiscoverInput<Type extends string = string> {
  /** Types to search. Absent or empty to search all. */
  types?: Type[]
  /** Free text, never parsed as a query language. If absent or blank, everything matches. */
  text?: string
  /** Set while the text is being typed, so that its last word may go on. Other worlds ignore it. */
  unfinished?: boolean
  /** Set to read no word as a type or an order (see `why`). Other worlds ignore it. */
  plain?: boolean
  /** Maximum number of entities to return. */
  limit?: number
  /** `nextCursor` of the previous response for the same types and text. Accepted only by worlds that return one. */
  cursor?: string
  /** Attributes to return besides type, id and title, as in a query. Other worlds ignore it. */
  fields?: readonly (string | readonly string[])[]
  /** Requests the fields in which each entity matched. Supported only if the discovery document declares this member. */
  matchedIn?: boolean
}

/** Output of `wp:discover`, best match first. */
export interface DiscoverOutput<E = Entity> {
  entities: E[]
  limit: number
  /** Total number of matches, not just those returned. */
  total: number
  /** Number of matches per type. Types without matches are omitted. */
  counts: Record<string, number>
  /** True if `total` and `counts` are lower bounds. Absent if they are exact. */
  totalIsLowerBound?: true
  /** True if more matches exist than were returned. */
  truncated: boolean
  /** True if a time budget ended the search early, so that only the best matches found so far are returned. */
  partial?: true
  /** Index terms that matched, for highlighting in displayed text. */
  matched: string[]
  /** Words read as a type, or as the first of its entities by an attribute (`-` for the greatest). Absent if none were. */
  why?: { word: string; type: string; order?: string }[]
  /** True if the text matches more than half of all entities of the searched types. */
  broad?: true
  /** For each entity, JSON Pointers to its fields that contain a term in `matched`. Absent unless requested. */
  matchedIn?: string[][]
  /** Cursor of the next page. Absent if there is none, or if the world does not support cursors for searches. */
  nextCursor?: string
  /** Damaged matches, omitted from `entities`. Absent if there are none. */
  damaged?: { type: string; id: string }[]
}

/** A notice in a successful response. */
export interface Warning {
  code: string
  message: string
  /** JSON Pointer (RFC 6901) into the request body. */
  field?: string
}

/** Response envelope of all actions. */
export interface ActionResult<Output = JsonValue> {
  action: string
  output: Output
  /** Path of the job that the call began, on the origin of the API. A response with a job has no `output`. */
  job?: string
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
  /** True if the action is read-only, so that it can be retried. */
  safe?: boolean
  /** True if calls accept an `Idempotency-Key`: a retry with the same key gets the result of the first call. */
  idempotencyKey?: boolean
  /** True if calls accept `preview: true` beside `input`. A preview returns the output and writes nothing. */
  preview?: boolean
  inputSchema?: JsonObject
  outputSchema?: JsonObject
}

/**
 * Discovery document. Level 1 defines only `protocol` and `endpoints.api`, and clients must not rely on any other member.
 * Worlds served by this project have the other members too.
 */
export interface DiscoveryDocument {
  protocol: string
  endpoints: { api: string; [name: string]: unknown }
  /** Description of the world. `id` is an absolute URI, compared as an exact string. */
  world?: { id?: string; name?: string; description?: string; license?: string; attribution?: string }
  entityTypes?: EntityTypeDescription[]
  actions?: ActionDescription[]
  limits?: { [name: string]: unknown }
  authentication?: { required?: boolean; schemes?: string[] }
  /** Extensions beyond Level 1, keyed by `prefix:name`. */
  extensions?: Record<string, JsonObject>
  /** Changes if and only if any other member of the document does. */
  revision?: string
  [member: string]: unknown
}

/** A fault in a request, listed in `details.fields` of an error body. */
export interface FieldFault {
  in: 'body' | 'query' | 'path' | 'header'
  /** JSON Pointer (RFC 6901). Present for faults in a body. */
  pointer?: string
  /** Parameter or header name. Present for faults outside the body. */
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
  /** Human-readable description of the expected value. Absent if the reason is sufficient. */
  message?: string
}

/** Body of every non-success response (Level 1, errors 1). Branch on `code`, never on `message`. */
export interface ErrorBody {
  code: string
  message: string
  details?: JsonObject
  requestId?: string
}

/** Reason why a string is not a valid type or id. */
export type NameFault =
  | 'empty'
  | 'too_long'
  | 'malformed'
  | 'ill_formed_unicode'
  | 'control_character'
  | 'outer_white_space'
  | 'dot_segment'
  | 'not_nfc'

/** Grammar of entity types (decisions 2). The length limit of 128 characters is checked separately. */
export const TYPE = /^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*:[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/
const MAX_TYPE_LENGTH = 128
const MAX_ID_BYTES = 512
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what an id may not hold.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:$|[/\\])/

/** Returns the reason, if any, why `text` is not a type (decisions 2: `prefix:name`, ASCII, at most 128 characters). */
export function typeFault(text: string): NameFault | undefined {
  if (text === '') return 'empty'
  if (text.length > MAX_TYPE_LENGTH) return 'too_long'
  return TYPE.test(text) ? undefined : 'malformed'
}

/**
 * Returns the reason, if any, why `text` can never be a component of a request path: it is empty or not well-formed Unicode,
 * contains control characters, or has a segment `.` or `..`, which URL parsers and proxies remove even if encoded. Weaker
 * than `typeFault` and `idFault`, because other worlds may define their own grammars.
 */
export function addressFault(text: string): NameFault | undefined {
  if (text === '') return 'empty'
  if (!isWellFormed(text)) return 'ill_formed_unicode'
  if (CONTROL.test(text)) return 'control_character'
  return DOT_SEGMENT.test(text) ? 'dot_segment' : undefined
}

/**
 * Returns the reason, if any, why `text` cannot be an entity id (decisions 2). The length limit applies to the UTF-8 bytes
 * of its NFC form. `not_nfc` is checked last: an id with only this fault may have an existing entity under its NFC form.
 */
export function idFault(text: string): NameFault | undefined {
  const fault = addressFault(text)
  if (fault !== undefined) return fault
  if (text.trim() !== text) return 'outer_white_space'
  const normal = text.normalize('NFC')
  if (new TextEncoder().encode(normal).length > MAX_ID_BYTES) return 'too_long'
  return normal === text ? undefined : 'not_nfc'
}

/** Reports whether a string has no lone surrogates. For older runtimes without `String.prototype.isWellFormed`. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

/**
 * Calls `visit`, in document order, for every reference in `value` to an entity of the same world (decisions 2). A reference
 * is an object with a type, an id and no other members. `pointer` is the JSON Pointer (RFC 6901) of `value`; `visit`
 * receives that of the reference.
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
