/** The texts of an entity and their words, for the plain scan. */
import { type Entity, type JsonValue, pointerTo } from '@worldwright/client/protocol'

/** Maximum depth of searched values, which bounds the recursion. Deeper values are served, but not searched. */
const MAX_DEPTH = 64

/** URLs are not searched: their parts would match unrelated queries. */
const ADDRESS = /^https?:\/\/\S+$/

/** Words are runs of letters and digits; in scripts without spaces, every character is a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]+/gu

/** A searchable text of an entity. */
export interface PlainText {
  /** Its JSON Pointer in the entity. */
  readonly pointer: string
  readonly text: string
  /** Weight of a word: 3 in a title or another name, 2 in the summary, 1 elsewhere. */
  readonly weight: 1 | 2 | 3
}

/** Yields the searched texts: title, other names, summary, then every string and whole number of the attributes. */
export function* plainTexts({ title = '', summary = '', attributes }: Entity): Generator<PlainText> {
  yield { pointer: '/title', text: title, weight: 3 }
  const { aliases, ...others } = attributes
  if (aliases !== undefined) yield* textsIn(aliases, '/attributes/aliases', 3, 1)
  yield { pointer: '/summary', text: summary, weight: 2 }
  for (const [name, value] of Object.entries(others))
    yield* textsIn(value, pointerTo('/attributes', name), 1, 1)
}

/** Returns the words of a text, in order, without case and diacritics. */
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
