/** A first definition, made from data: what the types could be, which columns are id and title, what schema holds. */
import { Document, isMap, isScalar, isSeq, visit } from 'yaml'
import type { Storage } from '../../storage/contract.ts'
import { definitionFromText, type FileSource } from '../definition/definition.ts'
import { readAs } from '../load/sources.ts'
import { type RecordSource, SourceFault } from '../read/record-source.ts'
import { type NamedSurvey, named } from './named-survey.ts'
import { singular, slugOf, titleOf } from './names.ts'
import { columnsProposal, entitiesProposal, type Proposal } from './propose-source.ts'
import { referencesOf } from './references.ts'
import { surveyOf } from './survey.ts'
import { type Trial, tryDefinition } from './trial.ts'

/** A first definition, what was assumed to make it, and what came of loading it. */
export interface Scaffold {
  /** The text of a world.yaml. */
  readonly text: string
  readonly assumptions: readonly string[]
  /** Absent where a source can be read only once. */
  readonly trial?: Trial
}

/** A file, or a folder of records that belong together, to make a definition of. */
export interface ScaffoldSource {
  /** What the definition calls it. */
  readonly file: string
  /** Opens it: a file, or those of a folder. */
  open(): Promise<readonly RecordSource[]>
}

/** What a first definition is made from. */
export interface ScaffoldInput {
  readonly sources: readonly ScaffoldSource[]
  /** The prefix of the types; by default from the name of the only file, or of the folder of several. */
  readonly prefix?: string | undefined
  readonly name?: string | undefined
  /** What the folder of several files is called. */
  readonly folder: string
  /** An empty store, in which nothing is kept: what the definition is tried with. */
  readonly storage: Storage
}

/**
 * Reads all records and makes a first definition for them, in which every cell can be told from its value; then loads
 * what it says as a dry run.
 * @throws SourceFault where a source cannot be read, or has no record
 */
export async function scaffoldDefinition(input: ScaffoldInput): Promise<Scaffold> {
  const { sources } = input
  const bases = sources.map(({ file }) => baseOf(file))
  const only = bases.length === 1 ? bases[0] : undefined
  const base = slugOf(only ?? input.folder)
  const prefix = input.prefix ?? base
  const surveys: NamedSurvey[] = []
  let isReadTwice = true
  for (const [at, source] of sources.entries()) {
    const records = await source.open()
    isReadTwice &&= records.every(({ size }) => size !== undefined)
    const survey = await surveyOf(records)
    if (survey.records === 0)
      throw new SourceFault(`${source.file}: there is no record in it to make a definition of.`)
    const name = freeName(singular(slugOf(bases[at] ?? '')), surveys)
    surveys.push(named({ file: source.file }, prefix, name, survey))
  }
  const proposals = surveys.map((one) =>
    one.survey.typed || one.survey.served
      ? entitiesProposal(one)
      : columnsProposal(one, referencesOf(one, surveys)),
  )
  const text = textOf(input.name ?? titleOf(base), proposals)
  const trial = isReadTwice ? await tried(text, input) : undefined
  return {
    text,
    assumptions: proposals.flatMap((one, at) => said(one, surveys[at], surveys.length > 1)),
    ...(trial && { trial }),
  }
}

function baseOf(file: string): string {
  const last = file.replace(/\/+$/, '').split('/').at(-1) ?? file
  return last.replace(/\.gz$/i, '').replace(/\.[^.]+$/, '')
}

function freeName(name: string, others: readonly NamedSurvey[]): string {
  const taken = new Set(others.map((one) => one.name))
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}-${number}`
  return free
}

function said({ assumptions }: Proposal, one: NamedSurvey | undefined, isOneOfMany: boolean): string[] {
  const records = `${one?.survey.records.toLocaleString('en')} records were looked at.`
  if (!isOneOfMany) return [records, ...assumptions]
  return [`${one?.where.file}: ${records}`, ...assumptions.map((line) => `  ${line}`)]
}

async function tried(text: string, { sources, storage }: ScaffoldInput): Promise<Trial> {
  const definition = definitionFromText(text, 'world.yaml')
  const opened = await Promise.all(
    sources.map(async (source, at) => {
      const defined = definition.sources[at] as FileSource
      return (await source.open()).map((one) => ({ ...readAs(defined), source: one }))
    }),
  )
  return tryDefinition(definition, opened.flat(), storage)
}

/** How wide a line may be. */
const WIDTH = 110

function textOf(name: string, proposals: readonly Proposal[]): string {
  const types = new Map(proposals.flatMap((one) => one.types.map((type) => [type.type, type] as const)))
  const document = new Document({
    name,
    types: [...types.values()],
    sources: proposals.map(({ source }) => source),
  })
  document.commentBefore =
    ' yaml-language-server: $schema=./world.schema.json\n A first definition, proposed from the data. Everything in it may be changed.'
  visit(document, {
    Collection(_key, node) {
      // What fits in a line is read in one: a property of a schema, the form of a cell.
      const isLeaf = isMap(node)
        ? node.items.every(({ value }) => isScalar(value))
        : isSeq(node) && node.items.every(isScalar)
      if (isLeaf && node !== document.contents) node.flow = true
    },
  })
  return document.toString({ lineWidth: WIDTH, flowCollectionPadding: true })
}
