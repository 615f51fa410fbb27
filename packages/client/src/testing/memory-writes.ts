/** Responses of a memory world to writes by the operator API. Attributes are not checked against schemas. */
import { attempt, isText } from '../error.ts'
import { NDJSON } from '../operator/writing.ts'
import { type Entity, idFault, isObject, type JsonValue } from '../protocol.ts'
import { failure, type MemoryRequest, unsupported } from './failure.ts'
import type { MemoryLog } from './memory-log.ts'

/** Returns the response to a PUT, PATCH or DELETE. */
export function answerToWrite(request: MemoryRequest, log: MemoryLog, type: string, id: string): Response {
  const { method, headers, body = '' } = request
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (!/^("[^"]*"|\*)$/.test(match ?? '*') || (noneMatch ?? '*') !== '*')
    unsupported('the conditions', [match, noneMatch])
  const before = log.get(type, id)
  const isMet = match === undefined || (match === '*' ? before : match === `"${before?.revision}"`)
  if (!isMet || (noneMatch && before))
    return failure(412, 'precondition_failed', before && { revision: before.revision })
  if (!before && method !== 'PUT') return failure(404, 'entity_not_found', { type, id })
  const given = attempt(() => JSON.parse(body))
  const content = method === 'PATCH' ? merged({ ...before } as unknown as JsonValue, given) : given
  if (method === 'DELETE') log.delete(type, id)
  else {
    const { entity, fields } = entityFrom(content, type, id)
    if (!entity) return failure(422, 'invalid_entity', { fields })
    log.put(entity)
  }
  const after = log.get(type, id)
  const init = {
    status: after ? (before ? 200 : 201) : 204,
    headers: { 'worldwright-position': log.position },
  }
  return after ? Response.json(after, init) : new Response(null, init)
}

/** Returns the response to a bulk write. */
export function answerToBulk({ url, body = '' }: MemoryRequest, log: MemoryLog, type: string): Response {
  const query = new URL(url).searchParams
  const replace = query.get('replace') === 'true'
  const rows = new Map<string, Entity>()
  const rejected: object[] = []
  for (const [index, text] of body.split('\n').entries()) {
    if (text === '') continue
    const row = attempt(() => JSON.parse(text))
    const { entity, fields } = entityFrom(row, type, `${Object(row).id ?? ''}`)
    if (entity && rows.has(entity.id)) fields.push({ in: 'body', pointer: '/id', reason: 'repeated' })
    else if (entity) rows.set(entity.id, entity)
    if (fields.length > 0) rejected.push({ line: index + 1, status: 'rejected', fields })
  }
  const counts = { created: 0, changed: 0, unchanged: 0, deleted: 0, rejected: rejected.length }
  const isStopped = rejected.length > 0 && (replace || query.get('onInvalid') === 'stop')
  const isCommitted = !isStopped && !(replace && rows.size === 0)
  if (isCommitted) {
    for (const row of rows.values()) counts[log.put(row)] += 1
    for (const { id } of replace ? log.entities().filter((entity) => entity.type === type) : [])
      if (!rows.has(id)) counts.deleted += Number(log.delete(type, id))
  }
  const last = isCommitted
    ? { committed: true, ...counts, position: log.position }
    : {
        committed: false,
        code: isStopped ? 'invalid_entity' : 'invalid_request',
        message: 'Nothing was written.',
      }
  const lines = [...rejected, last].map((line) => `${JSON.stringify(line)}\n`)
  return new Response(lines.join(''), { headers: { 'content-type': NDJSON } })
}

/** Returns the faults in a body, and its entity if there are none. */
function entityFrom(content: JsonValue | undefined, type: string, id: string) {
  const { title, summary, attributes, ...names } = isObject(content) ? content : {}
  const isId = (names['id'] ?? id) === id && ['not_nfc', undefined].includes(idFault(id))
  const isValid = {
    attributes: isObject(attributes),
    title: isText(title ?? ''),
    summary: isText(summary ?? ''),
    id: isId,
  }
  const faults = Object.entries(isValid).filter(([, valid]) => !valid)
  const fields = faults.map(([name]) => ({ in: 'body', pointer: `/${name}`, reason: 'malformed' }))
  const texts = { ...(isText(title) && { title }), ...(isText(summary) && { summary }) }
  const entity = { type, id: id.normalize(), ...texts, attributes } as Entity
  return { fields, entity: fields.length > 0 ? undefined : entity }
}

/** Merges a patch into a value (RFC 7396). */
function merged(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch
  const members = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch))
    if (value === null) members.delete(name)
    else members.set(name, merged(members.get(name), value))
  return Object.fromEntries(members)
}
