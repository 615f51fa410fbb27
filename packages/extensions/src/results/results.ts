/** The extension `worldwright:results`, which serves a whole query result as a file with a linkable URL. */
import {
  type EntityTypeDescription,
  isObject,
  type JsonObject,
  type JsonValue,
} from '@worldwright/client/protocol'
import type { Extension, World, WorldRequest, WorldResponse } from '@worldwright/core'
import {
  type Operation,
  overloaded,
  QueryReader,
  queryParameter,
  splitTarget,
  WorldFault,
} from '@worldwright/core'
import { type Question, readQuestion, typesRead } from '../query/read-input.ts'
import { requireSearch } from '../query/require-search.ts'
import { groupsFile, type WriteTable } from './groups-file.ts'
import { type ResultContext, ResultSnapshot } from './result-snapshot.ts'

/** Name of the extension in the discovery document. */
export const RESULTS_EXTENSION = 'worldwright:results'

/** File format for a result of one type. */
export interface ResultFormat {
  readonly name: string
  readonly mediaType: string
  /** Writes all entities of a type in a snapshot. */
  write(
    snapshot: ResultSnapshot,
    asked: { type: string; schema: JsonObject | undefined },
  ): AsyncIterable<string | Uint8Array> | Promise<AsyncIterable<string | Uint8Array>>
  /** Returns rows under named columns. Absent if the format holds only entities. */
  readonly table?: WriteTable
}

/** Options for the extension `worldwright:results`. */
export interface ResultsOptions {
  /** Formats, in the order in which discovery lists them. */
  readonly formats: readonly ResultFormat[]
}

/** Maximum concurrent results per process. Each one runs searches until it ends. */
const MOST_AT_ONCE = 8

const RESULT = {
  id: 'result',
  parameters: [
    queryParameter(
      'input',
      'The input of worldwright:query as JSON, with one type or groups, without limit, cursor, facets and include.',
      {
        type: 'string',
      },
    ),
  ],
  errors: ['not_found', 'invalid_parameter', 'invalid_input', 'damaged', 'unavailable', 'action_timeout'],
} satisfies Partial<Operation>

/** Serves results in the given formats. In a private world, results require a token like all other data. */
export function results({ formats }: ResultsOptions): Extension {
  const mediaTypes = formats.map(({ mediaType }) => mediaType.split(';')[0] ?? '')
  const files = fileNames(formats)
  const operation: Operation = {
    ...RESULT,
    summary: `The whole answer to a question, as ${files.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`,
    answers: {
      200: {
        description: 'Every entity of the answer.',
        content: Object.fromEntries(mediaTypes.map((type) => [type, {}])),
      },
    },
  }
  return ({ apiPath, world, source }) => {
    requireSearch(source, 'results()')
    const answer = createAnswer(world, formats)
    return {
      name: RESULTS_EXTENSION,
      declares: () => ({ path: 'results', formats: formats.map(({ name }) => name) }),
      routes: [
        {
          path: `${apiPath}/results/{file}`,
          lane: 'search',
          operations: { GET: operation },
          answers: mediaTypes,
          reads: (request) => {
            const input = objectFrom(new QueryReader(splitTarget(request.target).query).single('input') ?? '')
            return input && typesRead(input, world)
          },
          methods: { GET: (request, { file = '' }) => answer(request, file) },
        },
      ],
    }
  }
}

function fileNames(formats: readonly ResultFormat[]): string[] {
  return formats.map(({ name }) => `result.${name}`)
}

/** Creates the request handler, which counts the results in progress. */
function createAnswer(world: World, formats: readonly ResultFormat[]) {
  const files = fileNames(formats)
  let running = 0

  async function answer(request: WorldRequest, file: string): Promise<WorldResponse> {
    const format = formats[files.indexOf(file)]
    if (format === undefined)
      throw new WorldFault('not_found', 'There is nothing at this path.', { path: request.target })
    const { question, isLimited } = questionOf(request, await world.types(), format)
    const context = { world, client: request.client, signal: request.signal }
    const pieces =
      question.group && format.table
        ? [await groupsFile(question, isLimited, format.table, context)]
        : await entitiesFile(question, format, context)
    return {
      status: 200,
      headers: {
        'content-type': format.mediaType,
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${file}"`,
      },
      ...(request.method !== 'HEAD' && { body: counted(pieces) }),
      compressible: true,
    }
  }

  async function entitiesFile(question: Question, format: ResultFormat, context: ResultContext) {
    const [type = ''] = question.types
    const schema = (await world.types()).find((one) => one.type === type)?.schema
    const result = new ResultSnapshot(question, context)
    await beginning(result)
    return format.write(result, { type, schema })
  }

  /** Reads the first page before the status is sent, so an error has its own status. @throws WorldFault `unavailable` */
  async function beginning(result: ResultSnapshot): Promise<void> {
    if (running >= MOST_AT_ONCE) throw overloaded()
    running += 1
    try {
      await result.begin()
    } finally {
      running -= 1
    }
  }

  async function* counted(pieces: AsyncIterable<string | Uint8Array> | readonly string[]) {
    running += 1
    try {
      yield* pieces
    } finally {
      running -= 1
    }
  }

  return answer
}

/** Query members for paging and counts, which do not apply to a whole result. */
const OF_PAGES = ['limit', 'cursor', 'facets', 'include'] as const

/** @throws WorldFault `invalid_parameter` unless `input` is a JSON object with one type or groups; `invalid_input` as the action */
function questionOf(
  request: WorldRequest,
  types: readonly EntityTypeDescription[],
  { name, table }: ResultFormat,
): { readonly question: Question; readonly isLimited: boolean } {
  const reader = new QueryReader(splitTarget(request.target).query)
  const input = objectFrom(reader.single('input') ?? '{}')
  if (input === undefined) reader.refuse('input', 'malformed', 'must be a JSON object.')
  reader.finish()
  const question = readQuestion(input ?? {}, types)
  if (OF_PAGES.some((name) => (input?.[name] ?? null) !== null))
    reader.refuse('input', 'not_allowed', `is about a whole result, without ${OF_PAGES.join(', ')}.`)
  const { group, joinedFields } = question
  if (!group && question.types.length !== 1) reader.refuse('input', 'required', 'must name one type.')
  if (group && !table) reader.refuse('input', 'not_allowed', `asks for groups, which ${name} does not hold.`)
  if (joinedFields.length > 0)
    reader.refuse(
      'input',
      'not_allowed',
      'must name fields of the entities themselves, not of those referred to.',
    )
  reader.finish()
  return { question, isLimited: (input?.['groupLimit'] ?? null) !== null }
}

function objectFrom(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
