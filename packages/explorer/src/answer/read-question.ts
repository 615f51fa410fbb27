/**
 * Reads a question by rules over the words of a world's schemas. A rule must explain every word, and by only one reading;
 * otherwise the question is not understood, since a wrong reading is worse than none.
 */
import { NOTHING_ASKED } from '@worldwright/extensions/views'
import { askablesOf } from '../question/askable.ts'
import type { TypeProfile, WorldProfile } from '../world/world-profile.ts'
import { type Head, rankOf, roleAt, superlativeOf } from './cursor.ts'
import type { Lookup } from './lookup.ts'
import { readFact } from './read-fact.ts'
import { Reading } from './reading.ts'
import { SchemaWords, type Word, wordsOf } from './schema-words.ts'

/** Maximum number of words, and maximum length in UTF-16 code units, of a question that is read. */
const MOST_WORDS = 14
const LONGEST = 120
/** Beginnings and ends of questions. */
const ASKS = /^(?:who|what|which|when|where|how|wer|was|welche[mnrs]?|wann|wo|wie)\s|[?؟]\s*$/i

/** Returns the reading of a question, or undefined if it is not understood. `why` is that of the world's search, if any. */
export async function readQuestion(text: string, profile: WorldProfile, why: unknown, lookup: Lookup) {
  const words = text.length > LONGEST ? [] : wordsOf(text)
  const schemas = new SchemaWords(profile, why)
  const fact = words.length > 2 && words.length <= MOST_WORDS && (await readFact(text, schemas, lookup))
  const unasked = { asked: NOTHING_ASKED, isCount: false, by: undefined, isFewest: false }
  if (fact !== false) return fact && { ...unasked, ...fact }
  const isNegated = words.some((_, at) => roleAt(words, at).role === 'not')
  if (words.length < 2 || words.length > MOST_WORDS || isNegated) return undefined
  const head = headOf(words, schemas)
  return head && new Reading(words, head, schemas, lookup).read()
}

/** Returns questions that are understood, in the words of a world's schemas, for a text that only looks like a question. */
export function examplesFor(text: string, profile: WorldProfile): string[] | undefined {
  const words = wordsOf(text)
  if (words.length < 3 || !(ASKS.test(text) || words.some(superlativeOf))) return undefined
  const ranked = ['largest', 'newest', 'best'].flatMap((name) =>
    profile.types.filter((type) => rankOf(type, name)).map(({ title }) => `${name} ${title}`),
  )
  const keyed = profile.types.flatMap((type) => {
    const key = askablesOf(profile, type).find(({ kind }) => kind === 'reference')
    return key ? `${type.title} by ${key.field.label}` : []
  })
  const counted = profile.types.map(({ title }) => `how many ${title}`)
  return [ranked, keyed, counted].flatMap(([one]) => one?.toLowerCase() ?? []).slice(0, 2)
}

/** Returns the first type that the words name, or else the only one with a value, order or location that they ask for. */
function headOf(words: readonly Word[], schemas: SchemaWords): Head | undefined {
  for (const from of words.keys()) {
    const { found: [type, other] = [], length = 0 } = schemas.typesAt(words, from) ?? {}
    if (type !== undefined) return other === undefined ? { type, from, length } : undefined
  }
  const isAbout: readonly ((one: TypeProfile, at: number) => boolean)[] = [
    (one, at) => schemas.valuesAt(one, words, at) !== undefined,
    (one, at) => {
      const { name, opposite = '' } = superlativeOf(words[at]) ?? {}
      return name !== undefined && rankOf(one, name, opposite) !== undefined
    },
    (one, at) =>
      roleAt(words, at).role === 'near' && schemas.of(one).askables.some(({ kind }) => kind === 'place'),
  ]
  const found = isAbout.map((fits) => schemas.types.filter((one) => words.some((_, at) => fits(one, at))))
  const [type, other] = found.find((some) => some.length > 0) ?? []
  return type !== undefined && other === undefined ? { type, from: words.length, length: 0 } : undefined
}
