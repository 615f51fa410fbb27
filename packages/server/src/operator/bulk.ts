/** Bulk writes: entities one a line, staged while they come in, visible all at once or not at all. */
import type { Entity } from '@worldwright/client/protocol'
import { faultFrom } from '../handler/answer.ts'
import type { WorldRequest, WorldResponse } from '../handler/http.ts'
import { splitTarget } from '../handler/routes.ts'
import { lineRecords } from '../publish/reading/json-lines.ts'
import type { RecordFault } from '../publish/reading/json-text.ts'
import type { Import, Storage } from '../storage/contract.ts'
import { errorBody, fieldsFault } from '../world/errors.ts'
import { entityFromBody } from './entity-body.ts'
import { plainBytes, requireType } from './read-body.ts'
import type { Writer } from './writer.ts'

/** How many entities are staged at a time. */
const BATCH = 500

/** What a bulk write is asked to do besides. */
interface BulkParameters {
  /** `stop`: one bad row and nothing is written. */
  readonly onInvalid: 'reject' | 'stop'
  /** Entities of the type that are not among the rows are deleted. */
  readonly replace: boolean
}

/**
 * Takes the rows of a bulk write. The answer is NDJSON: a line for each row, `staged` or `rejected` with its faults,
 * as they are read, and a last line. Only a last line with `"committed":true` acknowledges anything.
 * @throws WorldFault `unsupported_media_type`, `invalid_parameter`
 */
export function bulkResponse(
  request: WorldRequest,
  type: string,
  writer: Writer,
  storage: Storage,
): WorldResponse {
  requireType(request, ['application/x-ndjson'])
  const parameters = parametersOf(request)
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
    body: results(request, type, parameters, writer, storage),
  }
}

async function* results(
  request: WorldRequest,
  type: string,
  { onInvalid, replace }: BulkParameters,
  writer: Writer,
  storage: Storage,
): AsyncGenerator<string> {
  let staged: Import | undefined
  let rejected = 0
  try {
    staged = await storage.import()
    const learned = writer.learning()
    let batch: Entity[] = []
    let lines = ''
    const flush = async () => {
      await staged?.add(batch)
      batch = []
      const said = lines
      lines = ''
      return said
    }
    for await (const read of lineRecords(plainBytes(request))) {
      const outcome =
        'fault' in read
          ? { faults: [read.fault] }
          : entityFromBody(read.record, type, undefined, writer.checks)
      if ('faults' in outcome) {
        rejected += 1
        lines += line({ line: read.line, status: 'rejected', fields: fieldsOf(outcome.faults) })
        if (onInvalid === 'stop') break
      } else {
        batch.push(outcome.entity)
        learned.add(outcome.entity)
        lines += line({ line: read.line, id: outcome.entity.id, status: 'staged' })
      }
      if (batch.length >= BATCH) yield await flush()
    }
    yield await flush()
    if (rejected > 0 && onInvalid === 'stop') {
      await staged.abort()
      return yield line({ committed: false, code: 'invalid_entity', rejected })
    }
    const { created, changed, unchanged, deleted } = await staged.commit(replace ? { replace: [type] } : {})
    await learned.keep()
    yield line({ committed: true, created, changed, unchanged, deleted, rejected })
  } catch (error) {
    // The status has gone out already: the last line says that nothing was written, and why.
    const { code, message, details = {} } = errorBody(faultFrom(error), '')
    yield line({ committed: false, code, message, details })
  } finally {
    // Also where the client went away in the middle.
    await staged?.abort()
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

function fieldsOf(faults: readonly RecordFault[]) {
  return faults.map(({ pointer, reason, message }) => ({ pointer, reason, message }))
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
