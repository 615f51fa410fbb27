/** The extension `worldwright:changes`, which serves a world's change log beside the routes of Level 1 (decisions 8). */
import type { JsonObject } from '@worldwright/client/protocol'
import type { Extension, LateFailure, WorldRequest, WorldResponse } from '@worldwright/core'
import {
  fieldsFault,
  MAX_TYPES,
  type Operation,
  preferredType,
  queryParameter,
  splitTarget,
  type World,
  waitForPosition,
} from '@worldwright/core'
import {
  DELETIONS_KEPT_MS,
  type IndexRules,
  indexRules,
  type Store,
  searchSynonyms,
  textOfSynonyms,
} from '@worldwright/core/store'
import { withWriteTimeout } from '../files/idle-timeout.ts'
import { CHANGES_PATH } from '../log/tokens.ts'
import { type ChangeCondition, readChangeCondition } from './change-condition.ts'
import { pageJson } from './change-json.ts'
import { BehindReader, ChangeLog } from './change-log.ts'
import { type Clock, EventStreams, machineClock, type StreamLimits } from './event-streams.ts'
import { CHANGES_DEFAULT, CHANGES_MAX } from './limits.ts'
import { changeLines } from './line-stream.ts'
import { type ChangesParameters, changesParameters } from './parameters.ts'
import { readPiece, Turns } from './turns.ts'

/** Name of the extension in the discovery document. */
export const CHANGES_EXTENSION = 'worldwright:changes'

/** Options for the extension `worldwright:changes`. */
export interface ChangesOptions extends StreamLimits {
  /** Tombstone retention of the store, in milliseconds. Default: the default retention of stores. */
  readonly deletionsKeptMs?: number
  /** Clock for the heartbeats of event streams. */
  readonly clock?: Clock
}

const JSON_TYPE = 'application/json'
const NDJSON = 'application/x-ndjson'
const EVENTS = 'text/event-stream'
const DAY_MS = 24 * 60 * 60 * 1_000

const OPERATION: Operation = {
  id: 'changes',
  summary: 'What changed, in the order in which it happened',
  parameters: [
    queryParameter('since', '`next` of an earlier answer, or `now`. Absent: from the beginning.', {
      type: 'string',
    }),
    queryParameter('types', `Only these types, separated by commas; ${MAX_TYPES} at most.`, {
      type: 'string',
    }),
    queryParameter(
      'where',
      'Condition in CQL2, as text or JSON: a changed entity that does not match it comes as `leave`.',
      {
        type: 'string',
      },
    ),
    queryParameter('limit', 'Changes at most. It counts for JSON alone.', {
      type: 'integer',
      minimum: 0,
      default: CHANGES_DEFAULT,
    }),
    queryParameter('damaged', 'Leaves damaged entities out and names them. It counts for JSON alone.', {
      type: 'string',
      enum: ['named'],
    }),
    queryParameter('entities', 'Whether entities come with their changes.', {
      type: 'string',
      enum: ['true', 'false'],
      default: 'false',
    }),
  ],
  answers: {
    200: {
      description: 'A page of changes; all of them, one per line; or a stream of events.',
      content: {
        [JSON_TYPE]: {
          type: 'object',
          required: ['changes', 'next', 'more', 'position'],
          properties: {
            changes: {
              type: 'array',
              items: {
                type: 'object',
                required: ['op', 'type', 'id'],
                properties: {
                  op: { enum: ['put', 'delete', 'leave'] },
                  type: { type: 'string' },
                  id: { type: 'string' },
                },
              },
            },
            damaged: { type: 'array', items: { type: 'object', required: ['type', 'id'] } },
            next: { type: 'string' },
            more: { type: 'boolean' },
            position: { type: 'string' },
          },
        },
        [NDJSON]: {},
        [EVENTS]: {},
      },
    },
  },
  errors: ['invalid_parameter', 'invalid_cursor', 'changes_expired'],
}

/** Serves a world's changes. An event stream ends when its client loses read access. */
export function changes({
  deletionsKeptMs = DELETIONS_KEPT_MS,
  clock = machineClock,
  ...limits
}: ChangesOptions = {}): Extension {
  return ({ apiPath, world, store, admission }) => {
    const log = new ChangeLog(world.description.id, store)
    const turns = new Turns()
    const streams = new EventStreams({ log, store, turns }, clock, admission, limits)
    return {
      name: CHANGES_EXTENSION,
      declares: async () => ({
        path: CHANGES_PATH,
        ...('find' in store && { where: true }),
        retentionDays: Math.floor(deletionsKeptMs / DAY_MS),
        limits: { default: CHANGES_DEFAULT, max: CHANGES_MAX, maxTypes: MAX_TYPES },
        formats: [JSON_TYPE, NDJSON, EVENTS],
        indexRules: jsonOf(await indexRules(store)),
        searchSynonyms: JSON.parse(textOfSynonyms(await searchSynonyms(store)) ?? '[]'),
      }),
      routes: [
        {
          path: `${apiPath}/${CHANGES_PATH}`,
          answers: [NDJSON, EVENTS],
          operations: { GET: OPERATION },
          reads: ({ target }) => changesParameters(splitTarget(target).query).types,
          methods: {
            async GET(request, _params, failed) {
              const answer = () => changesResponse({ log, streams, turns, store, world }, request, failed)
              try {
                return await answer()
              } catch (error) {
                if (!(error instanceof BehindReader)) throw error
                // If another history has begun meanwhile, the answer says so.
                await waitForPosition(store, error.position, request.signal).catch((fault) => {
                  if (Object(fault).code === 'unavailable') throw fault
                })
                return answer()
              }
            },
          },
        },
      ],
    }
  }
}

function jsonOf(rules: IndexRules): JsonObject {
  const types = Object.entries(rules).map(([type, attributes]) => {
    const named = Object.entries(attributes).map(([name, rule]) => [name, { ...rule }] as const)
    return [type, Object.fromEntries(named)] as const
  })
  return Object.fromEntries(types)
}

/** State shared by all requests for a world's changes. */
interface Served {
  readonly world: World
  readonly store: Store
  readonly log: ChangeLog
  readonly streams: EventStreams
  readonly turns: Turns
}

/** Returns the changes in the requested format. The first page is read before the status is sent. */
async function changesResponse(
  served: Served,
  request: WorldRequest,
  failed: LateFailure,
): Promise<WorldResponse> {
  const { log, streams, turns } = served
  const { signal, headers, method } = request
  const parameters = changesParameters(splitTarget(request.target).query)
  const { nameDamaged, entities, where: _, ...asked } = parameters
  const form = { entities, where: await conditionOf(parameters, served) }
  const type = preferredType(headers['accept'], [JSON_TYPE, NDJSON, EVENTS])
  if (type === NDJSON) {
    const pieces = { ...asked, ...form, signal }
    const first = await turns.run(() => readPiece(log, pieces))
    const body = method === 'HEAD' ? '' : withWriteTimeout(changeLines(log, pieces, { first, turns, failed }))
    return { status: 200, headers: uncached(NDJSON), body, compressible: true }
  }
  if (type === EVENTS) {
    const since = headers['last-event-id'] ?? asked.since
    const filter = { types: asked.types, ...form }
    if (method === 'HEAD') await log.read({ ...asked, since, limit: 1, signal })
    const body = method === 'HEAD' ? '' : await streams.open({ request, filter, since, failed })
    return { status: 200, headers: EVENT_HEADERS, body }
  }
  const page = await log.read({ ...asked, nameDamaged, withValues: form.where !== undefined, signal })
  // Not cached, because a follower requests each part of the log only once.
  const body = pageJson(page, form, (offset) => log.token(asked.types, offset))
  return { status: 200, headers: uncached(JSON_TYPE), body }
}

/** Reads the condition over the types as they are described now. @throws WorldFault `invalid_parameter` */
async function conditionOf(
  { where, types }: ChangesParameters,
  { world, store }: Served,
): Promise<ChangeCondition | undefined> {
  if (where === undefined) return undefined
  if (!('find' in store))
    throw fieldsFault(
      'invalid_parameter',
      'where: the store of this world evaluates no conditions. Omit it.',
      [{ in: 'query', name: 'where', reason: 'not_allowed' }],
    )
  const known = await world.types()
  const asked = types ? known.filter(({ type }) => types.includes(type)) : known
  return readChangeCondition(where, asked, known)
}

function uncached(type: string) {
  return { 'content-type': type, 'cache-control': 'no-store' }
}

/** Turns off proxy buffering, which delays events. Closes the connection with the stream, so that a server can stop. */
const EVENT_HEADERS = { ...uncached(EVENTS), 'x-accel-buffering': 'no', connection: 'close' }
