/** Bulk writes: the entities arrive one per line, are staged as they arrive, and are committed atomically. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Entity } from '@worldwright/client/protocol'
import type { LateFailure, WorldRequest, WorldResponse } from '@worldwright/core'
import { atMost, codingOf, fieldsFault, nothing, splitTarget, WorldFault } from '@worldwright/core'
import { type Bulk, type Store, StoreFault } from '@worldwright/core/store'
import { lineRecords, type RecordFault } from '@worldwright/entities'
import type { TypeCheck } from '@worldwright/entities/types'
import { withReadTimeout, withWriteTimeout } from '../files/idle-timeout.ts'
import type { AuditedChange } from './audit.ts'
import { entityFromBody } from './entity-body.ts'
import { unpackedBody } from './read-body.ts'

/** Maximum decompressed size of a gzip body, in bytes: a small one may expand enormously. Other bodies have no limit. */
export const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024

/** Maximum rejected rows per write. If there are more, they probably share one fault, and nothing is written. */
export const MAX_REJECTED_ROWS = 10_000

/** A batch is staged and answered once it has this many rows or bytes. */
const BATCH_ROWS = 500
const BATCH_BYTES = 1024 * 1024

/** Maximum time spent reading and validating rows before yielding to other work, in milliseconds. */
const SLICE_MS = 20

/** Maximum faults reported per row. Further faults are usually repetitions. */
const MAX_FAULTS = 20

/** Query parameters of a bulk write. */
interface BulkParameters {
  /** With `stop`, a single invalid row prevents the whole write. */
  readonly onInvalid: 'reject' | 'stop'
  /** True to delete the entities of the type that are not in the body. One invalid row then prevents the whole write. */
  readonly replace: boolean
}

/** Inputs of a bulk write. `done` receives the outcome before the client does. */
export interface BulkWrite {
  readonly request: WorldRequest
  readonly type: string
  readonly check: TypeCheck
  readonly store: Store
  readonly failed: LateFailure
  readonly done: (outcome: Pick<AuditedChange, 'code' | 'rows'>) => void
}

/** Row of the body: its line number, and its entity or its faults. */
type Row = { readonly line: number } & ReturnType<typeof entityFromBody>

/**
 * Performs a bulk write. The NDJSON response has a line per row, either `staged` or `rejected` with its faults, sent while
 * rows are read, and then a last line, whose `committed` is null if the outcome is unknown. Only a last line with
 * `"committed":true` acknowledges the write. Nothing is written if the client stops sending, or stops reading, for a minute.
 * @throws WorldFault `unsupported_media_type`, `invalid_parameter`
 */
export function bulkResponse(write: BulkWrite): WorldResponse {
  const { request, type, check } = write
  const body = unpackedBody(request, ['application/x-ndjson'], withReadTimeout(request.body ?? nothing()))
  const parameters = parametersOf(request)
  const chunks = codingOf(request) === 'gzip' ? atMost(MAX_UNPACKED_BYTES, body) : body
  const rows = rowsOf(chunks, type, check)
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
    body: withWriteTimeout(results(rows, parameters, write)),
  }
}

async function* results(
  batches: AsyncIterable<readonly Row[]>,
  parameters: BulkParameters,
  { request: { signal }, type, store, failed, done }: BulkWrite,
): AsyncGenerator<string> {
  let staged: Bulk | undefined
  let good = 0
  let rejected = 0
  let committing = false
  try {
    staged = await store.bulk({ signal })
    for await (const batch of batches) {
      const rows = await stage(batch, staged, signal)
      const bad = rows.filter((row) => 'faults' in row).length
      good += rows.length - bad
      rejected += bad
      yield rows.map(resultLine).join('')
      if (rejected > MAX_REJECTED_ROWS || (rejected > 0 && parameters.onInvalid === 'stop')) break
    }
    requireRows(good, rejected, parameters)
    committing = true
    const committed = await staged.commit({ replace: parameters.replace ? [type] : [], signal })
    const { created, changed, unchanged, deleted, position } = committed
    const written = { created, changed, unchanged, deleted, rejected }
    done({ rows: written })
    yield line({ committed: true, ...written, position })
  } catch (error) {
    // The status has already been sent, so the last line reports why nothing was written, or that it is unknown.
    const body = failed(error)
    done({ code: body.code })
    yield line({ committed: committing && isOpen(error) ? null : false, ...body, rejected })
  } finally {
    // Also runs if the client disconnects midway. An import that cannot be aborted expires in the store.
    await (async () => staged?.abort())().catch(() => {})
  }
}

/** Reports whether a commit that failed with `error` may have taken effect. */
function isOpen(error: unknown): boolean {
  return !(error instanceof StoreFault) || error.code === 'undecided' || error.code === 'io'
}

/** Yields the rows of a body in batches. @throws WorldFault if the body stalls, is truncated or is too large */
async function* rowsOf(
  chunks: AsyncIterable<Uint8Array>,
  type: string,
  check: TypeCheck,
): AsyncGenerator<readonly Row[]> {
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength
      yield chunk
    }
  }
  let rows: Row[] = []
  let since = performance.now()
  for await (const read of lineRecords(counted())) {
    const outcome =
      'fault' in read ? { faults: [read.fault] } : entityFromBody(read.record, type, undefined, check)
    rows.push({ line: read.line, ...outcome })
    // Slow validation must not block other work.
    if (performance.now() - since > SLICE_MS) {
      await turn()
      since = performance.now()
    }
    if (rows.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
    yield rows
    rows = []
    bytes = 0
  }
  if (rows.length > 0) yield rows
}

/** Stages the valid rows. Rejects those that repeat the id of an earlier row. */
async function stage(
  rows: readonly Row[],
  staged: Bulk,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const good = rows.filter((row) => 'entity' in row)
  const entities = good.map(({ entity }) => entity)
  const marks = good.map(({ line }) => line)
  const repeated = new Map<Row, Row>()
  for (const { index, mark } of await staged.add(entities, { signal, marks })) {
    const row = good[index] as Row & { readonly entity: Entity }
    repeated.set(row, repeating(row.line, row.entity, mark))
  }
  return rows.map((row) => repeated.get(row) ?? row)
}

function repeating(line: number, { id }: Entity, first: number | undefined): Row {
  const message = `line ${first} has the id ${JSON.stringify(id)} already`
  return { line, faults: [{ pointer: '/id', reason: 'repeated', message }] }
}

/** Checks that the write may be committed. @throws WorldFault `invalid_entity`, `invalid_request` */
function requireRows(good: number, rejected: number, { onInvalid, replace }: BulkParameters): void {
  if (rejected > MAX_REJECTED_ROWS) {
    const message = `More than ${MAX_REJECTED_ROWS} rows are invalid. Nothing was written.`
    throw new WorldFault('invalid_entity', message, { maxRejectedRows: MAX_REJECTED_ROWS })
  }
  if (rejected > 0 && (onInvalid === 'stop' || replace))
    throw new WorldFault('invalid_entity', 'Some rows are invalid. Nothing was written.')
  if (good === 0 && replace) {
    const message = 'There are no rows. To delete everything of a type, delete its entities one by one.'
    throw new WorldFault('invalid_request', message, { reason: 'no_rows' })
  }
}

function parametersOf(request: WorldRequest): BulkParameters {
  const query = new URLSearchParams(splitTarget(request.target).query)
  const onInvalid = query.get('onInvalid') ?? 'reject'
  const replace = query.get('replace') ?? 'false'
  if (onInvalid !== 'reject' && onInvalid !== 'stop') throw badParameter('onInvalid', 'is reject or stop')
  if (replace !== 'true' && replace !== 'false') throw badParameter('replace', 'is true or false')
  return { onInvalid, replace: replace === 'true' }
}

function badParameter(name: string, what: string) {
  return fieldsFault('invalid_parameter', `${name} ${what}.`, [{ in: 'query', name, reason: 'not_allowed' }])
}

function resultLine(row: Row): string {
  if ('entity' in row) return line({ line: row.line, id: row.entity.id, status: 'staged' })
  return line({ line: row.line, status: 'rejected', fields: row.faults.slice(0, MAX_FAULTS).map(fieldOf) })
}

function fieldOf({ pointer, reason, message }: RecordFault) {
  return { pointer, reason, message }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
