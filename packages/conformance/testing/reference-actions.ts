/** The actions of the reference world. */
import { isObject, type JsonObject } from '../src/json/json.ts'
import type { ReferenceEntity } from './reference-data.ts'
import { type Asked, refuse, type Told, told } from './reference-http.ts'
import { queryAnswer } from './reference-query.ts'

const TYPE = /^[a-z][a-z0-9]*([.-][a-z0-9]+)*:[A-Za-z][A-Za-z0-9]*([._-][A-Za-z0-9]+)*$/

interface Fault {
  in: 'body'
  pointer: string
  reason: string
}

/** Answers a call of an action. Throws Refusal. */
export function actionAnswer(
  action: string,
  asked: Asked,
  entities: readonly ReferenceEntity[],
  known: readonly string[],
): Told {
  if (action === 'wp:discover') return discoverAnswer(inputOf(asked), entities, known)
  if (action === 'worldwright:query') return queryAnswer(inputOf(asked), entities, known)
  refuse(404, 'unknown_action', { action })
}

function discoverAnswer(
  input: JsonObject,
  entities: readonly ReferenceEntity[],
  known: readonly string[],
): Told {
  const faults: Fault[] = []
  const types = typesOf(input['types'] ?? [], faults)
  const text = textOf(input['text'] ?? '', faults)
  const limit = limitOf(input['limit'] ?? 4, faults)
  if (faults.length > 0) refuse(400, 'invalid_input', { fields: faults.slice(0, 20) })
  const words = text
    .toLowerCase()
    .split(/\P{L}+/u)
    .filter((word) => word !== '')
  const found = entities
    .filter((entity) => types.length === 0 || types.includes(entity.type))
    .filter(
      (entity) => words.length === 0 || words.every((word) => entity.title?.toLowerCase().includes(word)),
    )
    .filter(() => text.trim() === '' || words.length > 0)
    .sort((a, b) => compare(a.type, b.type) || compare(a.id, b.id))
  const question = JSON.stringify([types.filter((type) => known.includes(type)), text.trim()])
  const start = startOf(input['cursor'], question)
  const rest = found.slice(start, start + limit)
  const more = rest.length > 0 && start + limit < found.length
  const counts: Record<string, number> = {}
  for (const entity of found) counts[entity.type] = (counts[entity.type] ?? 0) + 1
  const output = {
    entities: rest,
    limit,
    total: found.length,
    counts,
    truncated: found.length > rest.length,
    matched: found.length > 0 ? words : [],
    ...(input['matchedIn'] === true && { matchedIn: rest.map(() => (words.length > 0 ? ['/title'] : [])) }),
    ...(more && { nextCursor: Buffer.from(JSON.stringify([question, start + limit])).toString('base64url') }),
  }
  const warnings = warningsFor(input, types, known)
  const body = { action: 'wp:discover', output, ...(warnings.length > 0 ? { warnings } : {}) }
  return told(200, body, { 'cache-control': 'no-store' })
}

/** Returns the index at which an answer begins: the number in the cursor, which is valid for one query only. */
function startOf(cursor: unknown, question: string): number {
  if (cursor === undefined || cursor === null) return 0
  try {
    const [asked, start] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString())
    if (asked === question) return Number(start)
  } catch {
    // No cursor at all: refused below.
  }
  refuse(400, 'invalid_cursor', { reason: 'malformed' })
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function inputOf({ headers, body }: Asked): JsonObject {
  const type = (headers['content-type'] ?? '').toLowerCase().replaceAll(/[" ]/g, '')
  const plain = ['application/json', 'application/json;charset=utf-8'].includes(type)
  if (!plain || headers['content-encoding'] !== undefined)
    refuse(415, 'unsupported_media_type', { supported: ['application/json'] })
  if (body.length > 4096) refuse(413, 'payload_too_large', { maxBytes: 4096 })
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    refuse(400, 'invalid_json')
  }
  if (!isObject(value)) refuse(400, 'invalid_input', { fields: [fault('', 'wrong_type')] })
  const { input } = value
  if (!isObject(input)) refuse(400, 'invalid_input', { fields: [fault('/input', 'required')] })
  return input
}

function fault(pointer: string, reason: string): Fault {
  return { in: 'body', pointer, reason }
}

function typesOf(value: unknown, faults: Fault[]): string[] {
  if (!Array.isArray(value)) faults.push(fault('/input/types', 'wrong_type'))
  else if (value.length > 8 && value.every((one) => typeof one === 'string'))
    faults.push(fault('/input/types', 'too_many'))
  else {
    for (const [index, one] of value.entries())
      if (typeof one !== 'string' || !TYPE.test(one)) faults.push(fault(`/input/types/${index}`, 'malformed'))
    return [...new Set<string>(value)]
  }
  return []
}

function textOf(value: unknown, faults: Fault[]): string {
  if (typeof value !== 'string') faults.push(fault('/input/text', 'wrong_type'))
  else if ([...value].length > 64) faults.push(fault('/input/text', 'too_long'))
  else return value
  return ''
}

function limitOf(value: unknown, faults: Fault[]): number {
  if (Number.isInteger(value) && Number(value) >= 0) return Math.min(Number(value), 8)
  faults.push(fault('/input/limit', 'not_integer'))
  return 0
}

function warningsFor(input: JsonObject, types: readonly string[], known: readonly string[]): unknown[] {
  const members = Object.keys(input).filter(
    (name) => !['types', 'text', 'limit', 'cursor', 'matchedIn'].includes(name),
  )
  const unknown = types.filter((type) => !known.includes(type))
  const pointer = (name: string) => `/input/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return [
    ...members.map((name) => ({ code: 'unknown_field', message: 'Ignored.', field: pointer(name) })),
    ...unknown.map((type) => ({
      code: 'unknown_type',
      message: 'There is none.',
      field: `/input/types/${(input['types'] as string[]).indexOf(type)}`,
    })),
  ]
}
