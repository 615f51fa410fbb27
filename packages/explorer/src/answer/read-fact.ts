/** Reads questions for attributes of one entity or of two: `who discovered Triton`, `which is hotter, Mars or Venus`. */
import type { Entity } from '@worldwright/client'
import { QUALITIES, VERBS } from '@worldwright/search/lexicon'
import type { Askable } from '../question/askable.ts'
import { isTime, measuresOf, valuesAt } from '../question/measures.ts'
import type { Lookup } from './lookup.ts'
import { isAmount } from './ranges.ts'
import { isDoer, type SchemaWords, wordsOf } from './schema-words.ts'

/** Forms of questions, by what is asked for. “What did they found” is not what they discovered. */
const FORMS = {
  compared:
    /^(?:which|welche[rs]?)(?: (?<kind>\S+))? (?:is|ist) (?<verb>\S+), (?<name>.+?) (?:or|oder) (?<other>.+)$/i,
  amount: /^(?:how|wie) (?<verb>\S+)(?: away)? (?:is|are|ist|sind) (?<name>.+)$/i,
  time: /^(?:when|wann) (?:was|were|did|ist|wurden?) (?<name>.+) (?<verb>\S+)$/i,
  deed: /^(?:what did|was hat) (?<name>.+) (?<verb>(?!found$)\S+)$/i,
  doer: /^(?:wer hat (?<name>.+) (?<verb>\S+)|(?:who|wer) (?<verb>(?!hat )\S+) (?<name>.+))$/i,
}
/** Word behind a name, unless it belongs to the name. */
const BEHIND = / (?:first|originally|erstmals|away|entfernt)$/i
/** Labels of those who do something, such as `Discoverers` and `Authors`. */
const DOER = /^\S+(?:er|or|ist)s?$/

/**
 * Returns entities of one type, and the attributes asked for, of which each of them has a value. Returns undefined for a text of
 * such a form that has no meaning or several, and false for any other text.
 */
export async function readFact(text: string, schemas: SchemaWords, lookup: Lookup) {
  const plain = text
    .replace(/[\s?.!]+$/, '')
    .trim()
    .replace(/\s+/g, ' ')
  const [asks = '', form] = Object.entries(FORMS).find(([, one]) => one.test(plain)) ?? []
  const { kind = '', verb = '', name = '', other } = form?.exec(plain)?.groups ?? {}
  const [word] = wordsOf(verb)
  const forms = ['', 'd', 'ed'].map((end) => VERBS.get(`${word?.folded}${end}`))
  const isAmounts = asks === 'compared' || asks === 'amount'
  const stems = isAmounts ? QUALITIES.get(word?.folded ?? '') : forms.find((one) => one !== undefined)
  const isAsked = (one: Askable) => {
    if (isAmounts) return isAmount(one)
    if (asks === 'time') return measuresOf([one]).some(isTime)
    return !one.field.label.includes(' ') && DOER.test(one.field.label) === (asks === 'doer')
  }
  const wanted = ({ type }: Pick<Entity, 'type'>) => {
    const askables = schemas.types
      .filter((one) => one.type === type)
      .flatMap((one) => schemas.of(one).askables)
    const named = schemas.beginning(askables, stems ?? []).filter(isAsked)
    const found = askables.filter((one) => named.includes(one) || (asks === 'doer' && isDoer(one, word)))
    return found.filter(
      (one) => isAmounts || asks === 'time' || one.kind === 'text' || one.kind === 'reference',
    )
  }
  const types = schemas.types.filter((type) => wanted(type).length > 0)
  if (stems === undefined && types.length === 0) return false
  /** Finds a name, also without a word behind it, or after the title of a type. */
  const find = async (named: string) => {
    const short = named.replace(BEHIND, '')
    const words = wordsOf(short.replace(/^(?:the|der|die|das) /i, ''))
    const { found: among = [], length = 0 } = schemas.typesAt(words, 0) ?? {}
    const rest = words.slice(length).map(({ raw }) => raw)
    const ways = [[named, types] as const, [short, types] as const, [rest.join(' '), among] as const]
    let found: readonly Entity[] = []
    for (const [way, some] of ways) {
      const fitting = types.filter((type) => some.includes(type)).map(({ type }) => type)
      if (found.length === 0 && fitting.length > 0) found = await lookup.entities(way, fitting)
    }
    return found
  }
  const names = other === undefined ? [name] : [name, other]
  const found = await Promise.all(names.map((one) => find(`${kind} ${one}`.trim())))
  const entities = found.flatMap((some) => (some.length === 1 ? some : []))
  const type = types.find((one) => entities.every((entity) => entity.type === one.type))
  if (type === undefined || entities.length < names.length) return undefined
  const given = wanted(type).filter(({ key }) => entities.every((one) => valuesAt(one, key)[0] != null))
  return given.length > 0 ? { type, fact: { entities, given } } : undefined
}
