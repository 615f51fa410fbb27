/** A first definition, made from data: what the types could be, which columns are id and title, what schema holds. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { Document } from 'yaml'
import type { CellKind } from '../entities/cells.ts'
import { SchemaInference } from '../entities/infer-schema.ts'
import { readRecords } from '../read/read-records.ts'
import { type RecordSource, SourceFault } from '../read/record-source.ts'

/** A first definition, and what was assumed to make it. */
export interface Scaffold {
  /** The text of a world.yaml. */
  readonly text: string
  readonly assumptions: readonly string[]
}

/** What a first definition is made from. */
export interface ScaffoldInput {
  readonly source: RecordSource
  /** What the definition calls the file. */
  readonly file: string
  /** The prefix of its types; by default from the file's name. */
  readonly prefix?: string
  readonly name?: string
}

/** Records looked at. A million would say little more, and the import checks all of them anyway. */
const SAMPLE = 10_000

/** Distinct values remembered of a column. */
const MAX_DISTINCT = 20_000

/**
 * Reads records and makes a first definition for them.
 * @throws SourceFault where the source cannot be read, or has no record
 */
export async function scaffoldDefinition(input: ScaffoldInput): Promise<Scaffold> {
  const sample = await sampleOf(input.source)
  if (sample.records === 0)
    throw new SourceFault(`${input.source.name}: there is no record in it to make a definition of.`)
  const base = wordOf(input.file.replace(/\.gz$/i, '').replace(/\.[^.]+$/, ''))
  const prefix = input.prefix ?? base
  const assumptions = [`${sample.records} records were looked at${sample.more ? '; there are more' : ''}.`]
  const { types, source } = sample.typed
    ? typedProposal(sample, input.file, assumptions)
    : columnProposal(sample, input.file, prefix, singular(base), assumptions)
  const document = new Document({ name: input.name ?? titleOf(base), types, sources: [source] })
  document.commentBefore =
    ' yaml-language-server: $schema=./world.schema.json\n A first definition, proposed from the data. Everything in it may be changed.'
  return { text: document.toString({ lineWidth: 110, flowCollectionPadding: true }), assumptions }
}

/** What was seen of one column. */
interface Column {
  readonly kinds: Set<CellKind>
  readonly distinct: Set<string>
  filled: number
  longest: number
}

interface Sample {
  records: number
  more: boolean
  /** Values are text, and their types have to be guessed. */
  cells: boolean
  /** Every record names its own type. */
  typed: boolean
  readonly columns: Map<string, Column>
  readonly schemas: Map<string, SchemaInference>
}

async function sampleOf(source: RecordSource): Promise<Sample> {
  const sample: Sample = {
    records: 0,
    more: false,
    cells: false,
    typed: true,
    columns: new Map(),
    schemas: new Map(),
  }
  for await (const read of readRecords(source)) {
    if ('fault' in read || !isObject(read.record)) continue
    if (sample.records >= SAMPLE) {
      sample.more = true
      break
    }
    sample.records += 1
    sample.cells = read.cells === true
    if (sample.cells || typeof read.record['type'] !== 'string' || !read.record['type'].includes(':'))
      sample.typed = false
    for (const [name, value] of Object.entries(read.record)) see(sample, name, value)
    if (!sample.cells) learn(sample, read.record)
  }
  return sample
}

function see({ columns, cells }: Sample, name: string, value: JsonValue): void {
  const column = columns.get(name) ?? { kinds: new Set(), distinct: new Set(), filled: 0, longest: 0 }
  columns.set(name, column)
  if (value === null || value === '') return
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  column.filled += 1
  column.longest = Math.max(column.longest, text.length)
  if (column.distinct.size < MAX_DISTINCT) column.distinct.add(text)
  column.kinds.add(cells ? kindOf(text) : typeof value === 'string' ? 'text' : 'json')
}

function learn({ schemas }: Sample, record: JsonObject): void {
  const type = typeof record['type'] === 'string' ? record['type'] : ''
  const inference = schemas.get(type) ?? new SchemaInference()
  schemas.set(type, inference)
  const { attributes } = record
  inference.add(isObject(attributes) ? attributes : withoutNames(record))
}

const NAMES = new Set(['type', 'id', 'title', 'name', 'summary', 'description'])

function withoutNames(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !NAMES.has(name)))
}

/** So many digits every double holds. */
const SAFE_DIGITS = 15

function kindOf(text: string): CellKind {
  if (text === 'true' || text === 'false') return 'boolean'
  // What would be written another way again is a code: a postal code, a version, a part number, a telephone number.
  const digits = text.replace(/\D/g, '').length
  if (digits > SAFE_DIGITS || !/^-?\d+(?:\.\d+)?$/.test(text) || String(Number(text)) !== text) return 'text'
  return Number.isInteger(Number(text)) ? 'integer' : 'number'
}

function typedProposal(sample: Sample, file: string, assumptions: string[]) {
  const types = [...sample.schemas].map(([type, inference]) => ({ type, schema: open(inference.schema()) }))
  assumptions.push(`Records name their types: ${types.map(({ type }) => type).join(', ')}.`)
  return { types: types.toSorted((a, b) => (a.type < b.type ? -1 : 1)), source: { file } }
}

function columnProposal(sample: Sample, file: string, prefix: string, name: string, assumptions: string[]) {
  const type = `${prefix}:${name}`
  const { id, reasons } = idColumn(sample)
  const title =
    firstColumn(sample, /^(?:title|name|label|caption)$/i) ?? firstColumn(sample, /(?:title|name)$/i)
  const summary = firstColumn(sample, /^(?:summary|description|abstract|about)$/i)
  assumptions.push(`Every record is a ${type}.`)
  assumptions.push(...reasons)
  if (title !== undefined) assumptions.push(`The title is ${title}.`)
  if (summary !== undefined) assumptions.push(`The summary is ${summary}.`)
  const used = new Set([id, title, summary])
  const attributes = [...sample.columns.keys()].filter((column) => !used.has(column))
  const schema = sample.cells
    ? tableSchema(sample, attributes, assumptions)
    : open(sample.schemas.values().next().value?.schema() ?? {})
  const display = displayOf(sample, attributes)
  return {
    types: [{ type, title: titleOf(name), schema, ...(Object.keys(display).length > 0 && { display }) }],
    source: { file, type, ...(id && { id }), ...(title && { title }), ...(summary && { summary }) },
  }
}

const NO_ID = 'No column is different in every record: name the columns that make an id under `id`.'

/** What columns are called that hold ids. */
const ID_NAME = /(?:^|[_-])(?:id|key|code|slug)$/i

/** Ids may be longer, but these are the ones that every program takes. */
const LONGEST_ID = 128

/** Other columns that are named where the id is said. */
const MOST_OTHERS = 5

/** The column that could be the id, and why it is this one and not another that looks like one. */
function idColumn({ columns, records }: Sample): { id: string | undefined; reasons: string[] } {
  const unfit = new Map([...columns].map(([name, column]) => [name, unfitness(column, records)]))
  const fit = [...columns.keys()].filter((name) => unfit.get(name) === undefined)
  const id = fit.find((name) => name === 'id') ?? fit.find((name) => ID_NAME.test(name)) ?? fit[0]
  const others = fit.filter((name) => name !== id)
  const reasons = [...unfit]
    .filter(([name, why]) => why !== undefined && ID_NAME.test(name))
    .map(([name, why]) => `${name} is not the id: ${why}.`)
  if (id === undefined) return { id, reasons: [NO_ID, ...reasons] }
  const named = ID_NAME.test(id) ? ', and it is named like an id' : ''
  reasons.unshift(`The id is ${id}: it is there in every record and never twice${named}.`)
  if (others.length > 0)
    reasons.push(`It could be another that never repeats: ${others.slice(0, MOST_OTHERS).join(', ')}.`)
  return { id, reasons }
}

/** Why a column cannot be the id; `undefined` where it can. */
function unfitness({ distinct, filled, longest }: Column, records: number): string | undefined {
  if (filled < records) return `records without it: ${records - filled}`
  const repeated = Math.min(filled, MAX_DISTINCT) - distinct.size
  if (repeated > 0) return `records that repeat the value of another one: ${repeated}`
  return longest > LONGEST_ID ? `it has values of more than ${LONGEST_ID} characters` : undefined
}

function firstColumn({ columns }: Sample, pattern: RegExp): string | undefined {
  return [...columns].find(([name, { kinds }]) => pattern.test(name) && kinds.has('text'))?.[0]
}

function tableSchema(
  { columns, records }: Sample,
  names: readonly string[],
  assumptions: string[],
): JsonObject {
  const properties: Record<string, JsonValue> = {}
  const numbers: string[] = []
  for (const name of names) {
    const { kinds = new Set<CellKind>() } = columns.get(name) ?? {}
    const type = columnType(kinds)
    if (type === 'integer' || type === 'number') numbers.push(name)
    properties[name] = { type }
  }
  if (numbers.length > 0) assumptions.push(`Numbers are ${numbers.join(', ')}; every other column is text.`)
  const required = names.filter((name) => columns.get(name)?.filled === records)
  if (required.length === 0 || records < 2) return { type: 'object', properties }
  assumptions.push(
    `Columns without a gap are required, and records without them will be rejected: ${required.join(', ')}.`,
  )
  return { type: 'object', properties, required }
}

function columnType(kinds: ReadonlySet<CellKind>): string {
  if (kinds.size === 0 || kinds.has('text')) return 'string'
  if (kinds.has('boolean')) return kinds.size === 1 ? 'boolean' : 'string'
  return kinds.has('number') ? 'number' : 'integer'
}

function displayOf({ columns }: Sample, names: readonly string[]): Record<string, string> {
  const address = (pattern: RegExp) =>
    names.find(
      (name) => pattern.test(name) && [...(columns.get(name)?.distinct ?? [])].slice(0, 5).every(isAddress),
    )
  const picture = address(/image|picture|photo|cover|thumb/i)
  const link = address(/^(?!.*(?:image|picture|photo|cover|thumb)).*(?:url|link|website|homepage)/i)
  return { ...(picture && { picture }), ...(link && { link }) }
}

function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text)
}

/** What every record of a sample has need not be in the others, so nothing is required. */
function open(schema: JsonObject): JsonObject {
  const { required: _, ...rest } = schema
  return Object.keys(rest).length > 0 ? rest : { type: 'object' }
}

function wordOf(text: string): string {
  const word = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
  const trimmed = word.replace(/^[^a-z]+/, '').replace(/-+$/, '')
  return trimmed === '' ? 'world' : trimmed
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
}

function titleOf(word: string): string {
  const words = word.replace(/-/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
