/** Extraction of searchable text and words from an entity, for search without an index. */
import { type Entity, type JsonValue, pointerTo } from '@worldwright/client/protocol'

/** Maximum depth of searched values, which bounds the recursion. Deeper values are not searched. */
const MAX_DEPTH = 64

/** Matches URLs. They are not searched, because their parts would match unrelated queries. */
const ADDRESS = /^https?:\/\/\S+$/

/** Matches words: runs of letters and digits or, in scripts without spaces, single characters. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]+/gu

/** A searchable string in an entity. */
export interface PlainText {
  /** JSON Pointer to the value in the entity. */
  readonly pointer: string
  readonly text: string
  /** Weight of a matching word: 3 in the title or an alias, 2 in the summary, 1 elsewhere. */
  readonly weight: 1 | 2 | 3
}

/** Yields the searchable text of an entity: title, aliases, summary, then every string and integer in the attributes. */
export function* plainTexts({ title = '', summary = '', attributes }: Entity): Generator<PlainText> {
  yield { pointer: '/title', text: title, weight: 3 }
  const { aliases, ...others } = attributes
  if (aliases !== undefined) yield* textsIn(aliases, '/attributes/aliases', 3, 1)
  yield { pointer: '/summary', text: summary, weight: 2 }
  for (const [name, value] of Object.entries(others))
    yield* textsIn(value, pointerTo('/attributes', name), 1, 1)
}

/** Returns the words of `text` in order, lower-cased and without diacritics. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().match(WORD) ?? []
}

function* textsIn(
  value: JsonValue,
  pointer: string,
  weight: PlainText['weight'],
  depth: number,
): Generator<PlainText> {
  if (typeof value === 'string') {
    if (!ADDRESS.test(value)) yield { pointer, text: value, weight }
  } else if (typeof value === 'number') {
    if (Number.isInteger(value)) yield { pointer, text: String(value), weight }
  } else if (value !== null && typeof value === 'object' && depth < MAX_DEPTH)
    for (const [name, member] of Object.entries(value))
      yield* textsIn(member, pointerTo(pointer, name), weight, depth + 1)
}
