/** The `wp:discover` action: schemas, input validation and output format (decisions 4). */
import {
  DISCOVER_ACTION,
  type FieldFault,
  type JsonObject,
  type JsonValue,
  pointerTo,
  TYPE,
  typeFault,
  type Warning,
} from '@worldwright/client/protocol'
import type { Query } from '../store/contract.ts'
import { sha256 } from '../store/digest.ts'
import type { Action } from './action.ts'
import type { CursorScope } from './cursor.ts'
import { ENTITIES, entitiesJson, MATCHED_IN } from './entities-json.ts'
import { fieldsFault } from './errors.ts'
import { DISCOVER_DEFAULT, DISCOVER_MAX, MAX_TEXT_LENGTH, MAX_TYPES, SEARCH_BUDGET_MS } from './limits.ts'
import { cursorFromPlace, placeFromCursor } from './place-cursor.ts'
import type { World } from './world.ts'

const flag = (description: string) => ({ type: ['boolean', 'null'], description })

const DESCRIPTION: Action['description'] = {
  name: DISCOVER_ACTION,
  title: 'Discover',
  description: 'Finds entities by type and free text, best match first.',
  safe: true,
  inputSchema: {
    type: 'object',
    properties: {
      types: {
        type: ['array', 'null'],
        description: 'Entity types to search; absent or empty for all.',
        items: { type: 'string', maxLength: 128, pattern: TYPE.source },
        maxItems: MAX_TYPES,
      },
      text: {
        type: ['string', 'null'],
        description: 'What to look for, in plain words; absent or blank for everything.',
        maxLength: MAX_TEXT_LENGTH,
      },
      limit: {
        type: ['integer', 'null'],
        description: `How many entities at most; ${DISCOVER_MAX} if more are asked for.`,
        minimum: 0,
        default: DISCOVER_DEFAULT,
      },
      cursor: {
        type: ['string', 'null'],
        description: 'nextCursor of the answer before, to the same types and text.',
      },
      unfinished: flag('Whether the text is still being typed, so that its last word may go on.'),
      plain: flag('Whether to read no word as a type or as an order.'),
      matchedIn: flag('Whether to say of each entity in which fields it matched.'),
    },
  },
  outputSchema: {
    type: 'object',
    required: ['entities', 'limit', 'total', 'counts', 'truncated', 'matched'],
    properties: {
      entities: ENTITIES,
      limit: { type: 'integer', minimum: 0 },
      total: { type: 'integer', minimum: 0 },
      counts: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
      totalIsLowerBound: { const: true },
      truncated: { type: 'boolean' },
      partial: { const: true },
      matched: { type: 'array', items: { type: 'string' } },
      why: { type: 'array', items: { type: 'object', required: ['word', 'type'] } },
      broad: { const: true },
      matchedIn: MATCHED_IN,
      nextCursor: { type: 'string' },
      damaged: { type: 'array', items: { type: 'object', required: ['type', 'id'] } },
    },
  },
}

/** Action that searches the world's entities. It is the only action that every world has (Level 1, endpoint 4). */
export const DISCOVER: Action = {
  description: DESCRIPTION,
  errors: ['invalid_cursor'],
  reads: (input) => queryFrom(input).types,
  async call(input, { world, signal, client, position }) {
    const { cursor, matchedIn, ...asked } = queryFrom(input)
    const scope = await scopeOf(world, asked)
    const fits = (values: readonly JsonValue[]) => fitsOrder(asked, values)
    const after = cursor === undefined ? undefined : placeFromCursor(scope, cursor, fits)
    const query = { ...asked, after, budgetMs: SEARCH_BUDGET_MS }
    // Do not pass the whole context: a query must be cloneable across processes, and `writes` contains functions.
    const { hits, warnings, ...found } = await world.discover(query, { signal, client, position })
    const output = {
      limit: query.limit,
      total: found.total,
      counts: found.counts,
      ...(found.totalIsLowerBound ? { totalIsLowerBound: true } : {}),
      truncated: found.truncated,
      ...(found.partial ? { partial: true } : {}),
      matched: found.matched,
      ...(found.why ? { why: found.why } : {}),
      ...(found.broad ? { broad: true } : {}),
      ...(matchedIn ? { matchedIn: await world.matchedIn({ hits, matched: found.matched }) } : {}),
      ...(found.last ? { nextCursor: cursorFromPlace(scope, found.last) } : {}),
      ...(found.damaged ? { damaged: found.damaged } : {}),
    }
    return {
      output: `{"entities":${entitiesJson(hits)},${JSON.stringify(output).slice(1)}`,
      warnings: [...warnings, ...unknownMembers(input)],
    }
  },
}

/** Validated input, except for the cursor, which is not yet parsed. */
interface DiscoverQuery extends Pick<Query, 'types' | 'text' | 'unfinished' | 'plain' | 'limit'> {
  readonly cursor: string | undefined
  readonly matchedIn?: boolean
}

/** Members of the input that are false by default. */
const FLAGS = ['unfinished', 'plain', 'matchedIn'] as const

/** Parses and validates the input. Does not check whether the types exist. @throws WorldFault `invalid_input` */
function queryFrom(input: JsonObject): DiscoverQuery {
  const faults: FieldFault[] = []
  const types = readTypes(member(input, 'types'), faults)
  const text = readText(input, faults)
  const limit = readLimit(input, faults)
  const cursor = memberOf(input, 'cursor', 'string', faults) as string | undefined
  const flags = FLAGS.filter((name) => memberOf(input, name, 'boolean', faults) === true)
  const message = `The input of ${DISCOVER_ACTION} does not match its inputSchema.`
  if (faults.length > 0) throw fieldsFault('invalid_input', message, faults)
  return { types, text, ...Object.fromEntries(flags.map((name) => [name, true])), limit, cursor }
}

/** Returns the scope of a query's cursors. Unknown types match nothing, so the scope leaves them out. */
async function scopeOf(world: World, asked: Partial<Query>): Promise<CursorScope> {
  const { types, text, unfinished, plain } = asked
  const known = await world.types()
  const searched = types && known.map(({ type }) => type).filter((type) => types.includes(type))
  const reading = unfinished || plain ? [unfinished, plain] : []
  const scope = JSON.stringify([searched ?? null, text ?? null, ...reading])
  return { worldId: world.description.id, type: [DISCOVER_ACTION, sha256(scope)] }
}

/** Reports whether a cursor's values fit the sort order: a single score if the query has text, otherwise no values. */
function fitsOrder({ text }: Partial<Query>, values: readonly JsonValue[]): boolean {
  return text === undefined ? values.length === 0 : values.length === 1 && typeof values[0] === 'number'
}

/** Returns an own property, or undefined if there is none. Callers treat null as absent, too. */
function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function readTypes(value: JsonValue | undefined, faults: FieldFault[]): string[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || value.length > MAX_TYPES) {
    const reason = Array.isArray(value) ? 'too_many' : 'wrong_type'
    faults.push({ in: 'body', pointer: '/input/types', reason })
    return undefined
  }
  for (const [index, type] of value.entries()) {
    const pointer = `/input/types/${index}`
    if (typeof type !== 'string') faults.push({ in: 'body', pointer, reason: 'wrong_type' })
    else if (typeFault(type) !== undefined) faults.push({ in: 'body', pointer, reason: 'malformed' })
  }
  const types = [...new Set(value.filter((type) => typeof type === 'string'))]
  return types.length === 0 ? undefined : types
}

function readText(input: JsonObject, faults: FieldFault[]): string | undefined {
  const value = (memberOf(input, 'text', 'string', faults) ?? '') as string
  // A code point has at most two units.
  if (value.length > 2 * MAX_TEXT_LENGTH || [...value].length > MAX_TEXT_LENGTH) {
    faults.push({ in: 'body', pointer: '/input/text', reason: 'too_long' })
  }
  return value.trim() === '' ? undefined : value
}

function readLimit(input: JsonObject, faults: FieldFault[]): number {
  const value = memberOf(input, 'limit', 'number', faults)
  if (typeof value !== 'number') return DISCOVER_DEFAULT
  if (!Number.isInteger(value)) faults.push({ in: 'body', pointer: '/input/limit', reason: 'not_integer' })
  else if (value < 0) faults.push({ in: 'body', pointer: '/input/limit', reason: 'too_small' })
  return Math.min(value, DISCOVER_MAX)
}

/** Returns a member of this type, or undefined if it is absent, null or of another type, which is a fault. */
function memberOf(input: JsonObject, name: string, type: string, faults: FieldFault[]) {
  const value = member(input, name) ?? undefined
  if (value === undefined || typeof value === type) return value
  faults.push({ in: 'body', pointer: `/input/${name}`, reason: 'wrong_type' })
  return undefined
}

const KNOWN_MEMBERS = new Set(Object.keys(DESCRIPTION.inputSchema?.['properties'] ?? {}))
/** Maximum number of warnings about unknown members. A body may contain thousands of such members. */
const MAX_WARNINGS = 20

function unknownMembers(input: JsonObject): Warning[] {
  return Object.keys(input)
    .filter((name) => !KNOWN_MEMBERS.has(name))
    .slice(0, MAX_WARNINGS)
    .map((name) => ({
      code: 'unknown_field',
      message: `${DISCOVER_ACTION} has no input member of this name; it was ignored.`,
      field: pointerTo('/input', name),
    }))
}
