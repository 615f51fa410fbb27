import { type Entity, type JsonValue, pointerTo } from '@worldwright/client/protocol'
import type { IndexRules, StoredEntity } from '@worldwright/core/store'
import type { DocumentText } from '../port/document.ts'
import { TermFinder } from '../term-finder.ts'
import { type AttributeRules, isKey, MAX_DEPTH, textOf } from './search-document.ts'

/** Maximum number of fields reported per entity. */
const MOST_FIELDS = 5
/** Maximum number of characters examined per entity. Fields beyond them are not reported. */
const MOST_TEXT = 50_000
/** Time slice before yielding to the event loop, in milliseconds. */
const SLICE_MS = 2

/**
 * Returns, for each entity, JSON Pointers to the fields in which an index would find one of these terms. Title,
 * aliases and summary come first, then the other attributes in order. List elements are reported individually. Reports at
 * most 5 fields per entity and none beyond 50,000 characters of text. `rules` must be the rules the index was built with.
 */
export async function matchingFields(
  entities: readonly StoredEntity[],
  terms: readonly string[],
  rules: IndexRules,
): Promise<string[][]> {
  const finder = new TermFinder(terms)
  const fields: string[][] = []
  let since = performance.now()
  for (const { type, json } of entities) {
    fields.push(terms.length === 0 ? [] : fieldsOf(JSON.parse(json), finder, rules[type]))
    if (performance.now() - since < SLICE_MS) continue
    await new Promise((resume) => setImmediate(resume))
    since = performance.now()
  }
  return fields
}

function fieldsOf(entity: Entity, finder: TermFinder, rules: AttributeRules | undefined): string[] {
  const found: string[] = []
  let left = MOST_TEXT
  for (const { pointer, text, kind } of textsOf(entity, rules)) {
    if (text.length > left || found.length === MOST_FIELDS) break
    left -= text.length
    if (finder.isIn(kind === 'aliases' ? { aliases: [text] } : { [kind]: text })) found.push(pointer)
  }
  return found
}

/** Text of an entity, and the document field under which the text is indexed. */
interface TextAt {
  readonly pointer: string
  readonly text: string
  readonly kind: Exclude<keyof DocumentText, 'aliasWeight' | 'weighted'>
}

function* textsOf(
  { title = '', summary = '', attributes }: Entity,
  rules: AttributeRules = {},
): Generator<TextAt> {
  const isSearched = (name: string) => !Object.hasOwn(rules, name) || rules[name]?.weight !== 0
  yield { pointer: '/title', text: title, kind: 'title' }
  const { aliases, ...others } = attributes
  if (aliases !== undefined && isSearched('aliases')) {
    const isName = (value: JsonValue) => typeof value === 'string'
    const kind = isName(aliases) || (Array.isArray(aliases) && aliases.every(isName)) ? 'aliases' : 'text'
    yield* textsIn(aliases, '/attributes/aliases', kind, 1)
  }
  yield { pointer: '/summary', text: summary, kind: 'summary' }
  for (const [name, value] of Object.entries(others))
    if (isSearched(name)) yield* textsIn(value, pointerTo('/attributes', name), 'text', 1)
}

function* textsIn(value: JsonValue, pointer: string, kind: TextAt['kind'], depth: number): Generator<TextAt> {
  const text = textOf(value)
  if (text !== undefined) yield { pointer, text, kind }
  else if (value !== null && typeof value === 'object' && depth < MAX_DEPTH)
    for (const [name, member] of Object.entries(value))
      if (name !== 'type' || !isKey(value)) yield* textsIn(member, pointerTo(pointer, name), kind, depth + 1)
}
