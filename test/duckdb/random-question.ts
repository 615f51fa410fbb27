/** Random queries with groups, measures, conditions and joins, as input of `worldwright:query` and as SQL. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { Kind } from './question-data.ts'

/** A property with the kind of its values. `label` is the name in JSON. */
export interface Property {
  readonly label: string
  readonly kind: Kind
  /** True if the query must state the kind, because the property has several. */
  readonly named?: boolean
  /** True if the texts are dates. */
  readonly days?: boolean
}

/** A key of groups: its JSON, and SQL for rows of an entity `n` and its key `k`. */
export interface AskedKey {
  readonly json: JsonValue
  readonly sql: string
  readonly shows: 'plain' | 'instant' | 'reference' | 'cell'
}

/** A measure with its property. */
export interface AskedMeasure extends Property {
  readonly op: 'count' | 'distinct' | 'sum' | 'avg' | 'min' | 'max' | 'median'
}

/** Order of groups: by count, key, or the measure at an index. */
export interface AskedOrder {
  readonly by: 'count' | 'key' | number
  readonly descending: boolean
}

/** Random query, with the SQL of its answer. */
export interface AskedQuestion {
  readonly input: JsonObject
  readonly types: readonly string[]
  /** Condition on an entity `e`, in SQL. */
  readonly where: string
  readonly keys: readonly AskedKey[]
  readonly measures: readonly AskedMeasure[]
  readonly order: readonly AskedOrder[]
  readonly limit: number
}

const property = (label: string, kind: Kind, more: Partial<Property> = {}): Property => ({
  label,
  kind,
  ...more,
})

const OF_MAKER = [
  property('year', 'number', { named: true }),
  property('rating', 'number'),
  property('nation', 'text'),
  property('wet', 'boolean'),
  property('seen', 'instant'),
  property('home', 'reference'),
]
/** Properties of works, and of the makers to which they refer. */
export const OF_WORK: readonly Property[] = [
  ...OF_MAKER.slice(0, 2),
  property('year', 'text', { named: true }),
  property('size', 'number'),
  property('language', 'text'),
  property('code', 'text'),
  property('wet', 'boolean'),
  property('born', 'text', { days: true }),
  property('seen', 'instant'),
  property('maker', 'reference'),
  property('makerId', 'text'),
  ...['maker', 'makerId'].flatMap((path) =>
    OF_MAKER.map(({ label, kind }) => property(`${path}.${label}`, kind)),
  ),
]
const HOMES = [property('home.size', 'number'), property('home.nation', 'text')]

/** Paths that continue through a reference: the reference, the kind of its values, and the referenced type. */
export const JOINS = [
  ['maker', 'reference', 'q:maker'],
  ['makerId', 'text', 'q:maker'],
  ['home', 'reference', 'q:place'],
] as const

/** Returns the name of the table of the values of a property. */
export function tableOf({ label, kind }: Pick<Property, 'label' | 'kind'>): string {
  return `"${label} ${kind}"`
}

/** Returns an SQL string literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const
const NUMBERS = [0, 1, 5, 5.5, 7.3, 1_900, 1_985, -100, 250.25, 1e300, 5e-324]
const TEXTS = [
  'en',
  'fr',
  'ärmel',
  '日本',
  '\u{1f30d}',
  'c1',
  'ç19',
  '',
  'n2',
  'x',
  'unknown',
  'm7',
  '1999-02-30',
]

const REFERENCES = ['m1', 'm700', 'p3', 'none'].map(
  (id) => [id === 'p3' ? 'q:place' : 'q:maker', id] as const,
)

/** Generates queries with random numbers from `roll`. */
export class RandomQuestions {
  readonly #roll: (limit: number) => number
  #properties: readonly Property[] = OF_WORK

  constructor(roll: (limit: number) => number) {
    this.#roll = roll
  }

  next(): AskedQuestion {
    const types = this.#one([['q:work'], ['q:work'], ['q:work'], ['q:maker', 'q:work'], ['q:maker'], []])
    this.#properties = types.includes('q:work') || types.length === 0 ? OF_WORK : [...OF_MAKER, ...HOMES]
    const keys = Array.from({ length: this.#one([0, 1, 1, 1, 2, 2]) }, () => this.#key())
    const some = Array.from({ length: this.#one([1, 1, 2, 2, 3, 8]) }, () => this.#measure())
    const measures = keys.length > 0 && this.#roll(4) === 0 ? [] : some
    const order = this.#order(measures)
    const limit = this.#one([1, 3, 10, 100, 100, 1_000])
    const where = this.#roll(3) === 0 ? undefined : this.#condition(3)
    const sortText = ({ by, descending }: AskedOrder) => {
      const measure = typeof by === 'number' ? measures[by] : undefined
      return `${descending ? '-' : ''}${measure ? `${measure.op}:${measure.label}` : by}`
    }
    const input = {
      ...(types.length > 0 && { types }),
      ...(where && { where: where.json }),
      ...(keys.length > 0 && { group: keys.map(({ json }) => json) }),
      ...(measures.length > 0 && {
        measures: measures.map(({ op, ...measured }) => ({ op, ...this.#named(measured) })),
      }),
      ...(order.length > 0 && { groupSort: order.map(sortText) }),
      groupLimit: limit,
      limit: 0,
    }
    const orderOr = order.length > 0 ? order : [{ by: 'count' as const, descending: true }]
    return { input, types, where: where?.sql ?? 'true', keys, measures, order: orderOr, limit }
  }

  #key(): AskedKey {
    if (this.#properties === OF_WORK && this.#roll(8) === 0) {
      const degrees = this.#one([0.001, 0.1, 0.5, 1, 10, 30])
      const [x, y] = [`(CASE WHEN x = 180 THEN -180 ELSE x END)`, `least(y, 90 - 1e-9)`]
      const corner = `'[' || (edge(${x}, 0, ${degrees}) + 0.0) || ',' || (edge(${y}, 0, ${degrees}) + 0.0) || ']'`
      const sql = `SELECT DISTINCT n, ${corner} AS k FROM "place place"`
      return { json: { property: 'place', cells: degrees }, sql, shows: 'cell' }
    }
    const asked = this.#one(this.#properties)
    const { kind, days } = asked
    const [table, shape] = [tableOf(asked), this.#roll(2)]
    if (shape === 0 && kind === 'number') {
      const width = this.#one([1, 7, 10, 100, 0.1, 0.25, 1_000])
      const origin = this.#one([0, 0, 3, -0.25])
      const sql = `SELECT DISTINCT n, edge(v, ${origin}, ${width}) + 0.0 AS k FROM ${table}`
      return { json: { ...this.#named(asked), width, ...(origin && { origin }) }, sql, shows: 'plain' }
    }
    if (shape === 0 && (kind === 'instant' || days)) {
      const unit = this.#one(UNITS)
      const time = kind === 'instant' ? 'epoch_ms(v::BIGINT)' : 'day_of(v)'
      const form = unit === 'hour' ? '%Y-%m-%dT%H:00:00Z' : '%Y-%m-%d'
      const start = `strftime(date_trunc('${unit}', ${time}::TIMESTAMP), '${form}')`
      const sql = `SELECT DISTINCT n, ${start} AS k FROM ${table} WHERE ${time} IS NOT NULL`
      return { json: { property: asked.label, unit }, sql, shows: 'plain' }
    }
    const sql = `SELECT DISTINCT n, v AS k FROM ${table}`
    return {
      json: this.#named(asked),
      sql,
      shows: kind === 'instant' || kind === 'reference' ? kind : 'plain',
    }
  }

  #measure(): AskedMeasure {
    const asked = this.#one(this.#properties)
    const ops = ['count', 'distinct'] as const
    const ranged = [...ops, 'min', 'max'] as const
    if (asked.kind === 'number')
      return { ...asked, op: this.#one([...ranged, 'sum', 'avg', 'median', 'sum', 'avg']) }
    return { ...asked, op: this.#one(asked.kind === 'text' || asked.kind === 'instant' ? ranged : ops) }
  }

  #order(measures: readonly AskedMeasure[]): AskedOrder[] {
    const by = this.#one(['none', 'count', 'key', 'measure', 'measure'] as const)
    const descending = this.#roll(2) === 0
    if (by === 'none' || (by === 'measure' && measures.length === 0)) return []
    if (by !== 'measure') return [{ by, descending }]
    const at = this.#roll(measures.length)
    // A measure is named by its operation and property, so of two equal ones the first counts.
    const { op, label } = measures[at] as AskedMeasure
    const first = measures.findIndex((one) => one.op === op && one.label === label)
    return [{ by: first, descending }, ...(this.#roll(2) ? [{ by: 'count' as const, descending: true }] : [])]
  }

  #condition(depth: number): { readonly json: JsonObject; readonly sql: string } {
    const shape = this.#roll(depth > 0 ? 6 : 3)
    if (shape < 3) return this.#comparison()
    if (shape === 5) {
      const { json, sql } = this.#condition(depth - 1)
      return { json: { op: 'not', args: [json] }, sql: `(NOT ${sql})` }
    }
    const op = shape === 3 ? 'and' : 'or'
    const parts = Array.from({ length: 2 + this.#roll(2) }, () => this.#condition(depth - 1))
    return {
      json: { op, args: parts.map(({ json }) => json) },
      sql: `(${parts.map(({ sql }) => sql).join(` ${op} `)})`,
    }
  }

  /** Returns a comparison. It is unknown for entities without a value of the kind. */
  #comparison(): { readonly json: JsonObject; readonly sql: string } {
    const asked = this.#one(this.#properties)
    const named = { property: asked.label }
    const any = (test: string, table = tableOf(asked)) =>
      `(SELECT bool_or(${test}) FROM ${table} t WHERE t.n = e.n)`
    if (this.#roll(8) === 0)
      return {
        json: { op: 'isNull', args: [named] },
        sql: `(NOT EXISTS (SELECT 1 FROM "${asked.label}" t WHERE t.n = e.n))`,
      }
    if (this.#roll(10) === 0) {
      const [west, south] = [this.#roll(30) * 10 - 180, this.#roll(15) * 10 - 90]
      const bbox = [west, south, west + 60, south + 30]
      const test = `x BETWEEN ${west} AND ${west + 60} AND y BETWEEN ${south} AND ${south + 30}`
      const places = this.#properties === OF_WORK ? { property: 'place' } : undefined
      if (places)
        return { json: { op: 's_intersects', args: [places, { bbox }] }, sql: any(test, '"place place"') }
    }
    const [low, high] = [this.#literal(asked), this.#literal(asked)]
    if (asked.kind === 'text' && !asked.days && this.#roll(4) === 0) {
      const start = this.#one(TEXTS.filter((text) => text !== ''))
      return {
        json: { op: 'like', args: [named, `${start}%`] },
        sql: any(`starts_with(v, ${quoted(start)})`),
      }
    }
    if (this.#roll(4) === 0)
      return {
        json: { op: 'in', args: [named, [low.json, high.json]] },
        sql: any(`v IN (${low.sql}, ${high.sql})`),
      }
    if (asked.kind === 'boolean' || asked.kind === 'reference')
      return { json: { op: '=', args: [named, low.json] }, sql: any(`v = ${low.sql}`) }
    const op = this.#one(['=', '<', '<=', '>', '>=', 'between'] as const)
    if (op === 'between')
      return {
        json: { op, args: [named, low.json, high.json] },
        sql: any(`v BETWEEN ${low.sql} AND ${high.sql}`),
      }
    return { json: { op, args: [named, low.json] }, sql: any(`v ${op} ${low.sql}`) }
  }

  #literal({ kind, days }: Property): { readonly json: JsonValue; readonly sql: string } {
    if (kind === 'number') {
      const value = this.#one(NUMBERS)
      return { json: value, sql: `${value}::DOUBLE` }
    }
    if (kind === 'boolean') {
      const value = this.#roll(2) === 0
      return { json: value, sql: `${value}` }
    }
    if (kind === 'instant') {
      const ms = Date.UTC(1_850 + this.#roll(180), this.#roll(12), 1 + this.#roll(28))
      return { json: { timestamp: new Date(ms).toISOString() }, sql: `${ms}::DOUBLE` }
    }
    if (kind === 'reference') {
      const [type, id] = this.#one(REFERENCES)
      return { json: { op: 'entity', args: [type, id] }, sql: quoted(JSON.stringify([type, id])) }
    }
    if (!days) {
      const text = this.#one(TEXTS)
      return { json: text, sql: quoted(text) }
    }
    const day = new Date(Date.UTC(1_200 + this.#roll(800), this.#roll(12), 1)).toISOString().slice(0, 10)
    return { json: { date: day }, sql: quoted(day) }
  }

  #named({ label, kind, named }: Property): JsonObject {
    return { property: label, ...(named && { kind }) }
  }

  #one<T>(values: readonly T[]): T {
    return values[this.#roll(values.length)] as T
  }
}
