/** Finds the fields of entities in which a search matched. */
import { type Entity, type JsonValue, pointerTo } from '@worldwright/client/protocol'
import type { IndexRules, StoredEntity } from '@worldwright/core/store'
import type { DocumentText } from '../port/document.ts'
import { TermFinder } from '../term-finder.ts'
import { type AttributeRules, MAX_DEPTH, textOf } from './search-document.ts'

/** Maximum fields reported for one entity. */
const MOST_FIELDS = 5
/** Maximum characters examined in one entity: fields beyond them are not reported. */
const MOST_TEXT = 50_000
/** Time slice after which other work gets its turn, in milliseconds. */
const SLICE_MS = 2

/**
 * Returns the fields of each entity in which an index finds one of these terms, as JSON Pointers into the entity: its title,
 * other names and summary first, then the other attributes in their order; for a list, its elements. At most 5 per entity, and
 * none beyond 50,000 characters of text. `rules`: those that the index was built by.
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

/** A text of an entity, and the document field for which it counts. */
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
      yield* textsIn(member, pointerTo(pointer, name), kind, depth + 1)
}
