/** The extension `worldwright:results`: the whole answer to a question as one file, at an address that can be linked. */
import {
  type EntityTypeDescription,
  isObject,
  type JsonObject,
  type JsonValue,
} from '@worldwright/client/protocol'
import { overloaded } from '../handler/error-response.ts'
import type { Route, WorldRequest, WorldResponse } from '../handler/http.ts'
import { type Operation, queryParameter } from '../handler/operation.ts'
import { QueryReader } from '../handler/query.ts'
import { splitTarget } from '../handler/router.ts'
import type { Storage } from '../storage/contract.ts'
import { WorldFault } from '../world/errors.ts'
import { type Question, readQuestion } from '../world/query/read-input.ts'
import { World, type WorldDescription } from '../world/world.ts'
import { ResultSnapshot } from './result-snapshot.ts'

/** The extension's name in the discovery document. */
export const RESULTS_EXTENSION = 'worldwright:results'

/** The formats that a result of one type is written in. */
export type ResultFormat = 'csv' | 'geojson' | 'ndjson'

/** Writes all entities of a type that a snapshot has. */
export type WriteResult = (
  storage: { snapshot(): ResultSnapshot },
  asked: { format: ResultFormat; type: string; schema: JsonObject | undefined },
) => AsyncIterable<string | Uint8Array>

/** The results of a world, ready to be given to `createWorld`. */
export interface ResultsApi {
  routes(apiPath: string): readonly Route[]
  /** What discovery declares. */
  readonly extensions: Readonly<Record<string, JsonObject>>
}

const MEDIA_TYPES: Readonly<Record<ResultFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  geojson: 'application/geo+json',
  ndjson: 'application/x-ndjson',
}
const FORMATS = Object.keys(MEDIA_TYPES) as ResultFormat[]

/** Results that one process writes at a time; each asks again and again until it ends. */
const MOST_AT_ONCE = 8

const RESULT: Operation = {
  id: 'result',
  summary: 'The whole answer to a question, as result.csv, result.geojson or result.ndjson',
  parameters: [
    queryParameter(
      'input',
      'The input of worldwright:query as JSON, with one type, without limit, cursor, facets and include.',
      {
        type: 'string',
      },
    ),
  ],
  answers: {
    200: {
      description: 'Every entity of the answer.',
      content: Object.fromEntries(FORMATS.map((format) => [MEDIA_TYPES[format].split(';')[0] ?? '', {}])),
    },
  },
  errors: ['not_found', 'invalid_parameter', 'invalid_input', 'damaged', 'unavailable', 'action_timeout'],
}

/** Serves results, which `write` makes of the entities of one type. In a private world they need a token like all else. */
export function createResultsApi(
  description: WorldDescription,
  storage: Storage,
  write: WriteResult,
): ResultsApi {
  const world = new World(description, storage)
  let running = 0

  async function answer(request: WorldRequest, file: string): Promise<WorldResponse> {
    const format = FORMATS.find((one) => file === `result.${one}`)
    if (format === undefined)
      throw new WorldFault('not_found', 'There is nothing at this path.', { path: request.target })
    const question = questionOf(request, await world.types())
    const [type = ''] = question.types
    const schema = (await world.types()).find((one) => one.type === type)?.schema
    const result = new ResultSnapshot(question, { world, client: request.client, signal: request.signal })
    await beginning(result)
    const pieces = write({ snapshot: () => result }, { format, type, schema })
    return {
      status: 200,
      headers: {
        'content-type': MEDIA_TYPES[format],
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${file}"`,
      },
      ...(request.method !== 'HEAD' && { body: counted(pieces) }),
      compressible: true,
    }
  }

  /** Reads what comes first before the status is sent, so that a refusal has one of its own. @throws WorldFault `unavailable` */
  async function beginning(result: ResultSnapshot): Promise<void> {
    if (running >= MOST_AT_ONCE) throw overloaded()
    running += 1
    try {
      await result.begin()
    } finally {
      running -= 1
    }
  }

  async function* counted(pieces: AsyncIterable<string | Uint8Array>) {
    running += 1
    try {
      yield* pieces
    } finally {
      running -= 1
    }
  }

  return {
    extensions: { [RESULTS_EXTENSION]: { path: 'results', formats: FORMATS } },
    routes: (apiPath) => [
      {
        path: `${apiPath}/results/{file}`,
        lane: 'action',
        operations: { GET: RESULT },
        answers: Object.values(MEDIA_TYPES).map((type) => type.split(';')[0] ?? ''),
        methods: { GET: (request, { file = '' }) => answer(request, file) },
      },
    ],
  }
}

/** Members that are about pages and counts: a whole result has none. */
const OF_PAGES = ['limit', 'cursor', 'facets', 'include'] as const

/** @throws WorldFault `invalid_parameter` where `input` is no JSON object of one type, `invalid_input` as the action */
function questionOf(request: WorldRequest, types: readonly EntityTypeDescription[]): Question {
  const reader = new QueryReader(splitTarget(request.target).query)
  const input = objectFrom(reader.single('input') ?? '{}')
  if (input === undefined) reader.refuse('input', 'malformed', 'must be a JSON object.')
  reader.finish()
  const question = readQuestion(input ?? {}, types)
  if (OF_PAGES.some((name) => (input?.[name] ?? null) !== null))
    reader.refuse('input', 'not_allowed', `is about a whole result, without ${OF_PAGES.join(', ')}.`)
  if (question.types.length !== 1) reader.refuse('input', 'required', 'must name one type.')
  reader.finish()
  return question
}

function objectFrom(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
