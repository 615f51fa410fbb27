/** Proposes a source and its types for a definition, based on a survey. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import { SchemaInference } from '@worldwright/entities/schemas'
import type { TypeDefinition } from '@worldwright/entities/types'
import { LATITUDE, LONGITUDE } from '@worldwright/extensions/shown'
import type { Source } from '../definition/definition.ts'
import type { CellForm } from '../mapping/cell-form.ts'
import { labelled, type TableChoice } from './choices.ts'
import { declaredSchema, descriptionOf, unresolved } from './declared.ts'
import { describable, saidOfUndescribable } from './describable.ts'
import type { Identity, NamedSurvey } from './identify.ts'
import { isCreatorName, isIdName, isSummaryName, isYearName, titleOf, titleRank } from './names.ts'
import { displayOf, isAddress, locationOf } from './propose-display.ts'
import { isNamed, type ProposedReference, referenceSchema, withReferences } from './propose-references.ts'
import { type Column, isDescribable, type Survey } from './survey.ts'
import { isPlainText, titleColumn } from './title-column.ts'

/** A proposed source with its types, and the assumptions behind it. */
export interface Proposal {
  readonly types: readonly TypeDefinition[]
  readonly source: Source
  readonly assumptions: readonly string[]
}

/** Returns the members of a source that locate a table and name its encoding. */
function whereOf({ table, how: { encoding } }: NamedSurvey): Readonly<Record<string, unknown>> {
  const sampled = table.isSampled && { sampled: true }
  return { ...table.source, ...(encoding !== undefined && { encoding }), ...sampled }
}

/** Proposes a source whose records have the form of served entities or name their types, with the references of each. */
export function entitiesProposal(
  one: NamedSurvey,
  references: ReadonlyMap<string, readonly ProposedReference[]>,
): Proposal {
  const { type, survey } = one
  const where = whereOf(one)
  const types = [...survey.schemas].map(([named, inference]) => {
    const name = named === '' ? type : named
    const found = references.get(name) ?? references.get(type) ?? []
    return { type: name, schema: withReferences(describable(open(inference.schema())), found) }
  })
  const said = survey.typed
    ? 'Records name their types'
    : 'Every record is an entity as worlds serve them, of'
  const source = survey.typed ? where : { ...where, type }
  const names = types.map((one) => one.type).toSorted()
  return {
    types: types.toSorted((a, b) => (a.type < b.type ? -1 : 1)),
    source: source as Source,
    assumptions: [
      `${said}: ${names.join(', ')}.`,
      ...types.flatMap(({ type, schema }) =>
        (references.get(type) ?? []).filter((one) => isNamed(one, schema)).map(({ said }) => said),
      ),
      ...new Set([...survey.schemas.values()].flatMap((learned) => saidOfUndescribable(learned.schema()))),
    ],
  }
}

/** Names of attributes that every reader of the world knows as coordinates. */
const KNOWN = new Set([...LATITUDE, ...LONGITUDE])

/** Proposes a source of rows or untyped records, and its one type, as the corrections in `choice` say. */
export function columnsProposal(
  one: NamedSurvey,
  found: readonly ProposedReference[],
  choice: TableChoice = {},
): Proposal {
  const { type, name, survey, identity } = one
  const choiceOf = ({ name }: Column) => choice.columns?.get(name) ?? {}
  const isTaken = (column: Column) => choiceOf(column).isLeftOut !== true
  const references = found.filter(({ column }) => isTaken(column) && choiceOf(column).isReference !== false)
  const referring = new Set(references.map(({ column }) => column))
  const all = [...survey.columns.values()].filter(isTaken)
  const free = all.filter((column) => !referring.has(column))
  const { titleColumn: called } = choice
  const title = called === undefined ? titleColumn(free, survey, identity) : survey.columns.get(called)
  const summary = free.find(
    (column) => column !== title && isSummaryName(column.name) && isPlainText(column, survey),
  )
  const attributes = listed(
    free.filter((column) => column !== summary && !isLeftOver(column)),
    title,
    survey,
  )
  const { schema: guessed, said } = schemaOf(one, attributes, references)
  const columnOf = (name: string) => references.find((each) => each.name === name)?.column.name ?? name
  const location = [...(locationOf(attributes, guessed) ?? [])]
  const rename = new Map(location.filter(([column]) => !KNOWN.has(column)))
  const schema = labelled(guessed, choice.columns, columnOf, rename)
  const display = displayOf(attributes, schema)
  const trim = trimmed(survey, identity)
  const cells = formsOf([...attributes, ...references.map(({ column }) => column)])
  const mapping = {
    id: identity.id,
    ...(title && { title: title.name }),
    ...(summary && { summary: summary.name }),
    ...(references.length > 0 && {
      references: Object.fromEntries(
        references.map(({ name, column, type: to }) => [name, { column: column.name, type: to }]),
      ),
    }),
    ...(Object.keys(cells).length > 0 && { cells }),
    ...(rename.size > 0 && { rename: Object.fromEntries(rename) }),
    ...(trim.length > 0 && { trim }),
    attributes: all.length === survey.columns.size ? 'all' : attributes.map(({ name }) => name),
  }
  return {
    types: [{ type, title: choice.title || titleOf(name), ...descriptionOf(one.table), schema, ...display }],
    source: { ...whereOf(one), type, ...mapping } as Source,
    assumptions: [
      `Every record is a ${type}.`,
      ...identity.reasons,
      ...(title ? [`The title is ${title.name}.`] : []),
      ...(summary ? [`The summary is ${summary.name}.`] : []),
      ...(location.length > 0
        ? [`The location is ${location.map(([column]) => column).join(' and ')}.`]
        : []),
      ...[...rename].map(([column, name]) => `${column} is renamed to ${name}, so that maps find it.`),
      ...references.map(({ said: how }) => how),
      ...unresolved(one, references),
      ...(trim.length > 0 ? [`White space around ${someOf(trim)} is cut off.`] : []),
      ...said,
      ...attributes.flatMap(notesOf),
      ...[...attributes, ...references.map(({ column }) => column)].flatMap(gapsOf),
      ...unnamedOf(attributes),
    ],
  }
}

/**
 * Sorts columns by how much they tell people: creators and names, dates and years, most columns, long text and mostly empty
 * columns, URLs, and finally ids and the title.
 */
function listed(columns: readonly Column[], title: Column | undefined, { records }: Survey): Column[] {
  const rank = (column: Column) => {
    const { name, sample, filled, longest, proposal } = column
    if (isIdName(name) || column === title) return 5
    if (isAddress(sample)) return 4
    if ((longest > 120 && proposal.type === 'string') || 2 * filled < records) return 3
    if (isCreatorName(name) || titleRank(name) !== undefined) return 0
    return proposal.format !== undefined || isYearName(name) ? 1 : 2
  }
  return columns.toSorted((a, b) => rank(a) - rank(b))
}

function schemaOf(
  { survey, table }: NamedSurvey,
  attributes: readonly Column[],
  references: readonly ProposedReference[],
) {
  const { declared } = survey
  const referred = references.map(({ name, column, type }) => {
    const comment = descriptionOf(declared.get(column.name) ?? {})
    return [name, { ...referenceSchema({ column, type }), ...comment }] as const
  })
  if (!survey.cells) {
    const inference = survey.schemas.get('') ?? new SchemaInference()
    const learned = inference.schema()
    const { properties = {} } = describable(learned) as { properties?: JsonObject }
    const known = attributes.flatMap((column) => {
      const { name, proposal } = column
      const inferred = Object.hasOwn(properties, name) ? (properties[name] as JsonObject) : undefined
      const property = proposal.form ? propertyOf(column) : inferred
      const listed = declared.get(name)
      const described = listed && isDescribable(column) ? declaredSchema(property, listed) : property
      return described === undefined ? [] : [[name, described] as const]
    })
    const all: JsonObject = Object.fromEntries([...referred, ...known])
    const isRequired = (column: Column) =>
      declared.get(column.name)?.required === true && column.gaps.size === 0
    const required = [
      ...references.filter(({ column }) => isRequired(column)),
      ...attributes.filter((column) => isDescribable(column) && isRequired(column)),
    ].map(({ name }) => name)
    const schema = {
      type: 'object',
      ...(Object.keys(all).length > 0 && { properties: all }),
      ...(required.length > 0 && { required }),
    }
    const said = required.length > 0 ? [`Columns that are NOT NULL are required: ${someOf(required)}.`] : []
    return { schema, said: [...said, ...saidOfUndescribable(learned)] }
  }
  const properties: JsonObject = Object.fromEntries([
    ...attributes.slice(0, 1).map((column) => [column.name, propertyOf(column)] as const),
    ...referred,
    ...attributes.slice(1).map((column) => [column.name, propertyOf(column)] as const),
  ])
  const schema = { type: 'object', properties }
  const said = saidOfUndescribable(schema)
  const numbers = attributes
    .filter(({ proposal }) => /^(?:integer|number)$/.test(proposal.type))
    .map(({ name }) => name)
  if (numbers.length > 0)
    said.push(`Numbers are ${someOf(numbers)}: written back, they are the very text of every cell.`)
  const required = attributes
    .filter((column) => isDescribable(column) && isAlwaysThere(column, survey))
    .map(({ name }) => name)
  // Columns without a gap in a sample may have one elsewhere.
  if (required.length === 0 || survey.records < 2 || table.isSampled)
    return { schema: describable(schema), said }
  said.push(
    `Columns without a gap are required, and records without them will be rejected: ${someOf(required)}.`,
  )
  return { schema: describable({ ...schema, required }), said }
}

/** Reports whether every record has a value in the column after trimming. */
function isAlwaysThere({ filled, gaps, isTrimmed, blank }: Column, { records }: Survey): boolean {
  return filled === records && gaps.size === 0 && !(isTrimmed && blank > 0)
}

function propertyOf({ proposal }: Column): JsonObject {
  const { type, format, form } = proposal
  const unit = (form?.suffix ?? form?.prefix)?.trim()
  return {
    type,
    ...(type === 'array' && { items: { type: 'string' } }),
    ...(format && { format }),
    ...(unit !== undefined && { 'x-unit': unit }),
  }
}

function formsOf(columns: readonly Column[]): Record<string, CellForm> {
  return Object.fromEntries(
    columns.flatMap(({ name, proposal, gaps }) =>
      proposal.form || gaps.size > 0
        ? [[name, { ...proposal.form, ...(gaps.size > 0 && { missing: [...gaps.keys()] }) }] as const]
        : [],
    ),
  )
}

/** Returns the columns to trim: those whose cells all have surrounding white space, and the id column if any cell has. */
function trimmed({ columns }: Survey, { column: id }: Identity): string[] {
  return [...columns.values()]
    .filter((column) => column.isTrimmed || (column === id && column.padded > 0))
    .map(({ name }) => name)
}

function unnamedOf(columns: readonly Column[]): string[] {
  const names = columns.filter(({ name }) => UNNAMED.test(name)).map(({ name }) => name)
  return names.length === 0 ? [] : [`Columns without a name of their own are called ${someOf(names)}.`]
}

/** Maximum number of columns that a sentence names. */
const MOST_NAMED = 20

function someOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`
}

/** Reports whether a column has neither a name nor values, as beside the filled part of a spreadsheet. */
function isLeftOver({ name, filled }: Column): boolean {
  return filled === 0 && UNNAMED.test(name)
}

const UNNAMED = /^column \d+$/

/** Returns notes on the conversion of a column's cells, or on the reason why they are not converted. */
function notesOf({ name, proposal, refutedBy }: Column): string[] {
  if (refutedBy)
    return [
      `${name} is text, since not every cell is written alike: line ${refutedBy.line} has ${JSON.stringify(refutedBy.cell)}.`,
    ]
  if (proposal.note !== undefined) return [`${name} stays text: ${proposal.note}.`]
  if (!proposal.form) return []
  const { date, words, separator } = proposal.form
  if (date !== undefined) return [`${name} is a date, written ${date}; it becomes one of RFC 3339.`]
  if (words)
    return [
      `${name} is true or false: ${Object.entries(words)
        .map(([word, value]) => `${word} is ${value}`)
        .join(', ')}.`,
    ]
  if (separator !== undefined) return [`${name} is a list, separated by ${JSON.stringify(separator)}.`]
  return [
    `${name} is a number, written with ${Object.entries(proposal.form)
      .map(([member, value]) => `${member} ${JSON.stringify(value)}`)
      .join(', ')}.`,
  ]
}

/** Returns a note on the placeholders of a column, with their counts. */
function gapsOf({ name, gaps }: Column): string[] {
  const counted = [...gaps].filter(([, cells]) => cells > 0)
  const found = counted.map(([text, cells]) => `${text} ${cells.toLocaleString('en')}`)
  return found.length === 0
    ? []
    : [`${name}: cells that mean empty, as all others are alike: ${found.join(', ')}.`]
}

/** Returns the schema without `required`, since later records may lack members that all records so far have. */
function open(schema: JsonObject): JsonObject {
  const { required: _, ...rest } = schema
  return Object.keys(rest).length > 0 ? rest : ({ type: 'object' } satisfies Record<string, JsonValue>)
}
