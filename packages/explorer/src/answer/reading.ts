/** One reading of a question: explains its words one after another, each by the first rule that applies. */

import type { Asked, Filter, Near } from '@worldwright/extensions/views'
import { ENGLISH_NOUNS, fold, VERBS } from '@worldwright/search/lexicon'
import { type Askable, isCounted } from '../question/askable.ts'
import { isTime, type Measure, measuresOf } from '../question/measures.ts'
import { Cursor, type Head, rankOf, type Superlative, superlativeOf } from './cursor.ts'
import type { Lookup } from './lookup.ts'
import { Names } from './names.ts'
import { amountFrom, conditionFrom, isAmount, unitLength, yearsFrom } from './ranges.ts'
import { type Found, isDoer, type SchemaWords, type Valued, type Word, wordsOf } from './schema-words.ts'

/** Superlatives that say which values of any number, or of any time, are meant. */
const OF_NUMBERS = /^(?:largest|smallest|highest|lowest|longest|shortest)$/
const OF_TIMES = /^(?:newest|oldest)$/
/** Properties whose values only a verb or `by` leads to. */
const OF_VERBS = /^(?:discover|find|found|named|namesake|birth|born|death|died)/i
/** Words before a year that say that it is the year. */
const IN_YEAR = /^(?:in|im|from|aus|of|von)$/

/** Reads the words of one question. Use an instance once. */
export class Reading {
  readonly #next: Cursor
  readonly #names: Names
  readonly #filters: Filter[] = []
  readonly #cql: string[] = []
  /** Properties that a verb stands for, until a time or a name uses them. */
  #verb: readonly Askable[] | undefined
  #sort = ''
  #near: Near | undefined
  #by: string | undefined
  #isCount = false
  #isFewest = false

  constructor(words: readonly Word[], head: Head, schemas: SchemaWords, lookup: Lookup) {
    this.#next = new Cursor(words, head, schemas)
    this.#names = new Names(this.#next, lookup)
  }

  /** Returns the question, or undefined if a word is left over or has several readings. */
  async read() {
    const { words, head } = this.#next
    while (this.#next.at < words.length) if (!(await this.#step())) return undefined
    const [filters, cql, sort, near, by] = [this.#filters, this.#cql, this.#sort, this.#near, this.#by]
    const orders = [sort !== '', near !== undefined, by !== undefined || this.#isCount].filter(Boolean)
    const isTwice = new Set(filters.map(({ key }) => key)).size < filters.length
    const isSaid = filters.length + cql.length + orders.length > 0
    // A German verb may follow the time or the name that it belongs to.
    const used = [...filters.map(({ key }) => key), sort.replace('-', ''), by?.replace(/^[^:]*:/, '')]
    const isUsed = this.#verb?.some(({ key }) => used.includes(key)) !== false
    if (isTwice || !isSaid || orders.length > 1 || !isUsed) return undefined
    const asked: Asked = { text: '', filters, cql: cql.join(' AND '), sort, ...(near && { near }) }
    // `by` is the key of the groups as in addresses, such as `10:publicationYear`.
    return { type: head.type, asked, isCount: this.#isCount, by, isFewest: this.#isFewest, fact: undefined }
  }

  /** Explains the next words. Returns false if no rule does, or if they have several readings. */
  async #step(): Promise<boolean> {
    const { at, head, word, words, schemas } = this.#next
    if (this.#next.isHead(at)) return this.#next.take(head.length)
    if (this.#next.asksMost && this.#readMost()) return true
    const superlative = superlativeOf(word)
    if (superlative !== undefined) return this.#superlative(superlative)
    if (this.#next.roleAt().role === 'greatest' && superlativeOf(words[at + 1])) return this.#next.take(1)
    const compared = this.#next.comparative()
    if (compared !== undefined) return this.#comparative(compared)
    if (IN_YEAR.test(word?.folded ?? '') && this.#next.years(at + 1)) return this.#compare(undefined, 'in', 1)
    const valued = schemas.valuesAt(head.type, words, at)
    // “Close to” is not closed.
    const value = (valued?.length ?? 0) < this.#next.roleAt().length ? undefined : valued
    const isTyped = value !== undefined && this.#next.isTyped(value)
    const verb = VERBS.get(word?.folded ?? '')
    if (verb !== undefined && !isTyped) return this.#readVerb(verb)
    const attribute = this.#next.attribute()
    if (value !== undefined && value.length + Number(isTyped) > (attribute?.length ?? 0)) {
      this.#next.at += value.length
      return this.#only(value.found)
    }
    return attribute === undefined ? this.#role() : this.#attribute(attribute)
  }

  async #role(): Promise<boolean> {
    const { role, length } = this.#next.roleAt()
    if (role === undefined) return this.#name()
    this.#next.at += length
    switch (role) {
      case 'filler':
        return true
      case 'count':
        this.#isCount = true
        return true
      case 'per':
        return this.#per()
      case 'by':
        return this.#isKey() ? this.#per() : this.#name(true)
      case 'near':
        this.#near = this.#near === undefined ? await this.#names.near() : undefined
        return this.#near !== undefined
      case 'greatest':
      case 'fewest':
        if (this.#next.isHead(this.#next.at)) {
          this.#isFewest = role === 'fewest'
          // No group counts nothing, so only texts that occur can have fewest.
          const isOpen = this.#grouped?.kind === 'text' && !('enum' in this.#grouped.field.schema)
          return this.#by !== undefined && (isOpen || !this.#isFewest)
        }
        return this.#orderBy(this.#next.countOf(this.#next.attribute()), role === 'greatest', isAmount)
      case 'after':
        // “Named after Galileo” and “nach Sprache” go on with a name or a key.
        if (this.#next.years() === undefined)
          return this.#verb !== undefined ? this.#name() : this.#isKey() && this.#per()
        return this.#compare(undefined, role)
      case 'before':
      case 'since':
      case 'until':
      case 'between':
        return this.#compare(undefined, role)
      default:
        return false
    }
  }

  /** Reads who or what has most of the type's entities, and the verb in the description of that property. */
  #readMost(): boolean {
    const { word, head } = this.#next
    if (this.#next.roleAt().role !== undefined) return false
    if (this.#by !== undefined) return isDoer(this.#grouped, word) && this.#next.take(1)
    // The “space agency” of a space mission.
    const [first, second] = wordsOf(head.type.title)
    return this.#per() || (second !== undefined && first?.term === word?.term && this.#next.take(1))
  }

  get #grouped(): Askable | undefined {
    return this.#next.askables.find(({ key }) => this.#by === `value:${key}`)
  }

  #superlative({ name, opposite, descending }: Superlative): boolean {
    this.#next.at += 1
    // “Last year” and “the oldest year” are times.
    if (this.#unitOfTime() !== undefined) return false
    const { head, askables } = this.#next
    const rank = rankOf(head.type, name, opposite)
    const named = this.#next.attribute()
    const own = named?.found.filter(({ key }) => key === rank) ?? []
    if (own.length > 0) return this.#orderBy({ found: own, length: named?.length ?? 0 }, descending)
    if (named !== undefined && OF_TIMES.test(name))
      return this.#orderBy(named, descending, (one) => measuresOf([one]).some(isTime))
    if (named !== undefined) return OF_NUMBERS.test(name) && this.#orderBy(named, descending, isAmount)
    return this.#orderBy({ found: askables.filter(({ key }) => key === rank), length: 0 }, descending)
  }

  #orderBy(named: Found<Askable> | undefined, descending: boolean, fits = (_: Askable) => true): boolean {
    const [askable, other] = named?.found ?? []
    if (askable === undefined || other !== undefined || !fits(askable) || this.#sort !== '') return false
    this.#sort = `${descending ? '-' : ''}${askable.key}`
    return this.#next.take(named?.length ?? 0)
  }

  #comparative({ name, opposite, descending }: Superlative): boolean {
    const { head, askables } = this.#next
    this.#next.at += 2
    if (OF_TIMES.test(name)) return this.#compare(undefined, descending ? 'after' : 'before')
    const rank = rankOf(head.type, name, opposite)
    const ranked = askables.filter(({ key }) => key === rank)
    return this.#compare(ranked, descending ? 'over' : 'under')
  }

  /** Reads what follows a named property: a comparison, a name, or nothing after one that is true or false. */
  async #attribute({ found, length }: Found<Askable>): Promise<boolean> {
    this.#next.at += length
    const [askable, other] = found
    if (other === undefined && askable?.kind === 'boolean')
      return this.#add({ filter: { is: 'any', key: askable.key, values: ['true'] } })
    if (IN_YEAR.test(this.#next.word?.folded ?? '')) return this.#compare(found, 'in', 1)
    this.#next.skipFillers()
    const { role, length: words } = this.#next.roleAt()
    if (role !== undefined) return this.#compare(found, role, words)
    this.#verb = found
    return found.every(({ kind }) => kind === 'text' || kind === 'reference') && this.#name()
  }

  /** Reads years or amounts after a word with a role, of named properties or of the time that is meant if none is named. */
  #compare(named: readonly Askable[] | undefined, role: string, length = 0): boolean {
    this.#next.at += length
    const years = this.#next.years()
    const time = years && this.#timeOf(named ?? this.#verb ?? this.#next.askables, named ?? this.#verb)
    if (years !== undefined && time !== undefined) {
      this.#verb = undefined
      this.#next.at = years.end
      const { role: tail, length: words } = this.#next.roleAt()
      if (role === 'in' && (tail === 'orEarlier' || tail === 'orLater'))
        return this.#next.take(words) && this.#add(conditionFrom(time, tail, years.years, undefined))
      const to = role === 'in' ? /^(?:to|bis)$/ : /^(?:and|und)$/
      const isRange = (role === 'in' || role === 'between') && to.test(this.#next.word?.folded ?? '')
      const second = isRange ? yearsFrom(this.#next.words[years.end + 1]) : undefined
      if (isRange) this.#next.at += 2
      if (isRange && second === undefined) return false
      return this.#add(conditionFrom(time, role, years.years, second))
    }
    const { at, words } = this.#next
    const isRange = role === 'between' && this.#next.roleAt(at + 1).role === 'and'
    const [first, last] = [amountFrom(words[at]), amountFrom(words[isRange ? at + 2 : at])]
    if (first === undefined || last === undefined || role === 'in' || named === undefined) return false
    if (isRange && first.unit !== '') return false
    this.#next.at += isRange ? 3 : 1
    const measure = this.#measured(named, last.unit)
    return this.#add(measure && conditionFrom(measure, role, first.span, isRange ? last.span : undefined))
  }

  /** Returns the only one of some numbers that has the unit that follows. `glued` is that of the number's own word. */
  #measured(named: readonly Askable[], glued: string): Measure | undefined {
    const { words, at, askables } = this.#next
    const next = glued === '' ? words.slice(at, at + 2).map(({ folded }) => folded) : [glued]
    const fitting = named.flatMap((one) => {
      const length = unitLength(next, one, askables)
      return length === undefined || (glued !== '' && length === 0) ? [] : [{ one, length }]
    })
    const [only, other] = fitting
    if (only === undefined || other !== undefined || !named.every(isAmount)) return undefined
    this.#next.at += glued === '' ? only.length : 0
    return measuresOf([only.one])[0]
  }

  /** Returns the time that is meant: the declared one if none is named, the only one, or else the only year. */
  #timeOf(askables: readonly Askable[], named?: readonly Askable[]): Measure | undefined {
    const times = measuresOf(askables).filter(isTime)
    const rank = named === undefined ? rankOf(this.#next.head.type, 'newest', 'oldest') : undefined
    const years = times.filter(({ kind }) => kind === 'year')
    return times.find(({ key }) => key === rank) ?? [times, years].find((some) => some.length === 1)?.[0]
  }

  #readVerb(stems: readonly string[]): boolean {
    const found = this.#next.schemas.beginning(this.#next.askables, stems)
    if (found.length === 0 || this.#verb !== undefined) return false
    this.#verb = found
    return this.#next.take(1)
  }

  /** Reports whether the next words are a key of groups: a unit of time, or a property with values to count. */
  #isKey(): boolean {
    const found = this.#next.attribute()?.found ?? []
    // “Imaging” has the stem of “Image”, but is another noun: a method rather than the pictures.
    const gerund = /^.+ing$/.exec(this.#next.word?.folded ?? '')?.[0] ?? ''
    const isKey = (one: Askable) => isCounted(one) && fold(one.field.label).includes(gerund)
    return this.#unitOfTime() !== undefined || (found.length === 1 && found.every(isKey))
  }

  #unitOfTime(): string | undefined {
    const folded = this.#next.word?.folded ?? ''
    const [unit = folded] = ENGLISH_NOUNS.get(folded) ?? []
    return /^(?:year|month|decade|century)$/.test(unit) ? unit : undefined
  }

  #per(): boolean {
    if (this.#by !== undefined) return false
    const unit = this.#unitOfTime()
    if (unit !== undefined) {
      const measure = this.#timeOf(this.#verb ?? this.#next.askables, this.#verb)
      const years: Readonly<Record<string, string>> = { year: 'value', decade: '10', century: '100' }
      const bin = measure?.kind === 'year' ? years[unit] : /year|month/.test(unit) ? unit : undefined
      if (measure === undefined || bin === undefined) return false
      this.#by = `${bin}:${measure.key}`
      this.#verb = undefined
      return this.#next.take(1)
    }
    const { words, at, askables, schemas } = this.#next
    const named = this.#next.attribute() ?? schemas.typesAt(words, at)
    const [type, second] = schemas.typesAt(words, at)?.found ?? []
    const isOnly = ({ refersTo }: Askable) => refersTo?.length === 1 && refersTo[0] === type?.type
    const found =
      this.#next.attribute()?.found ?? askables.filter((one) => second === undefined && isOnly(one))
    const [askable, other] = found
    if (askable === undefined || other !== undefined || !isCounted(askable)) return false
    this.#by = `value:${askable.key}`
    return this.#next.take(named?.length ?? 0)
  }

  /** Reads a name that is the only meaning of the longest run of words. */
  async #name(byEnd = this.#verb !== undefined): Promise<boolean> {
    const meant = await this.#names.valued(this.#verb ?? this.#next.askables, byEnd)
    this.#verb = undefined
    // “People of Venus” are not those who discovered it.
    const isSaid = byEnd || !OF_VERBS.test(meant[0]?.[0].field.name ?? '')
    return isSaid && this.#only(meant)
  }

  /** Adds the condition that a property has a value, if it is the only one of the meanings. */
  #only([one, other]: readonly Valued[]): boolean {
    if (one === undefined || other !== undefined) return false
    return this.#add({ filter: { is: 'any', key: one[0].key, values: [one[1]] } })
  }

  #add(condition: ReturnType<typeof conditionFrom>): boolean {
    if (condition === undefined) return false
    if ('filter' in condition) this.#filters.push(condition.filter)
    else this.#cql.push(condition.cql)
    return true
  }
}
