/**
 * Bulk writes, sent in batches. Each batch is applied atomically and retried if there is no response.
 */
import { settingsOf, type WorldData } from '../discovery.ts'
import { fail, WorldError } from '../error.ts'
import { isObject, type JsonObject, type JsonValue } from '../protocol.ts'
import type { CallOptions } from '../request.ts'
import { mintId } from './mint-id.ts'
import { entitiesUrl, NDJSON, send } from './writing.ts'

/** A row of a bulk write: an entity with an optional id. */
export interface Row<Attributes = JsonObject> {
  /** Required unless `mintIds` is set, which mints missing ids. */
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly summary?: string | undefined
  readonly attributes: Attributes
}

/** Progress of a bulk write. */
export interface BulkProgress {
  /** Number of rows sent and acknowledged. */
  readonly rows: number
  /** Number of acknowledged rows that were not rejected. */
  readonly written: number
  readonly rejected: number
}

/** A row that was not written. */
export interface RejectedRow {
  /** Zero-based index among all rows of the bulk write. */
  readonly row: number
  /** Faults of the row, as reported by the world. */
  readonly fields: readonly JsonObject[]
}

/** Options and callbacks of a bulk write. */
export interface BulkOptions extends CallOptions {
  /** Treatment of a batch with invalid rows: `reject` (default) writes its valid rows, `stop` writes none and fails. */
  onInvalid?: 'reject' | 'stop' | undefined
  /** Deletes all entities of the type that are not among the rows. All rows are sent in one request. */
  replace?: boolean | undefined
  /** Mints an id for each row without one. */
  mintIds?: boolean | undefined
  /** Called after each batch. */
  onProgress?: ((progress: BulkProgress) => void) | undefined
  onRejected?: ((rejected: RejectedRow) => void) | undefined
}

/** Counts of the outcomes of a bulk write. */
export interface BulkResult {
  created: number
  changed: number
  unchanged: number
  deleted: number
  rejected: number
  /** Position to send as `worldwright-after`; absent if nothing was sent. */
  position?: string | undefined
}

/** Maximum batch size, in rows and in characters. */
const PART_ROWS = 500
const PART_LENGTH = 500_000

/** Error codes in a summary row after which the batch may be retried. */
const PASSING = new Set(['unavailable', 'rate_limited', 'request_timeout'])

/** Writes rows of one type. Rows written before a failure remain written. Resending rows is safe if they have ids. */
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
    // A replacing write is always a single batch.
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

/** Sends a batch, with retries. Retries are idempotent because every row has an id. */
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

/** Parses a response. Returns undefined if it was cut off. `committed` is null if the world does not know the outcome. */
function answerIn(body: unknown): PartAnswer | undefined {
  if (body === undefined) return undefined
  if (!Array.isArray(body)) return fail('invalid_response')
  const rows = body.slice(0, -1)
  const summary: JsonValue = rows.pop()
  if (!isObject(summary) || !('committed' in summary)) return undefined
  const rejected = rows
    .filter(({ status }) => status === 'rejected')
    .map(({ line, fields }): RejectedRow => ({ row: line - 1, fields }))
  return { summary, rejected }
}
