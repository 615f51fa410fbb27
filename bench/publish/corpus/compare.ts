/** Compares the cells of an independent reader with the entities that a world serves. */

/** Cell as `read.py` prints it, or a value of a JSON document whose numbers are `{ n: digits }`. */
export type Raw = null | string | boolean | Raw[] | { readonly [member: string]: Raw }

/** Table as `read.py` prints it. */
export interface RawTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Raw[])[]
  /** Line of each row, empty if the file has no lines. */
  readonly lines: readonly number[]
}

/** Source of a proposed definition, as far as the comparison needs it. */
export interface ProposedSource {
  readonly file?: string
  readonly sheet?: string
  readonly table?: string
  readonly type?: string
  readonly id?: string | readonly string[] | { readonly row: string }
  readonly title?: string
  readonly summary?: string
  readonly missing?: readonly string[]
  readonly trim?: boolean | readonly string[]
  readonly references?: Readonly<Record<string, { readonly column?: string }>>
  readonly cells?: Readonly<Record<string, Form>>
}

interface Form {
  readonly missing?: readonly string[]
  readonly decimal?: string
  readonly thousands?: string
  readonly prefix?: string
  readonly suffix?: string
  readonly date?: string
  readonly separator?: string
  readonly words?: Readonly<Record<string, boolean>>
}

/** Entity with every number as `{ n: digits }`. */
export interface Served {
  readonly id: string
  readonly title?: string
  readonly summary?: string
  readonly attributes: Readonly<Record<string, Raw>>
}

/** Counts of a comparison, and the first differences. */
export interface Verdict {
  readonly cells: number
  readonly changed: number
  /** Rows that are not served, and those of them that the load named. */
  readonly rejected: number
  readonly named: number
  readonly examples: readonly string[]
}

/** Parses JSON with every number as `{ n: digits }`. */
export function exactJson(text: string): Raw {
  const digits = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? { n: context?.source ?? String(value) } : value
  return JSON.parse(text, digits as (key: string, value: unknown) => unknown) as Raw
}

/** Compares a table with the entities of a source. `refused` holds the lines of the records that the load named. */
export function compare(
  table: RawTable,
  source: ProposedSource,
  entities: ReadonlyMap<string, Served>,
  refused: ReadonlySet<string>,
): Verdict {
  const verdict = { cells: 0, changed: 0, rejected: 0, named: 0, examples: [] as string[] }
  const isSheet = source.file?.endsWith('.xlsx') === true
  let number = 0
  const left = new Set(entities.keys())
  for (const [at, row] of table.rows.entries()) {
    const filled = row.filter((cell) => !isEmpty(cell)).length
    if (filled === 0) continue
    number += 1
    verdict.cells += Math.max(row.length, table.columns.length)
    const record = new Map(
      row.map((cell, index) => [nameOf(table.columns[index], index, isSheet), cell] as const),
    )
    const id = idOf(source, record, number)
    const entity = entities.get(id)
    left.delete(id)
    const line = String(table.lines[at] ?? number)
    if (entity === undefined || refused.has(line)) {
      verdict.rejected += 1
      if (refused.has(line)) verdict.named += 1
      else note(verdict, `row ${line} (${id}) is neither served nor named`)
      continue
    }
    for (const [name, cell] of record) {
      const value = attributeOf(source, name, entity)
      if (isSame(cell, value, source, name)) continue
      verdict.changed += 1
      note(verdict, `row ${line}, ${name}: ${JSON.stringify(cell)} is served as ${JSON.stringify(value)}`)
    }
    const title = source.title === undefined ? undefined : record.get(source.title)
    if (source.title !== undefined && !isSame(title ?? null, entity?.title, source, source.title))
      note(verdict, `row ${line}: the title is ${entity?.title}`)
  }
  for (const id of left) note(verdict, `entity ${id} is no row of the file`)
  return verdict
}

function note(verdict: { examples: string[] }, text: string): void {
  if (verdict.examples.length < 5) verdict.examples.push(text)
}

/** Returns the name of a column: its header, or else its number or, in a sheet, its letter. */
function nameOf(name: string | undefined, index: number, isSheet: boolean): string {
  const clean = (name ?? '').trim()
  if (clean !== '') return clean
  return isSheet ? String.fromCharCode(65 + index) : `column ${index + 1}`
}

function isEmpty(cell: Raw): boolean {
  return cell === null || (typeof cell === 'string' && cell.trim() === '')
}

function idOf({ id }: ProposedSource, record: ReadonlyMap<string, Raw>, number: number): string {
  if (typeof id === 'object' && 'row' in id) return String(number)
  return [id ?? 'id']
    .flat()
    .map((name) => plain(record.get(name) ?? null))
    .join('-')
}

function plain(cell: Raw): string {
  if (typeof cell === 'object' && cell !== null && 'n' in cell) return String(Number(cell['n']))
  return String(cell ?? '').trim()
}

function attributeOf(source: ProposedSource, name: string, entity: Served): Raw | undefined {
  const found = Object.entries(source.references ?? {}).find(([, { column }]) => column === name)
  const value = Object.hasOwn(entity.attributes, name) ? entity.attributes[name] : undefined
  if (found !== undefined) {
    const reference = entity.attributes[found[0]]
    return isObject(reference) ? reference['id'] : value
  }
  return value ?? (source.summary === name ? entity.summary : undefined)
}

function isSame(cell: Raw, value: Raw | undefined, source: ProposedSource, name: string): boolean {
  const form = source.cells?.[name] ?? {}
  const missing = form.missing ?? source.missing ?? []
  if (value === undefined || value === null)
    return isEmpty(cell) || missing.includes(plain(cell)) || missing.includes(String(cell))
  if (typeof cell === 'string') return isSameText(cell, value, source, name, form)
  if (!isObject(cell)) return Array.isArray(cell) ? isSameJson(cell, value) : cell === value
  if (typeof cell['d'] === 'string') return isSameTime(cell['d'], String(value))
  if (typeof cell['t'] === 'string') return String(value).startsWith(cell['t'].replace(/:00$/, ''))
  if ('n' in cell && !isObject(value)) return decimal(String(cell['n'])) === decimal(String(value))
  return isSameJson(cell, value)
}

/** Reports whether two JSON values are equal, numbers by all their digits. A member that is null may be absent. */
export function isSameJson(one: Raw, other: Raw | undefined): boolean {
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => isSameJson(item, other[at]))
    )
  if (!isObject(one) || !isObject(other)) return one === other || (one === null && other === undefined)
  if (typeof one['n'] === 'string' && typeof other['n'] === 'string')
    return decimal(one['n']) === decimal(other['n'])
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isSameJson(one[name] ?? null, other[name] ?? undefined))
}

function isSameText(
  cell: string,
  value: Raw,
  { trim = [] }: ProposedSource,
  name: string,
  form: Form,
): boolean {
  const text = trim === true || (Array.isArray(trim) && trim.includes(name)) ? cell.trim() : cell
  if (form.date !== undefined) return isSameDate(text, String(value), form.date)
  if (typeof value === 'string') return value === text
  if (typeof value === 'boolean')
    return (form.words?.[text] ?? { true: true, false: false }[text.toLowerCase()]) === value
  if (Array.isArray(value)) return value.map(String).join(form.separator ?? '') === text
  if (!isObject(value) || typeof value['n'] !== 'string') return false
  return decimal(numberText(text, form)) === decimal(value['n'])
}

/** Returns the digits of a cell in a declared form, with a point for the decimal sign. */
function numberText(text: string, { prefix = '', suffix = '', thousands, decimal = '.' }: Form): string {
  const bare = text.trim().replace(prefix.trim(), '')
  const digits = bare.slice(0, bare.length - suffix.trim().length).trim()
  return (thousands === undefined ? digits : digits.replaceAll(thousands, '')).replace(decimal, '.')
}

/** Compares a cell with an RFC 3339 date by the numbers that the pattern names, in its order. */
function isSameDate(text: string, value: string, pattern: string): boolean {
  const [year, month, day] = value.split(/[-T]/)
  const order = pattern.match(/y+|m+|d+/g) ?? []
  const parts: Record<string, string | undefined> = { y: year, m: month, d: day }
  const numbers = text.match(/\d+/g) ?? []
  if (numbers.length === 1) return order.map((part) => parts[part[0] ?? '']).join('') === numbers[0]
  return order.every((part, at) => Number(parts[part[0] ?? '']) === Number(numbers[at]))
}

function isSameTime(cell: string, value: string): boolean {
  const bare = (time: string) => time.replace(/(?:T00:00:00)?(?:\.0+)?(?:Z|\+00:00)?$/, '')
  return bare(cell) === bare(value)
}

/** Returns the canonical digits of a decimal number, as significant digits and an exponent, or undefined if it is none. */
function decimal(text: string): string | undefined {
  const found = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text.trim())
  if (!found) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = found
  const digits = (whole + fraction).replace(/^0+/, '')
  const short = digits.replace(/0+$/, '')
  if (short === '') return '0'
  const place = Number(exponent) - fraction.length + digits.length - short.length
  return `${sign === '-' ? '-' : ''}${short}e${place}`
}

function isObject(value: Raw | undefined): value is { readonly [member: string]: Raw } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
