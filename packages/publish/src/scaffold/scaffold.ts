/** Proposes a first definition based on data, with types, id and title columns, and schemas. */
import type { Store } from '@worldwright/core/store'
import type { TypeDefinition } from '@worldwright/entities/types'
import type { LikelyEncoding } from '../bytes/encoding.ts'
import { SourceFault } from '../bytes/source-fault.ts'
import { EncodingFault } from '../bytes/utf8.ts'
import type { InEnvironment } from '../databases/server-address.ts'
import {
  DefinitionFault,
  definitionFromText,
  type Source,
  type WorldDefinition,
} from '../definition/definition.ts'
import { closeSources, definedSources } from '../load/sources.ts'
import { type TableChoice, withChoice } from './choices.ts'
import { definitionText } from './definition-text.ts'
import { identify, type NamedSurvey, surveysByType } from './identify.ts'
import { singular, slugOf, titleOf } from './names.ts'
import { watchLayout } from './propose-layout.ts'
import { type ProposedReference, referencesOf } from './propose-references.ts'
import { columnsProposal, entitiesProposal, type Proposal } from './propose-source.ts'
import { type Survey, surveyOf } from './survey.ts'
import type { ScaffoldTable } from './tables.ts'
import { type Trial, tryDefinition } from './trial.ts'

/** A first definition, the assumptions behind it, and the result of a trial load. */
export interface Scaffold {
  /** Text of a world.yaml. */
  readonly text: string
  /** Name of the world. */
  readonly name: string
  /** Tables in the order of the definition's sources. */
  readonly tables: readonly ProposedTable[]
  readonly assumptions: readonly string[]
  /** Result of the trial load, absent if a source can be read only once. */
  readonly trial?: Trial
}

/** A table with its guess, the source and the first type proposed with the choices, and the references that were found. */
export interface ProposedTable {
  readonly survey: NamedSurvey
  readonly source: Source
  readonly type: TypeDefinition
  readonly references: readonly ProposedReference[]
}

/** Input for proposing a first definition. */
export interface ScaffoldInput extends InEnvironment {
  readonly tables: readonly ScaffoldTable[]
  /** Absolute path of the future definition's folder. */
  readonly folder: string
  /** Name of the whole input, such as a file or folder name, from which the world's name and type prefix are derived. */
  readonly called: string
  /** Prefix of the types, if it is not derived from `called`. */
  readonly prefix?: string | undefined
  /** Name of the world, if it is not derived from `called`. */
  readonly name?: string | undefined
  /** Signal that ends the trial load. */
  readonly signal?: AbortSignal | undefined
  /** Empty store for the trial load, which remains empty. */
  readonly store: Store
}

/** Surveys of all tables with records or declared columns, and sentences on the others. */
export interface SurveyedTables {
  readonly surveys: readonly NamedSurvey[]
  readonly empty: readonly string[]
  readonly notes: readonly string[]
}

/**
 * Reads all records and proposes a definition that lets every cell be restored from its value. Then loads the definition
 * in a dry run.
 * @throws SourceFault if a source cannot be read, or no source has a record
 */
export async function scaffoldDefinition(input: ScaffoldInput): Promise<Scaffold> {
  return proposeDefinition(await surveyTables(input), input)
}

/** Reads all records of the tables. @throws SourceFault if a source cannot be read, or no source has a record */
export async function surveyTables(input: ScaffoldInput): Promise<SurveyedTables> {
  // The prefix wp is the protocol's own.
  const prefix = input.prefix ?? (slugOf(input.called) === 'wp' ? 'wp-world' : slugOf(input.called))
  const surveys: NamedSurvey[] = []
  const empty: string[] = []
  const notes = new Set<string>()
  const onNote = (note: string) => void notes.add(`${note}.`)
  for (const one of input.tables) {
    if (one.denied) {
      empty.push(`${one.name} is left out: the user may not read it. To take it, GRANT SELECT ON it.`)
      continue
    }
    const { table, survey, how, said } = await surveyed(one, onNote)
    // An empty table of a database has declared columns.
    if (survey.records === 0 && survey.columns.size === 0) {
      empty.push(emptiness(table, survey))
      continue
    }
    const slug = freeName(table, surveys)
    const found = identify(survey, slug, table.key)
    const identity = { ...found, reasons: [...said, ...found.reasons] }
    const [only = '', ...more] = survey.typed ? survey.schemas.keys() : []
    const type = only === '' || more.length > 0 ? `${prefix}:${slug}` : only
    surveys.push({ table, how, type, name: slug, survey, identity })
  }
  const [first] = empty
  if (surveys.length === 0)
    throw new SourceFault([first ?? 'There is nothing to make a definition of.', ...notes].join(' '))
  return { surveys, empty, notes: [...notes] }
}

/**
 * Proposes a definition of surveyed tables, and loads it in a dry run. `choices` has the corrections of each table in order.
 * @throws SourceFault if a name or a choice is none that a definition can have
 */
export async function proposeDefinition(
  { surveys: guessed, empty, notes }: SurveyedTables,
  input: ScaffoldInput,
  choices: readonly TableChoice[] = [],
): Promise<Scaffold> {
  const surveys = guessed.map((one, at) => withChoice(one, choices[at]))
  refuse(surveys, choices)
  const all = surveys.map(surveysByType)
  const found = all.map((parts) => parts.map((part) => [part.type, referencesOf(part, all.flat())] as const))
  const proposals = surveys.map((one, at) => {
    const references = found[at] ?? []
    if (one.survey.typed || one.survey.served) return entitiesProposal(one, new Map(references))
    return columnsProposal(
      one,
      references.flatMap(([, each]) => each),
      choices[at],
    )
  })
  const assumptions = proposals.map((one, at) => said(one, surveys[at] as NamedSurvey, surveys.length > 1))
  const isLong = assumptions.some((lines) => lines.length > MOST_LINES)
  const sampled = surveys.flatMap(({ table }) => (table.isSampled ? `${table.source['file']}` : []))
  const name = input.name ?? titleOf(slugOf(input.called))
  const definition = checked(definitionText(name, proposals, isLong ? assumptions.flat() : [], sampled))
  const isReadAgain = input.tables.every((table) => table.isReadAgain)
  return {
    text: definition.text,
    name,
    tables: proposals.map(({ types: [type], source }, at) => {
      const references = (found[at] ?? []).flatMap(([, each]) => each)
      return { survey: guessed[at] as NamedSurvey, source, type: type as TypeDefinition, references }
    }),
    assumptions: [...assumptions.flatMap(shortened), ...empty, ...notes],
    ...(isReadAgain && { trial: await attempt(definition.value, input) }),
  }
}

/** Surveys a table in its likely layout, and in its likely encoding if it is not UTF-8. */
async function surveyed(
  table: ScaffoldTable,
  onNote: (note: string) => void,
  how: LikelyEncoding = {},
): Promise<{ table: ScaffoldTable; survey: Survey; how: LikelyEncoding; said: readonly string[] }> {
  const { proposal, ...watch } = watchLayout(table.isSampled)
  const notes: string[] = []
  try {
    const records = table.records({ ...how, onNote: (note) => void notes.push(note), ...watch })
    const survey = await surveyOf(records, table.columns, 'table' in table.source)
    const { layout, said } = proposal()
    if (Object.keys(layout).length === 0 || !table.isReadAgain) {
      notes.forEach(onNote)
      return { table, survey, how, said: table.isReadAgain ? said : [] }
    }
    const source = { ...table.source, ...layout }
    const cut: ScaffoldTable = { ...table, source, records: (more) => table.records({ ...more, ...layout }) }
    return { table: cut, survey: await surveyOf(cut.records({ ...how, onNote }), table.columns), how, said }
  } catch (error) {
    if (!(error instanceof EncodingFault) || how.encoding !== undefined || !table.isReadAgain) throw error
    if (error.likely.encoding === undefined) throw error
    return surveyed(table, onNote, error.likely)
  }
}

function emptiness({ source, name, isOnly }: ScaffoldTable, { firstFault }: Survey): string {
  const where = `${source['file'] ?? source['sqlite'] ?? name}${isOnly ? '' : `, ${name}`}`
  if (firstFault === undefined) return `${where}: there is no record in it to make a definition of. Add one.`
  return `${where}:${firstFault.line}: ${firstFault.message}. There is no other record to make a definition of.`
}

function freeName({ name, file, isOnly }: ScaffoldTable, others: readonly NamedSurvey[]): string {
  const wanted = singular(slugOf(isOnly ? file : name))
  const taken = new Set(others.map((one) => one.name))
  let free = wanted
  for (let number = 2; taken.has(free); number++) free = `${wanted}-${number}`
  return free
}

function said(
  { assumptions }: Proposal,
  { table, survey, how }: NamedSurvey,
  isOneOfMany: boolean,
): string[] {
  const records =
    survey.records === 0
      ? 'There are no records yet.'
      : table.isSampled
        ? `${survey.records.toLocaleString('en')} records of a sample were looked at. What follows is a guess from them; a load checks all records.`
        : survey.records === 1
          ? '1 record was looked at.'
          : `${survey.records.toLocaleString('en')} records were looked at.`
  const { encoding, shown } = how
  const word = shown === undefined ? '' : `, in which it says ${JSON.stringify(shown)}`
  const read =
    encoding === undefined
      ? []
      : [`The text is not UTF-8. It is read as ${encoding}${word}; if that is wrong, say another encoding.`]
  if (!isOneOfMany) return [records, ...read, ...assumptions]
  const where = table.isOnly ? (table.source['file'] ?? table.name) : table.name
  return [`${where}: ${records}`, ...[...read, ...assumptions].map((line) => `  ${line}`)]
}

/** Maximum number of lines on a table. Further ones are in the definition alone. */
const MOST_LINES = 20

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines
  const more = lines.length - MOST_LINES + 1
  return [
    ...lines.slice(0, MOST_LINES - 1),
    `… and ${more.toLocaleString('en')} more, at the end of world.yaml.`,
  ]
}

/** @throws DefinitionFault for choices that would mix up types */
function refuse(surveys: readonly NamedSurvey[], choices: readonly TableChoice[]): void {
  for (const [at, { type, columns }] of choices.entries()) {
    const pointer = `/sources/${at}/${columns?.get('type')?.isLeftOut ? 'cells/type' : 'type'}`
    const fault = (message: string) => new DefinitionFault([{ file: 'world.yaml', pointer, message }])
    if (pointer.endsWith('cells/type')) throw fault('left out, its cells could be read as types')
    if (type !== undefined && surveys.filter((one) => one.type === type).length > 1)
      throw fault(`another table has the type ${type}`)
  }
}

/** Returns the proposed definition. @throws SourceFault if a name in the data is none that a definition can have */
function checked(text: string): { readonly text: string; readonly value: WorldDefinition } {
  try {
    return { text, value: definitionFromText(text, 'world.yaml') }
  } catch (cause) {
    if (!(cause instanceof DefinitionFault)) throw cause
    const [{ pointer, message } = { pointer: '', message: '' }] = cause.problems
    const why = `No definition can be made of it: ${pointer} ${message.replace(/\.$/, '')}`
    throw new SourceFault(`${why}. Give the file, or the column, another name.`, { cause })
  }
}

async function attempt(definition: WorldDefinition, input: ScaffoldInput): Promise<Trial> {
  const sources = await definedSources({ ...input, definition })
  try {
    const read = sources.map((one) => ({ ...one, isSampled: one.mapping?.sampled === true }))
    return await tryDefinition(definition, read, input)
  } finally {
    await closeSources(sources)
  }
}
