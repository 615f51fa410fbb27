/** Answers queries with DuckDB over tables of values, and with exact arithmetic over the values that it returns. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { compareUtf8 } from '@worldwright/core/store'
import { exactOf, medianOf, roundedQuotient } from './exact.ts'
import type { Kind, QuestionData } from './question-data.ts'
import {
  type AskedMeasure,
  type AskedOrder,
  type AskedQuestion,
  JOINS,
  quoted,
  tableOf,
} from './random-question.ts'

/** The groups of an answer, as `worldwright:query` writes them. */
export interface ExpectedAnswer {
  readonly total: number
  readonly groups: readonly unknown[]
  readonly groupsTotal: number
  readonly ignored: readonly number[]
}

type Value = number | string | boolean | null

interface ExpectedGroup {
  readonly key: readonly Value[]
  readonly count: number
  readonly measures: Value[]
}

const TYPE_OF: Readonly<Record<Kind, string>> = {
  number: 'v DOUBLE',
  boolean: 'v BOOLEAN',
  text: 'v VARCHAR',
  instant: 'v DOUBLE',
  reference: 'v VARCHAR',
  place: 'x DOUBLE, y DOUBLE',
}
const KINDS = Object.keys(TYPE_OF) as Kind[]
const PROPERTIES = [
  'year',
  'rating',
  'size',
  'language',
  'code',
  'wet',
  'born',
  'seen',
  'place',
  'maker',
  'makerId',
  'nation',
  'home',
]

/** SQL for bins as in a world: an edge is a double, a value far from zero is its own edge, and a day is a whole date. */
const MACROS = `
  CREATE MACRO edge_at(v, o, w, i) AS CASE
    WHEN o + w * i > v THEN o + w * (i - 1) WHEN o + w * (i + 1) <= v THEN o + w * (i + 1) ELSE o + w * i END;
  CREATE MACRO edge(v, o, w) AS CASE
    WHEN greatest(abs(v), abs(o)) >= w::DOUBLE * 1125899906842624.0 THEN v::DOUBLE
    ELSE edge_at(v::DOUBLE, o::DOUBLE, w::DOUBLE, floor((v::DOUBLE - o::DOUBLE) / w::DOUBLE)) END;
  CREATE MACRO day_of(v) AS CASE WHEN regexp_full_match(v, '\\d{4}-\\d{2}-\\d{2}') THEN try_cast(v AS DATE) END`

/** A DuckDB database of the entities. */
export class Oracle {
  readonly #db: DuckDBConnection
  readonly #kinds = new Map<string, Kind[]>()

  private constructor(db: DuckDBConnection) {
    this.#db = db
  }

  /** Loads one table for each property and kind, including those of referenced entities. */
  static async over({ entities, rows }: QuestionData): Promise<Oracle> {
    const oracle = new Oracle(await (await DuckDBInstance.create(':memory:')).connect())
    const db = oracle.#db
    await db.run(`${MACROS}; CREATE TABLE e (n INTEGER, type VARCHAR, id VARCHAR)`)
    const all = await db.createAppender('e')
    for (const [n, { type, id }] of entities.entries()) {
      all.appendInteger(n)
      all.appendVarchar(type)
      all.appendVarchar(id)
      all.endRow()
    }
    all.closeSync()
    for (const label of PROPERTIES)
      for (const kind of KINDS) {
        const values = rows.filter((row) => row.property === label && row.kind === kind)
        await db.run(`CREATE TABLE all_values (n INTEGER, ${TYPE_OF[kind]})`)
        const appender = await db.createAppender('all_values')
        for (const { entity, value } of values) {
          appender.appendInteger(entity)
          for (const part of [value].flat()) {
            if (typeof part === 'number') appender.appendDouble(part)
            else if (typeof part === 'boolean') appender.appendBoolean(part)
            else appender.appendVarchar(part as string)
          }
          appender.endRow()
        }
        appender.closeSync()
        await oracle.#keep({ label, kind }, 'SELECT DISTINCT * FROM all_values')
        await db.run('DROP TABLE all_values')
      }
    for (const [path, kind, type] of JOINS)
      for (const label of PROPERTIES)
        for (const behind of KINDS) {
          const named = kind === 'text' ? 'target.id' : `'["${type}",' || to_json(target.id) || ']'`
          const from = `${tableOf({ label: path, kind })} r JOIN e target ON target.type = ${quoted(type)} AND ${named} = r.v`
          const values = behind === 'place' ? 't.x, t.y' : 't.v'
          const sql = `SELECT DISTINCT r.n, ${values} FROM ${from} JOIN ${tableOf({ label, kind: behind })} t ON t.n = target.n`
          await oracle.#keep({ label: `${path}.${label}`, kind: behind }, sql)
        }
    for (const [label, kinds] of oracle.#kinds) {
      const parts = kinds.map((kind) => `SELECT n FROM ${tableOf({ label, kind })}`)
      await db.run(`CREATE TABLE "${label}" AS SELECT DISTINCT n FROM (${parts.join(' UNION ALL ')})`)
    }
    return oracle
  }

  close(): void {
    this.#db.closeSync()
  }

  /** Returns the groups of a query. */
  async answer(question: AskedQuestion): Promise<ExpectedAnswer> {
    const { types, where, keys, measures, order, limit } = question
    const isAsked = types.length > 0 ? `type IN (${types.map(quoted).join(', ')})` : 'true'
    await this.#db.run(`CREATE OR REPLACE TEMP TABLE m AS SELECT n FROM e WHERE ${isAsked} AND ${where}`)
    const joins = keys.map(({ sql }, at) => `LEFT JOIN (${sql}) k${at} ON k${at}.n = m.n`)
    const columns = keys.map((_, at) => `k${at}`)
    const shown = columns.map((name) => `, ${name}.k AS ${name}`)
    await this.#db.run(
      `CREATE OR REPLACE TEMP TABLE g AS SELECT DISTINCT m.n${shown.join('')} FROM m ${joins.join(' ')}`,
    )
    const by = columns.length > 0 ? `GROUP BY ${columns.join(', ')}` : ''
    const named = [...columns, ''].join(', ')
    const groups = (await this.#rows(`SELECT ${named}count(*)::DOUBLE FROM g ${by}`)).map(
      (row): ExpectedGroup => ({ key: row.slice(0, -1), count: Number(row.at(-1)), measures: [] }),
    )
    for (const [at, measure] of measures.entries()) {
      const found = await this.#measured(measure, named, columns)
      for (const group of groups)
        group.measures[at] =
          found.get(JSON.stringify(group.key)) ?? (['count', 'distinct'].includes(measure.op) ? 0 : null)
    }
    const [[total] = []] = await this.#rows('SELECT count(*)::DOUBLE FROM m')
    return {
      total: Number(total),
      groups: groups
        .sort((left, right) => compared(left, right, order, question))
        .slice(0, limit)
        .map((group) => shownGroup(group, question)),
      groupsTotal: groups.length,
      ignored: await Promise.all(measures.map((measure) => this.#ignored(measure))),
    }
  }

  async #keep({ label, kind }: { readonly label: string; readonly kind: Kind }, sql: string): Promise<void> {
    await this.#db.run(`CREATE TABLE ${tableOf({ label, kind })} AS ${sql}`)
    this.#kinds.set(label, [...(this.#kinds.get(label) ?? []), kind])
  }

  /** Returns a measure of each group that has values, by key. */
  async #measured(
    measure: AskedMeasure,
    named: string,
    columns: readonly string[],
  ): Promise<Map<string, Value>> {
    const { op } = measure
    const from = `FROM g JOIN ${tableOf(measure)} t ON t.n = g.n`
    const keyOf = (row: readonly Value[]) => JSON.stringify(row.slice(0, columns.length))
    if (!['sum', 'avg', 'median'].includes(op)) {
      const value =
        op === 'count'
          ? 'count(DISTINCT g.n)::DOUBLE'
          : op === 'distinct'
            ? 'count(DISTINCT v)::DOUBLE'
            : `${op}(v)`
      const by = columns.length > 0 ? `GROUP BY ${columns.join(', ')}` : ''
      const rows = await this.#rows(`SELECT ${named}${value} ${from} ${by}`)
      return new Map(rows.map((row) => [keyOf(row), row.at(-1) ?? null]))
    }
    const rows = await this.#rows(`SELECT ${named}v, count(*)::DOUBLE ${from} GROUP BY ${named}v ORDER BY v`)
    const values = Map.groupBy(rows, keyOf)
    return new Map(
      [...values].map(([key, found]) => {
        const counted = found.map((row) => [Number(row.at(-2)), Number(row.at(-1))] as const)
        if (op === 'median') return [key, medianOf(counted)]
        const sum = counted.reduce((all, [value, count]) => all + exactOf(value) * BigInt(count), 0n)
        const divisor = op === 'sum' ? 1 : counted.reduce((all, [, count]) => all + count, 0)
        return [key, roundedQuotient(sum, BigInt(divisor))]
      }),
    )
  }

  /** Returns the number of entities with values of other kinds. The texts of an entity with a time do not count. */
  async #ignored({ label, kind }: AskedMeasure): Promise<number> {
    const others = (this.#kinds.get(label) ?? []).filter(
      (other) => other !== kind && !(kind === 'text' && other === 'instant'),
    )
    const parts = others.map((other) => {
      const times = tableOf({ label, kind: 'instant' })
      const isTimed = kind === 'instant' && other === 'text' ? `ANTI JOIN ${times} times USING (n)` : ''
      return `SELECT n FROM ${tableOf({ label, kind: other })} ${isTimed}`
    })
    const rows = await this.#rows(
      `SELECT count(DISTINCT n)::DOUBLE FROM m SEMI JOIN (${parts.join(' UNION ALL ')}) o USING (n)`,
    )
    return Number(rows[0]?.[0])
  }

  async #rows(sql: string): Promise<Value[][]> {
    return (await this.#db.runAndReadAll(sql)).getRows() as Value[][]
  }
}

/** Compares two groups. Null is last in both directions, and ties are in ascending order of their keys. */
function compared(
  left: ExpectedGroup,
  right: ExpectedGroup,
  order: readonly AskedOrder[],
  question: AskedQuestion,
): number {
  for (const { by, descending } of [...order, { by: 'key' as const, descending: false }]) {
    const valuesOf = ({ key, count, measures }: ExpectedGroup): readonly Value[] => {
      if (by === 'key') return key.map((value, at) => sortable(value, question.keys[at]?.shows))
      return [by === 'count' ? count : (measures[by] ?? null)]
    }
    const [ones, others] = [valuesOf(left), valuesOf(right)]
    for (const [at, one] of ones.entries()) {
      const other = others[at] ?? null
      if (one === other) continue
      if (one === null || other === null) return one === null ? 1 : -1
      const isText = typeof one === 'string' && typeof other === 'string'
      const sign = isText ? compareUtf8(one, other) : Number(one) - Number(other)
      if (sign !== 0) return descending ? -sign : sign
    }
  }
  return 0
}

/** Returns a key as a value that sorts as the key does: cells from south to north, and then from west to east. */
function sortable(value: Value, shows: string | undefined): Value {
  if (typeof value !== 'string') return value
  if (shows === 'reference') return JSON.parse(value).join('\0')
  if (shows !== 'cell') return value
  const [west, south] = JSON.parse(value)
  return (south + 90) * 1e7 + (west + 180)
}

function shownGroup({ key, count, measures: found }: ExpectedGroup, { keys, measures }: AskedQuestion) {
  return {
    key: key.map((value, at) => {
      const shows = keys[at]?.shows
      if (typeof value === 'number') return shows === 'instant' ? new Date(value).toISOString() : value
      if (typeof value !== 'string') return value
      if (shows === 'cell') return JSON.parse(value)
      if (shows !== 'reference') return value
      const [type, id] = JSON.parse(value)
      return { type, id }
    }),
    count,
    measures: found.map((value, at) => {
      const { op = '', kind } = measures[at] ?? {}
      const isTime = kind === 'instant' && (op === 'min' || op === 'max')
      return isTime && typeof value === 'number' ? new Date(value).toISOString() : value
    }),
  }
}
