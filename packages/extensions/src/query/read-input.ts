/** Reads the input of a query strictly, because ignoring a member would give a wrong result. */
import {
  type EntityTypeDescription,
  isObject,
  type JsonObject,
  type JsonValue,
  typeFault,
} from '@worldwright/client/protocol'
import { LIST_DEFAULT, LIST_MAX, MAX_TEXT_LENGTH, MAX_TYPES, type World } from '@worldwright/core'
import {
  type Condition,
  type EntityKey,
  type FacetRequest,
  type GroupRequest,
  isJoined,
  type SortKey,
} from '@worldwright/core/store'
import { ANY_TYPE } from './askable.ts'
import { InputFaults } from './input-faults.ts'
import type { JoinedField } from './joined-fields.ts'
import { KnownProperties } from './known-properties.ts'
import { QUERY_MAX_PATHS } from './limits.ts'
import { readReference } from './literals.ts'
import { pathFromProperty, shownPath } from './property-path.ts'
import { MEMBERS } from './query-schemas.ts'
import type { ReadContext } from './read-context.ts'
import { readFacets } from './read-facets.ts'
import { readGroups } from './read-groups.ts'
import { readList } from './read-list.ts'
import { readProperty } from './read-property.ts'
import { noOthers, readSort } from './read-sort.ts'
import { readWhere } from './read-where.ts'

/** Name of the action that reads this input. */
export const QUERY_ACTION = 'worldwright:query'

/** Validated query, except for its cursor. */
export interface Question {
  /** Entity types in ascending order, without duplicates. */
  readonly types: readonly string[]
  readonly text: string | undefined
  /** Entity of any type to find similar entities to. Its existence is not checked here. Cannot be combined with `text`. */
  readonly similar: EntityKey | undefined
  readonly where: Condition | undefined
  readonly sort: readonly SortKey[]
  /** Paths of the attributes to return, or undefined to return them all. */
  readonly fields: readonly (readonly string[])[] | undefined
  /** Values of referenced entities to return. */
  readonly joinedFields: readonly JoinedField[]
  /** Paths of the references to follow. */
  readonly include: readonly (readonly string[])[]
  readonly facets: readonly FacetRequest[]
  readonly group: GroupRequest | undefined
  readonly limit: number
  readonly cursor: string | undefined
  /** True to report the fields in which entities matched. */
  readonly matchedIn: boolean
  /** Types of the entities to which paths in the query lead, including `ANY_TYPE` for any. */
  readonly followed: ReadonlySet<string>
}

/**
 * Reads the input. Null members are treated as absent.
 * @param known the types of the world
 * @throws WorldFault `invalid_input` with every fault
 */
export function readQuestion(input: JsonObject, known: readonly EntityTypeDescription[]): Question {
  const faults = new InputFaults()
  const question = questionIn(input, known, faults)
  faults.throwIfAny(QUERY_ACTION)
  return question
}

function questionIn(
  input: JsonObject,
  known: readonly EntityTypeDescription[],
  faults: InputFaults,
): Question {
  const given = new Map(Object.entries(input).filter(([, value]) => value !== null))
  const others = Object.keys(input).filter((name) => !MEMBERS.includes(name))
  noOthers(Object.fromEntries(others.map((name) => [name, true])), '', { faults })
  const types = readTypes(given.get('types'), known, faults)
  const context = { properties: new KnownProperties(types, known), faults }
  const text = readText(given.get('text'), faults)
  const read = <T>(name: string, absent: T, reader: (value: JsonValue, pointer: string) => T): T => {
    const value = given.get(name)
    return value === undefined ? absent : reader(value, `/${name}`)
  }
  const similar = read('similar', undefined, (value, pointer) => readSimilar(value, pointer, known, faults))
  if (text !== undefined && given.has('similar'))
    faults.add('/similar', 'not_allowed', 'a question has a text, or an entity that others are like')
  const isRanked = text !== undefined || given.has('similar')
  return {
    types: types.map(({ type }) => type).sort(),
    text,
    similar,
    where: read('where', undefined, (value, pointer) => readWhere(value, pointer, context)),
    sort: read('sort', [], (value, pointer) => readSort(value, pointer, isRanked, context)),
    ...read('fields', NO_FIELDS, (value, pointer) => readFields(value, pointer, types, context)),
    include: read('include', [], (value, pointer) => readInclude(value, pointer, context)),
    facets: read('facets', [], (value, pointer) => readFacets(value, pointer, context)),
    group: readGroups(given, context),
    limit: read('limit', LIST_DEFAULT, (value, pointer) => readLimit(value, pointer, faults)),
    cursor: read('cursor', undefined, (value, pointer) =>
      typeof value === 'string' ? value : faults.add(pointer, 'wrong_type', 'a cursor is a text'),
    ),
    matchedIn: read('matchedIn', false, (value, pointer) =>
      typeof value === 'boolean'
        ? value
        : (faults.add(pointer, 'wrong_type', 'matchedIn is true or false') ?? false),
    ),
    followed: context.properties.followed,
  }
}

/**
 * Returns the types that a query reads, including those behind references. Returns undefined, meaning all types, if the query
 * names none, includes references, follows references to any type, uses `similar`, or names an unknown type (because the
 * fault lists all types). Faults list the properties of types to which paths lead, so those of invalid inputs count too.
 */
export async function typesRead(input: JsonObject, world: World): Promise<readonly string[] | undefined> {
  const { types, similar = null, include = null } = input
  if (!Array.isArray(types) || types.length === 0 || similar !== null || include !== null) return undefined
  const known = await world.types()
  const { followed } = questionIn(input, known, new InputFaults())
  if (followed.has(ANY_TYPE) || !types.every((type) => known.some((one) => one.type === type)))
    return undefined
  return known.flatMap(({ type }) => (types.includes(type) || followed.has(type) ? [type] : []))
}

/** Reads the types to query. Default: all types. */
function readTypes(
  value: JsonValue | undefined,
  known: readonly EntityTypeDescription[],
  faults: InputFaults,
): readonly EntityTypeDescription[] {
  const pointer = '/types'
  if (value === undefined) return known
  if (!Array.isArray(value)) {
    faults.add(pointer, 'wrong_type', 'types is a list of entity types')
    return known
  }
  if (value.length > MAX_TYPES) faults.add(pointer, 'too_many', `a question names ${MAX_TYPES} types at most`)
  const named = new Set<EntityTypeDescription>()
  for (const [index, type] of value.slice(0, MAX_TYPES).entries()) {
    const description = known.find((one) => one.type === type)
    if (description) named.add(description)
    else if (typeof type !== 'string') faults.add(`${pointer}/${index}`, 'wrong_type', 'a type is a text')
    else if (typeFault(type)) faults.add(`${pointer}/${index}`, 'malformed', 'a type looks like prefix:name')
    else faults.add(`${pointer}/${index}`, 'not_allowed', noType(type, known))
  }
  // If no valid type is left, the rest is checked against all types, so that a misspelt type causes only one fault.
  return named.size === 0 ? known : [...named]
}

/** Maximum types listed in a fault. The discovery document lists all of them. */
const TYPES_LISTED = 20

/** Returns the message of a fault about an unknown type, with the known ones. */
export function noType(type: string, known: readonly EntityTypeDescription[]): string {
  const names = known.map((one) => one.type).sort()
  const more = names.length - TYPES_LISTED
  const listed = names.slice(0, TYPES_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return `this world has no type ${type}; ${names.length === 0 ? 'it has none' : `it has ${listed}`}`
}

function readText(value: JsonValue | undefined, faults: InputFaults): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') return faults.add('/text', 'wrong_type', 'text is a text')
  if (value.length > MAX_TEXT_LENGTH && [...value].length > MAX_TEXT_LENGTH)
    return faults.add('/text', 'too_long', `text has ${MAX_TEXT_LENGTH} characters at most`)
  return value.trim() === '' ? undefined : value
}

function readSimilar(
  value: JsonValue,
  pointer: string,
  known: readonly EntityTypeDescription[],
  faults: InputFaults,
): EntityKey | undefined {
  const { type, id, ...others } = isObject(value) ? value : {}
  noOthers(others, pointer, { faults })
  const entity = readReference([type, id], pointer, faults)?.value
  if (entity === undefined || known.some((one) => one.type === entity.type)) return entity
  return faults.add(`${pointer}/type`, 'not_allowed', noType(entity.type, known))
}

function readLimit(value: JsonValue, pointer: string, faults: InputFaults): number {
  if (typeof value !== 'number') faults.add(pointer, 'wrong_type', 'limit is a number')
  else if (!Number.isInteger(value)) faults.add(pointer, 'not_integer', 'limit is a whole number')
  else if (value < 0) faults.add(pointer, 'too_small', 'limit is 0 or more')
  return typeof value === 'number' ? Math.min(value, LIST_MAX) : LIST_DEFAULT
}

function readInclude(value: JsonValue, pointer: string, context: ReadContext): Question['include'] {
  return readPaths(value, pointer, context.faults, (item, itemPointer) => {
    const askable = readProperty(item, itemPointer, context)
    if (askable === undefined) return undefined
    if (isJoined(askable.path))
      return context.faults.add(
        itemPointer,
        'not_allowed',
        'include follows the references of what is found alone',
      )
    if (askable.kinds.has('reference') && typeof askable.path !== 'string') return askable.path
    return context.faults.add(itemPointer, 'wrong_type', `${shownPath(askable.path)} holds no references`)
  })
}

const NO_FIELDS: Pick<Question, 'fields' | 'joinedFields'> = { fields: undefined, joinedFields: [] }

/**
 * Reads the attributes to return. Each must be declared by a queried type, unless one of those types declares none, or lead
 * through a reference. The type and id of a reference are its own members.
 */
function readFields(
  value: JsonValue,
  pointer: string,
  types: readonly EntityTypeDescription[],
  { properties: known, faults }: ReadContext,
): typeof NO_FIELDS {
  const named = types.map(({ schema }) =>
    isObject(schema?.['properties']) ? schema['properties'] : undefined,
  )
  const joinedFields: JoinedField[] = []
  const fields = readPaths(value, pointer, faults, (item, itemPointer) => {
    const path = readField(item, itemPointer, faults)
    if (path === undefined) return undefined
    const last = path.at(-1)
    const through = known.get(path) || last === 'type' || last === 'id' ? undefined : known.through(path)
    if (through && 'message' in through) return faults.add(itemPointer, 'not_allowed', through.message)
    if (through && isJoined(through.path) && through.path.property !== 'attributes') {
      joinedFields.push({ path: through.path, isList: through.isList })
      return undefined
    }
    if (named.some((properties) => properties === undefined || Object.hasOwn(properties, path[0])))
      return path
    return faults.add(
      itemPointer,
      'not_allowed',
      `no type that is asked has the attribute ${shownPath(path)}`,
    )
  })
  return { fields, joinedFields }
}

/** Reads the path of an attribute to return. The title, type and id, which are always returned, have none. */
export function readField(value: JsonValue, pointer: string, faults: InputFaults) {
  const path = pathFromProperty(value)
  if (path === undefined || path === 'attributes')
    return faults.add(pointer, 'malformed', 'a field is the name of an attribute')
  return typeof path === 'string' ? undefined : path
}

/** Reads a list of properties, each to the names of its path. */
export function readPaths(
  value: JsonValue,
  pointer: string,
  faults: InputFaults,
  readItem: (item: JsonValue, pointer: string) => readonly string[] | undefined,
): (readonly string[])[] {
  const list = { max: QUERY_MAX_PATHS, form: 'this is a list of properties', faults }
  return readList(value, pointer, list, readItem)
}
