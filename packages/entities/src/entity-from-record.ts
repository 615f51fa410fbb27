/** Converts a record of a data file to an entity, or reports its faults. */
import type { Entity, JsonObject, NameFault } from '@worldwright/client/protocol'
import { idFault, isObject, pointerTo, typeFault } from '@worldwright/client/protocol'
import { utf8Length } from '@worldwright/core/store'
import type { RecordFault } from './json-text.ts'
import { addFault, surveyText, surveyValue, type ValueSurvey } from './json-value.ts'

/** Maximum size of a serialized entity, in bytes, excluding the times and revision that the store adds (decisions 2). */
export const MAX_ENTITY_BYTES = 256 * 1024

/** Defaults for members that a record lacks. */
export interface RecordDefaults {
  readonly type?: string | undefined
}

/**
 * Either an entity and an upper bound for its serialized size in bytes, or the faults of the record, with pointers into
 * the record as given. `warning`: the id is valid but may cause trouble in file systems, shells or proxies.
 */
export type EntityFromRecord =
  | { readonly entity: Entity; readonly bytesAtMost: number; readonly warning?: string }
  | { readonly faults: readonly RecordFault[] }

const PORTABLE_ID = /^[A-Za-z0-9_~:.-]{1,128}$/
/** Names of the members that a served entity may have. */
export const ENTITY_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'id',
  'title',
  'summary',
  'attributes',
  'createdAt',
  'updatedAt',
  'revision',
])

/**
 * Converts a record to an entity (decisions 2). A record with `attributes` is read as a served entity: `createdAt`,
 * `updatedAt` and `revision` are dropped, and an unknown member is a fault. Any other record is flat: `title` or else
 * `name` becomes the title, `summary` or else `description` the summary, and the remaining members become attributes, in
 * order. If one of these four is not a string, it stays an attribute. So does a `type` that is not `prefix:name` if
 * `defaults` has a type. An integer id in a flat record becomes a string of decimal digits.
 */
export function entityFromRecord(record: unknown, defaults: RecordDefaults): EntityFromRecord {
  if (!isObject(record)) {
    return { faults: [{ pointer: '', reason: 'wrong_type', message: 'a record is a JSON object' }] }
  }
  const given = record as Readonly<Record<string, unknown>>
  const survey: ValueSurvey = { faults: [], bytesAtMost: 0 }
  const parts = Object.hasOwn(given, 'attributes')
    ? partsAsServed(given, survey)
    : partsOfFlat(given, defaults)
  const entity = entityOf(parts, defaults, survey)
  if (survey.faults.length === 0) checkSize(entity, survey)
  if (survey.faults.length > 0) return { faults: survey.faults }
  const { bytesAtMost } = survey
  if (PORTABLE_ID.test(entity.id)) return { entity, bytesAtMost }
  const warning = `the id ${JSON.stringify(entity.id)} is outside [A-Za-z0-9_~:.-]{1,128}`
  return { entity, bytesAtMost, warning }
}

/** Reports whether a value is a valid entity type. The `type` of a record may instead be ordinary data. */
export function isTypeName(value: unknown): value is string {
  return typeof value === 'string' && typeFault(value) === undefined
}

/** A value, and the name of the record member from which it was read. */
interface NamedPart {
  readonly member: string
  readonly value: unknown
}

interface Parts {
  readonly type: unknown
  readonly id: unknown
  readonly title?: NamedPart
  readonly summary?: NamedPart
  readonly attributes: unknown
  readonly flat: boolean
}

function partsAsServed(record: Readonly<Record<string, unknown>>, survey: ValueSurvey): Parts {
  for (const member of Object.keys(record)) {
    if (ENTITY_MEMBERS.has(member)) continue
    const message = 'is no member of an entity; data goes into attributes'
    addFault(survey, pointerTo('', member), 'not_allowed', message)
  }
  return {
    type: own(record, 'type'),
    id: own(record, 'id'),
    ...(Object.hasOwn(record, 'title') && { title: { member: 'title', value: record['title'] } }),
    ...(Object.hasOwn(record, 'summary') && { summary: { member: 'summary', value: record['summary'] } }),
    attributes: record['attributes'],
    flat: false,
  }
}

function partsOfFlat(record: Readonly<Record<string, unknown>>, defaults: RecordDefaults): Parts {
  const title = firstText(record, 'title', 'name')
  const summary = firstText(record, 'summary', 'description')
  const type = own(record, 'type')
  const isTyped = defaults.type === undefined || isTypeName(type)
  const attributes: Record<string, unknown> = {}
  for (const key of Object.keys(record)) {
    if (key === 'id' || key === title?.member || key === summary?.member) continue
    if (key === 'type' && isTyped) continue
    // Assigning to `__proto__` would set the prototype and lose the value.
    if (key === '__proto__') define(attributes, key, record[key])
    else attributes[key] = record[key]
  }
  return {
    type: isTyped ? type : undefined,
    id: own(record, 'id'),
    ...(title && { title }),
    ...(summary && { summary }),
    attributes,
    flat: true,
  }
}

function entityOf(parts: Parts, defaults: RecordDefaults, survey: ValueSurvey): Entity {
  const title = textOf(parts.title, survey)
  const summary = textOf(parts.summary, survey)
  return {
    type: typeOf(parts.type ?? defaults.type, survey),
    id: idOf(parts, survey),
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    attributes: attributesOf(parts, survey),
  }
}

function textOf(part: NamedPart | undefined, survey: ValueSurvey): string | undefined {
  if (!part) return undefined
  const { member, value } = part
  if (typeof value === 'string') surveyText(value, `/${member}`, survey)
  else addFault(survey, `/${member}`, 'wrong_type', 'must be a string')
  return typeof value === 'string' ? value : undefined
}

function attributesOf({ attributes, flat }: Parts, survey: ValueSurvey): JsonObject {
  if (isObject(attributes)) {
    surveyValue(attributes, flat ? '' : '/attributes', survey)
    return attributes
  }
  addFault(survey, '/attributes', 'wrong_type', 'must be an object')
  return {}
}

function typeOf(value: unknown, survey: ValueSurvey): string {
  if (typeof value !== 'string') {
    addNoText('type', value, survey)
    return ''
  }
  const fault = typeFault(value)
  if (fault) addFault(survey, '/type', reasonOf(fault), TYPE_FAULT[fault] ?? MALFORMED_TYPE)
  else if (value.startsWith('wp:'))
    addFault(survey, '/type', 'not_allowed', "the prefix wp is the protocol's own")
  return value
}

function idOf({ id, flat }: Parts, survey: ValueSurvey): string {
  if (flat && Number.isSafeInteger(id)) return String(id)
  if (typeof id !== 'string') {
    addNoText('id', id, survey)
    return ''
  }
  const fault = idFault(id)
  if (fault) addFault(survey, '/id', reasonOf(fault), ID_FAULT[fault])
  return id
}

function addNoText(name: string, value: unknown, survey: ValueSurvey): void {
  if (value === undefined) addFault(survey, `/${name}`, 'required', `the ${name} is missing`)
  else addFault(survey, `/${name}`, 'wrong_type', 'must be a string')
}

function checkSize(entity: Entity, survey: ValueSurvey): void {
  // Allow 4096 bytes for member names, type and id. The grammar limits the length of the last two.
  if (survey.bytesAtMost + 4096 <= MAX_ENTITY_BYTES) return
  const bytes = utf8Length(JSON.stringify(entity))
  if (bytes <= MAX_ENTITY_BYTES) return
  addFault(survey, '', 'too_long', `${bytes} bytes as JSON; an entity may have ${MAX_ENTITY_BYTES}`)
}

const TYPE_FAULT: Partial<Record<NameFault, string>> = {
  empty: 'the type is empty',
  too_long: 'the type is longer than 128 characters',
}
const MALFORMED_TYPE = 'a type is written prefix:name, such as sol:planet'

const ID_FAULT: Record<NameFault, string> = {
  empty: 'the id is empty',
  too_long: 'the id is longer than 512 bytes',
  malformed: 'the id is malformed',
  ill_formed_unicode: 'the id holds a lone surrogate, which is no character',
  control_character: 'the id holds a control character',
  outer_white_space: 'the id begins or ends with white space',
  dot_segment: 'the id holds a segment . or .., which URLs lose',
  not_nfc: 'the id is not in Unicode normal form NFC',
}

function reasonOf(fault: NameFault): RecordFault['reason'] {
  return fault === 'too_long' ? 'too_long' : 'malformed'
}

function firstText(record: Readonly<Record<string, unknown>>, ...members: string[]): NamedPart | undefined {
  for (const member of members) {
    const value = own(record, member)
    if (typeof value === 'string') return { member, value }
  }
  return undefined
}

function own(record: Readonly<Record<string, unknown>>, member: string): unknown {
  return Object.hasOwn(record, member) ? record[member] : undefined
}

function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}
