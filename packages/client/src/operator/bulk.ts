/**
 * Many entities at a time: in parts that are each written as a whole, and sent again where no answer came.
 */
import { settingsOf, type WorldData } from '../discovery.ts'
import { fail, WorldError } from '../error.ts'
import { isObject, type JsonObject, type JsonValue } from '../protocol.ts'
import type { CallOptions } from '../request.ts'
import { mintId } from './mint-id.ts'
import { entitiesUrl, NDJSON, send } from './writing.ts'

/** A row: an entity with its id. */
export interface Row<Attributes = JsonObject> {
  /** Absent: one is minted, where `mintIds` says so. */
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly summary?: string | undefined
  readonly attributes: Attributes
}

/** How far a bulk write has come. */
export interface BulkProgress {
  /** Rows that were sent and answered. */
  readonly rows: number
  /** Of them, those that are written. */
  readonly written: number
  readonly rejected: number
}

/** A row that was not written. */
export interface RejectedRow {
  /** Counted from 0, in the order in which the rows came. */
  readonly row: number
  /** What is wrong with it, as the world says it. */
  readonly fields: readonly JsonObject[]
}

/** How many rows are written, and what is heard of it. */
export interface BulkOptions extends CallOptions {
  /** What becomes of the others of its part where a row is no entity of its type: they are written (`reject`), or not. */
  onInvalid?: 'reject' | 'stop' | undefined
  /** Entities of the type that are not among the rows are deleted. All rows go in one request then. */
  replace?: boolean | undefined
  /** Rows without an id get one. */
  mintIds?: boolean | undefined
  /** Called after each part. */
  onProgress?: ((progress: BulkProgress) => void) | undefined
  onRejected?: ((rejected: RejectedRow) => void) | undefined
}

/** What a bulk write came to. */
export interface BulkResult {
  created: number
  changed: number
  unchanged: number
  deleted: number
  rejected: number
  /** For `worldwright-after`; absent if there was no row. */
  position?: string | undefined
}

/** A part has so many rows at most, or so many characters. */
const PART_ROWS = 500
const PART_LENGTH = 500_000

/** Failures of a part that had begun its answer, and that another attempt may not meet. */
const PASSING = new Set(['unavailable', 'rate_limited', 'request_timeout'])

/** Writes rows of one type. What was written before a failure stays: the same rows can be sent again. */
export async function bulk<Attributes>(
  world: WorldData,
  type: string,
  rows: Iterable<Row<Attributes>> | AsyncIterable<Row<Attributes>>,
  options: BulkOptions = {},
): Promise<BulkResult> {
  const { replace = false, mintIds = false, onInvalid = 'reject', onProgress, onRejected } = options
  const url = `${entitiesUrl(world, type)}?onInvalid=${onInvalid}&replace=${replace}`
  const total: BulkResult = { created: 0, changed: 0, unchanged: 0, deleted: 0, rejected: 0 }
  let lines: string[] = []
  let length = 0
  let sent = 0
  const flush = async () => {
    if (lines.length === 0 && !(replace && sent === 0)) return
    const { summary, rejected } = await sendPart(world, url, lines.join(''), options)
    for (const row of rejected) onRejected?.({ ...row, row: sent + row.row })
    sent += lines.length
    for (const name of ['created', 'changed', 'unchanged', 'deleted', 'rejected'] as const)
      total[name] += Number(summary[name])
    total.position = summary['position'] as string
    lines = []
    length = 0
    onProgress?.({ rows: sent, written: sent - total.rejected, rejected: total.rejected })
  }
  for await (const row of rows) {
    const line = `${JSON.stringify(mintIds && row.id === undefined ? { ...row, id: mintId() } : row)}\n`
    // Nothing is split that is to replace everything.
    if (!replace && (lines.length === PART_ROWS || length + line.length > PART_LENGTH)) await flush()
    lines.push(line)
    length += line.length
  }
  await flush()
  return total
}

interface PartAnswer {
  readonly summary: JsonObject
  readonly rejected: readonly RejectedRow[]
}

/** Sends a part until it is answered. Its rows name their entities: written twice, they are as written once. */
async function sendPart(
  world: WorldData,
  url: string,
  body: string,
  options: BulkOptions,
): Promise<PartAnswer> {
  const { retries = 2 } = settingsOf(world)
  const write = { url, method: 'POST', body, mediaType: NDJSON, take: answerIn }
  for (let attempt = 0; ; attempt++) {
    const { result } = await send(world, write, options)
    const { code, message, details } = result?.summary ?? { code: 'invalid_response' }
    if (result?.summary['committed'] === true) return result
    if (attempt < retries && (!result || PASSING.has(`${code}`))) continue
    throw new WorldError(`${code}`, message as string | undefined, {
      status: 200,
      url,
      ...(isObject(details) && { details }),
    })
  }
}

/** Undefined if the answer was cut off: it is open then what became of the rows. */
function answerIn(body: unknown): PartAnswer | undefined {
  if (body === undefined) return undefined
  if (!Array.isArray(body)) return fail('invalid_response')
  const rows = body.slice(0, -1)
  const summary: JsonValue = rows.pop()
  if (!isObject(summary) || typeof summary['committed'] !== 'boolean') return undefined
  const rejected = rows
    .filter(({ status }) => status === 'rejected')
    .map(({ line, fields }): RejectedRow => ({ row: line - 1, fields }))
  return { summary, rejected }
}
