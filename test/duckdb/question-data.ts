/** Entities with values of every kind, the same in each run, and the same values as rows of tables. */
import type { Entity, EntityTypeDescription, JsonObject, JsonValue } from '@worldwright/client/protocol'
import { dice } from '../../packages/core/src/store/suite-data.ts'

/** Kinds of values, as in the tables. An instant is in milliseconds, and a reference is the JSON of its type and id. */
export type Kind = 'number' | 'boolean' | 'text' | 'instant' | 'reference' | 'place'

/** A value, with the number of its entity. A place is its longitude and latitude. */
export interface Row {
  readonly entity: number
  readonly property: string
  readonly kind: Kind
  readonly value: number | boolean | string | readonly [longitude: number, latitude: number]
}

const NUMBER = { type: 'number' }
const DATE_TIME = { type: 'string', format: 'date-time' }
const reference = (type: string) => ({
  type: 'object',
  properties: { type: { const: type }, id: { type: 'string' } },
})

/** Descriptions of the types. A maker is referred to by `maker`, and by its id in `makerId`. */
export const TYPES: readonly EntityTypeDescription[] = [
  {
    type: 'q:work',
    schema: {
      properties: {
        year: { type: ['number', 'string'] },
        rating: NUMBER,
        size: NUMBER,
        language: { type: 'array', items: { type: 'string' } },
        code: { type: 'string' },
        wet: { type: 'boolean' },
        born: { type: 'string', format: 'date' },
        seen: DATE_TIME,
        place: { type: 'object', properties: { latitude: NUMBER, longitude: NUMBER } },
        maker: reference('q:maker'),
        makerId: { type: 'string', 'x-references': 'q:maker' },
      },
    },
  },
  {
    type: 'q:maker',
    schema: {
      properties: {
        year: NUMBER,
        rating: NUMBER,
        nation: { type: 'string' },
        wet: { type: 'boolean' },
        seen: DATE_TIME,
        home: reference('q:place'),
      },
    },
  },
  { type: 'q:place', schema: { properties: { size: NUMBER, nation: { type: 'string' } } } },
]

const SPECIAL = [1e300, -1e300, 5e-324, -5e-324, 2.2e-308, 2 ** 53, -(2 ** 53), 0.1, 0.2, 0.3, 1e21, 1e-7, 0]
const LANGUAGES = [
  'en',
  'fr',
  'Ärmel',
  'ärmel',
  '日本語',
  '中文',
  '\u{1f30d}',
  '\uffff',
  'e\u0301',
  '',
  ' ',
  'EN',
]
const NATIONS = [
  'Nederland',
  'España',
  'Österreich',
  '日本',
  'مصر',
  'Ελλάδα',
  'x',
  '\u{1f30d}land',
  'nederland',
]
const NO_DATES = ['spring', '1999-02-30', '1990', '1990-1-1']

/** Makes all entities and rows. A seventh of the entities are makers, and a twentieth are places. */
export class QuestionData {
  readonly entities: Entity[] = []
  readonly rows: Row[] = []
  readonly #roll = dice(20_261_127)
  readonly #makers: number

  constructor(size: number) {
    const places = Math.floor(size / 20)
    this.#makers = Math.floor(size / 7)
    for (let at = 0; at < size; at++) {
      if (at < places)
        this.#add('q:place', `p${at}`, [
          ['size', this.#size()],
          ['nation', this.#one(NATIONS)],
        ])
      else if (at < places + this.#makers)
        this.#add('q:maker', this.#makerId(at - places), this.#maker(places))
      else this.#add('q:work', `w${at}`, this.#work())
    }
  }

  #maker(places: number): [string, JsonValue][] {
    return [
      ['year', this.#number(1_500, 700)],
      ['rating', this.#rating()],
      ['nation', this.#roll(5) ? this.#one(NATIONS) : `n${this.#roll(300)}`],
      ['wet', this.#roll(2) === 0],
      ['seen', this.#instant()],
      ['home', { type: 'q:place', id: `p${this.#roll(places + 50)}` }],
    ]
  }

  #work(): [string, JsonValue][] {
    const some = (most: number, make: () => JsonValue) => Array.from({ length: this.#roll(most + 1) }, make)
    const makers = () => this.#reference()
    const years = [
      () => this.#number(-500, 2_600),
      () => 'unknown',
      () => this.#number(1_900, 100) + this.#roll(4) / 4,
    ]
    return [
      ['year', this.#roll(10) ? this.#one(years)() : some(3, () => this.#one(years)())],
      ['rating', this.#roll(10) ? this.#rating() : some(4, () => this.#rating())],
      ['size', this.#size()],
      ['language', this.#roll(3) ? this.#one(LANGUAGES) : some(3, () => this.#one(LANGUAGES))],
      ['code', `${this.#one(['c', 'C', 'ç', ''])}${this.#roll(20_000)}`],
      ['wet', this.#roll(20) ? this.#roll(2) === 0 : [true, false]],
      ['born', this.#roll(15) ? this.#day() : this.#one(NO_DATES)],
      ['seen', this.#roll(10) ? this.#instant() : [this.#instant(), 'some day']],
      ['place', this.#roll(10) ? this.#place() : [this.#place(), this.#place()]],
      ['maker', this.#roll(8) ? makers() : some(3, makers)],
      ['makerId', this.#roll(8) ? this.#makerId(this.#roll(this.#makers + 300)) : 7],
    ]
  }

  #add(type: string, id: string, members: readonly [string, JsonValue][]): void {
    const attributes: Record<string, JsonValue> = {}
    for (const [property, value] of members) {
      if (this.#roll(8) === 0) continue
      attributes[property] = value
      for (const one of [value].flat()) this.rows.push(...rowsOf(this.entities.length, property, one))
    }
    this.entities.push({ type, id, attributes })
  }

  #one<T>(values: readonly T[]): T {
    return values[this.#roll(values.length)] as T
  }

  #number(least: number, span: number): number {
    return least + this.#roll(span)
  }

  #size(): number {
    return (this.#roll(2_000_000) - 1_000_000) / 1_000
  }

  #rating(): number {
    return this.#roll(6) ? this.#roll(101) / 10 : this.#one(SPECIAL)
  }

  #day(): string {
    const day = Date.UTC(1_200, 0, 1) + this.#roll(300_000) * 86_400_000
    return new Date(day).toISOString().slice(0, 10)
  }

  /** Returns a time between 1850 and 2030 in one of two offsets. */
  #instant(): string {
    const ms = Date.UTC(1_850, 0, 1) + this.#roll(5_680_000) * 1_000_000 + this.#roll(1_000_000)
    if (this.#roll(3)) return new Date(ms).toISOString()
    return new Date(ms + 19_800_000).toISOString().replace('Z', '+05:30')
  }

  #place(): JsonObject {
    const longitude = this.#roll(50)
      ? (this.#roll(3_600_001) - 1_800_000) / 10_000
      : this.#one([180, -180, 0])
    return {
      longitude,
      latitude: this.#roll(50) ? (this.#roll(1_800_001) - 900_000) / 10_000 : this.#one([90, -90, 0]),
    }
  }

  #makerId(at: number): string {
    return at % 9 ? `m${at}` : `mé ${at}/\u{1f30d}`
  }

  /** Returns a reference to a maker, which may be missing, or to a place. */
  #reference(): JsonObject {
    if (this.#roll(12) === 0) return { type: 'q:place', id: `p${this.#roll(100)}` }
    return { type: 'q:maker', id: this.#makerId(this.#roll(this.#makers + 500)) }
  }
}

/** Returns the rows of one value of an entity. A time is a text as well. */
function* rowsOf(entity: number, property: string, value: JsonValue): Generator<Row> {
  const row = (kind: Kind, value: Row['value']) => ({ entity, property, kind, value })
  if (typeof value === 'number') yield row('number', value)
  else if (typeof value === 'boolean') yield row('boolean', value)
  else if (typeof value === 'string') {
    yield row('text', value)
    if (/T.*(Z|\+05:30)$/.test(value)) yield row('instant', Date.parse(value))
  } else if (value !== null && !Array.isArray(value)) {
    const { longitude, latitude, type, id } = value
    if (type === undefined) yield row('place', [Number(longitude), Number(latitude)])
    else yield row('reference', JSON.stringify([type, id]))
  }
}
