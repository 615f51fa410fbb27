/** The extension `worldwright:changes`: what changed in a world, as a route beside those of Level 1 (decisions 8). */
import type { JsonObject } from '@worldwright/client/protocol'
import { preferredType } from '../handler/content-negotiation.ts'
import type { LateFailure, Route, WorldRequest, WorldResponse } from '../handler/http.ts'
import { withWriteTimeout } from '../handler/idle-timeout.ts'
import { type Operation, queryParameter } from '../handler/operation.ts'
import type { WorldOptions } from '../handler/options.ts'
import { splitTarget } from '../handler/router.ts'
import type { IndexRules, Storage } from '../storage/contract.ts'
import { DELETIONS_KEPT_MS } from '../storage/history.ts'
import { searchSynonyms } from '../storage/search-synonyms.ts'
import { CHANGES_DEFAULT, CHANGES_MAX, MAX_TYPES } from '../world/limits.ts'
import type { WorldDescription } from '../world/world.ts'
import { changeJson, type LogState, stateMembers } from './change-json.ts'
import { ChangeLog } from './change-log.ts'
import { type Clock, EventStreams, machineClock } from './event-streams.ts'
import { changeLines } from './line-stream.ts'
import { changesParameters } from './parameters.ts'

/** The extension's name in the discovery document. */
export const CHANGES_EXTENSION = 'worldwright:changes'

/** The changes of a world, ready to be given to `createWorld`. */
export interface ChangesApi {
  /** What discovery declares. It depends on the store, since attributes can be indexed otherwise. */
  extensions(): Promise<Record<string, JsonObject>>
  /** The routes, for an API at this path. */
  routes(apiPath: string): readonly Route[]
}

/** How the changes of a world are served. `admit`: as given to `createWorld`; event streams that outlive it end. */
export interface ChangesOptions extends Pick<WorldOptions, 'admit'> {
  /** How long the store remembers deletions, in milliseconds. Default: as long as stores do that are told nothing. */
  readonly deletionsKeptMs?: number
  /** What the heartbeat of event streams goes by. */
  readonly clock?: Clock
}

/** The path of the changes below the API. */
const NAME = 'changes'
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
                  op: { enum: ['put', 'delete'] },
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

/** Makes the changes API of a world over its store. */
export function createChangesApi(
  { id }: Pick<WorldDescription, 'id'>,
  storage: Storage,
  { deletionsKeptMs = DELETIONS_KEPT_MS, clock = machineClock, admit }: ChangesOptions = {},
): ChangesApi {
  const log = new ChangeLog(id, storage)
  const streams = new EventStreams({ log, storage }, clock, admit)
  return {
    async extensions() {
      const declaration = {
        path: NAME,
        retentionDays: Math.floor(deletionsKeptMs / DAY_MS),
        limits: { default: CHANGES_DEFAULT, max: CHANGES_MAX, maxTypes: MAX_TYPES },
        formats: [JSON_TYPE, NDJSON, EVENTS],
        indexRules: jsonOf(await storage.indexRules()),
        searchSynonyms: (await searchSynonyms(storage)).map(({ from, to }) => ({
          from: [...from],
          to: [...to],
        })),
      }
      return { [CHANGES_EXTENSION]: declaration }
    },
    routes: (apiPath) => [
      {
        path: `${apiPath}/${NAME}`,
        answers: [NDJSON, EVENTS],
        operations: { GET: OPERATION },
        methods: { GET: (request, _params, failed) => changesResponse(log, streams, request, failed) },
      },
    ],
  }
}

function jsonOf(rules: IndexRules): JsonObject {
  const types = Object.entries(rules).map(([type, attributes]) => {
    const named = Object.entries(attributes).map(([name, rule]) => [name, { ...rule }] as const)
    return [type, Object.fromEntries(named)] as const
  })
  return Object.fromEntries(types)
}

/** The changes in the form that the request prefers. The first page is read before the status is sent. */
async function changesResponse(
  log: ChangeLog,
  streams: EventStreams,
  request: WorldRequest,
  failed: LateFailure,
): Promise<WorldResponse> {
  const { signal, headers, method } = request
  const { entities, nameDamaged, ...asked } = changesParameters(splitTarget(request.target).query)
  const type = preferredType(headers['accept'], [JSON_TYPE, NDJSON, EVENTS])
  if (type === NDJSON) {
    const first = await log.read({ ...asked, limit: CHANGES_MAX, signal })
    const lines = () => changeLines(log, { ...asked, signal }, { first, entities, failed })
    const body = method === 'HEAD' ? '' : withWriteTimeout(lines())
    return { status: 200, headers: uncached(NDJSON), body, compressible: true }
  }
  if (type === EVENTS) {
    const since = headers['last-event-id'] ?? asked.since
    const first = await log.read({ ...asked, since, limit: CHANGES_MAX, signal })
    const filter = { types: asked.types, entities }
    const body = method === 'HEAD' ? '' : streams.open({ request, filter, first, failed })
    return { status: 200, headers: EVENT_HEADERS, body }
  }
  const { changes, ...state } = await log.read({ ...asked, nameDamaged, signal })
  const listed = changes.map((change) =>
    changeJson(change, { entities, next: log.token(asked.types, change.place) }),
  )
  return pageResponse(listed, state)
}

function uncached(type: string) {
  return { 'content-type': type, 'cache-control': 'no-store' }
}

/** A proxy that buffers would hold events back. The connection ends with the stream, so that a server can close. */
const EVENT_HEADERS = { ...uncached(EVENTS), 'x-accel-buffering': 'no', connection: 'close' }

/** Not cached: a follower asks for each part of the log once. */
function pageResponse(changes: readonly string[], state: LogState): WorldResponse {
  return {
    status: 200,
    headers: uncached(JSON_TYPE),
    body: `{"changes":[${changes.join()}],${stateMembers(state)}}`,
  }
}
