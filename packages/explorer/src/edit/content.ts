/** Content of an entity that is edited: its fields, and the patch that leads from one content to another. */
import type { Entity, JsonObject, JsonValue } from '@worldwright/client'
import { jsonOf, parseExact } from '@worldwright/client/exact'
import { isObject, member } from '@worldwright/extensions/shown'
import { receivedOf } from '../copy/rows.ts'
import { type FormField, formField } from '../form/form-field.ts'
import { formFields } from '../form/form-fields.ts'
import { words } from '../words/words.ts'
import { editWords } from './edit-words.ts'

/** State of an entity: its content, with numbers as the world wrote them, and its revision. */
export interface Version {
  readonly content: JsonObject
  readonly revision: string
}

/** Returns the state of an entity as received. Undefined if it has no revision, without which no write is safe. */
export function versionOf(received: Entity): Version | undefined {
  const { title, summary, attributes, revision } = parseExact(jsonOf(receivedOf(received))) as Entity
  if (typeof revision !== 'string' || !isObject(attributes)) return undefined
  const content = {
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    attributes,
  }
  return { content, revision }
}

/** Returns the fields of an entity's content. The fields of a new entity (no `version`) begin with its id. */
export function fieldsFor(schema: unknown, content: JsonObject, isNew: boolean): FormField[] {
  const w = editWords()
  const text = (name: string, title: string, more = {}) =>
    formField(name, { type: 'string', title, ...more }, undefined, false)
  const own = [
    ...(isNew ? [text('id', w.id, { description: w.idHint })] : []),
    text('title', words.value.list.title),
    text('summary', w.summary, { contentMediaType: 'text/plain' }),
  ]
  const within = { path: ['attributes'], root: schema }
  const attributes = formFields(schema, content['attributes'], within)
  // Attributes without a known name, or too many of them, are written as JSON.
  return apart(own, attributes.length > 0 ? attributes : [formField('attributes', {}, undefined, true)])
}

/** Joins the fields of an entity's own members and of its attributes. An attribute with the same label says what it is. */
export function apart(own: readonly FormField[], attributes: readonly FormField[]): FormField[] {
  const isTaken = ({ label }: FormField) => own.some((one) => one.label === label)
  const told = (label: string) => `${words.value.entity.attributes}: ${label}`
  return [...own, ...attributes.map((one) => (isTaken(one) ? { ...one, label: told(one.label) } : one))]
}

/** Reports whether two values have the same JSON. Numbers are compared by their text. */
export function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** Returns the JSON Merge Patch (RFC 7396) from one content to another, or undefined if no patch says it, as with a new null. */
export function patchFor(from: JsonObject, to: JsonObject): JsonObject | undefined {
  const patch: [string, JsonValue][] = []
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after] = [member(from, name), member(to, name)]
    if (isSame(before, after)) continue
    const inner = isObject(before) && isObject(after) ? patchFor(before, after) : after
    if (inner === undefined ? after !== undefined : inner === after && holdsNull(after)) return undefined
    patch.push([name, inner ?? null])
  }
  return Object.fromEntries(patch)
}

function holdsNull(value: JsonValue): boolean {
  return value === null || (typeof value === 'object' && Object.values(value).some(holdsNull))
}
