/**
 * Bulk writes: sent in parts that are each applied as a whole, and sent again after no answer.
 */
import { settingsOf, type WorldData } from '../discovery.ts'
import { fail, WorldError } from '../error.ts'
import { isObject, type JsonObject, type JsonValue } from '../protocol.ts'
import type { CallOptions } from '../request.ts'
import { mintId } from './mint-id.ts'
import { entitiesUrl, NDJSON, send } from './writing.ts'

/** A row of a bulk write: an entity with its id. */
export interface Row<Attributes = JsonObject> {
  /** Absent: one is minted, if `mintIds` is set. */
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly summary?: string | undefined
  readonly attributes: Attributes
}

/** Progress of a bulk write. */
export interface BulkProgress {
  /** Rows that were sent and answered. */
  readonly rows: number
  /** Those of them that are written. */
  readonly written: number
  readonly rejected: number
}

/** A row that was not written. */
export interface RejectedRow {
  /** Index from 0, in the order of the rows. */
  readonly row: number
  /** Faults of the row, as reported by the world. */
  readonly fields: readonly JsonObject[]
}

/** Options of a bulk write, and its callbacks. */
export interface BulkOptions extends CallOptions {
  /** Treatment of the valid rows in a part with an invalid one: they are written (`reject`), or not. */
  onInvalid?: 'reject' | 'stop' | undefined
  /** Deletes entities of the type that are not among the rows. All rows are then sent in one request. */
  replace?: boolean | undefined
  /** Rows without an id get a new one. */
  mintIds?: boolean | undefined
  /** Called after each part. */
  onProgress?: ((progress: BulkProgress) => void) | undefined
  onRejected?: ((rejected: RejectedRow) => void) | undefined
}

/** Result of a bulk write, by kind of change. */
export interface BulkResult {
  created: number
  changed: number
  unchanged: number
  deleted: number
  rejected: number
  /** For `worldwright-after`; absent if there was no row. */
  position?: string | undefined
}

/** Maximum size of a part, in rows and in characters. */
const PART_ROWS = 500
const PART_LENGTH = 500_000

/** Error codes of a part that had begun its answer, after which a retry may succeed. */
const PASSING = new Set(['unavailable', 'rate_limited', 'request_timeout'])

/** Writes rows of one type. Rows written before a failure stay written: the same rows can be sent again. */
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
    // A write that replaces everything is not split.
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

/** Sends a part until it is answered. Retries are idempotent: its rows name their entities. */
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

/** Returns undefined if the answer was cut off: the fate of the rows is then unknown. */
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
