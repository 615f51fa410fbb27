/** Formats the report of an import: rejected records, warnings, and the numbers of entities. */
import type { ImportResult, ImportWarning, Kept, KeptReason, Rejection } from '@worldwright/publish'
import { count } from './output.ts'
import { visible } from './visible.ts'

/** Returns the lines of an import report, with the numbers last. `rejectsFile` is the path of the rejects file. */
export function reportLines(
  result: ImportResult,
  warnings: WarningTally,
  rejectsFile?: string | undefined,
): string[] {
  return [
    ...rejectionLines(result, rejectsFile),
    ...keptLines(result.kept),
    ...(result.shadowed > 0
      ? [
          `${count(result.shadowed, 'entity', 'entities')} ${result.shadowed === 1 ? 'stays' : 'stay'} as others wrote or deleted, not as the files say. Which: npx worldwright status`,
        ]
      : []),
    ...result.notes.map((note) => `${visible(note)}.`),
    ...warnings.lines(),
    ...danglingLines(result),
    numbersLine(result),
  ]
}

type Reported = Pick<ImportResult, 'rejected' | 'rejections'> & Partial<Pick<ImportResult, 'columns'>>

/** Lists the first rejected records, one line per fault, and how many more there are. Columns that explain them come first. */
export function rejectionLines(
  { rejected, rejections, columns = [] }: Reported,
  rejectsFile?: string | undefined,
): string[] {
  if (rejected === 0) return []
  const head = [`${count(rejected, 'record')} rejected`, ...columns.map(visible)].join('. ')
  const lines = [`${head}:`, ...rejections.flatMap(linesOf)]
  if (rejected > rejections.length)
    lines.push(`  … and ${(rejected - rejections.length).toLocaleString('en')} more`)
  if (rejectsFile !== undefined) lines.push(`All of them: ${visible(rejectsFile)}`)
  return lines
}

/** Returns one line for each type with entities that are kept although the sources lack them. Each line gives the reason. */
export function keptLines(kept: readonly Kept[]): string[] {
  return kept.map(
    ({ type, count: all, why }) =>
      `${type}: ${count(all, 'entity', 'entities')} that the sources do not hold ${all === 1 ? 'is' : 'are'} kept: ${KEPT[why](type)}`,
  )
}

const KEPT: Readonly<Record<KeptReason, (type: string) => string>> = {
  rejected: () => 'rejected records have the same ids.',
  unreadable: () => 'the id of a rejected record cannot be read, so that it may be any of them.',
  empty: () => 'a source has no records.',
  source_gone: (type) =>
    `the definition has lost a source. To delete them: npx worldwright delete . --type ${type} --yes`,
}

/** Lists the first twenty entities that dangling references name, each with one reference, and how many more there are. */
function danglingLines({ references }: Pick<ImportResult, 'references'>): string[] {
  const { dangling, count: all, incomplete } = references
  if (all === 0) return []
  const lines = dangling.map(({ type, id, from }) =>
    visible(`  ${from.type} ${from.id} ${from.pointer}: there is no ${type} ${id}`),
  )
  if (all > dangling.length) lines.push(`  … and ${(all - dangling.length).toLocaleString('en')} more`)
  const more = incomplete ? ' at least' : ''
  const targets = `${count(all, 'entity', 'entities')} that ${all === 1 ? 'does' : 'do'} not exist`
  return [`warning: references to${more} ${targets}:`, ...lines]
}

function numbersLine({ created, changed, unchanged, deleted, rejected }: ImportResult): string {
  const numbers = { new: created, changed, unchanged, deleted, rejected }
  const text = Object.entries(numbers).map(([name, number]) => `${number.toLocaleString('en')} ${name}`)
  return `${text.join(', ')}.`
}

/**
 * Counts warnings and keeps the first of each kind, since every record may cause one. Warnings about columns are all kept.
 */
export interface WarningTally {
  note(warning: ImportWarning): void
  lines(): string[]
}

/** Creates an empty tally of warnings. */
export function createWarningTally(): WarningTally {
  const kinds = new Map<CountedKind, { first: ImportWarning; count: number }>()
  const columns: string[] = []
  return {
    note(warning) {
      const { kind, message } = warning
      if (kind === 'mapping') return void columns.push(`warning: ${visible(message)}`)
      const { first = warning, count = 0 } = kinds.get(kind) ?? {}
      kinds.set(kind, { first, count: count + 1 })
    },
    lines: () => [
      ...columns,
      ...[...kinds].map(([kind, { first, count: all }]) => {
        const { source, line, message } = first
        return `warning: ${SAID[kind](all)}; the first: ${visible(`${source}:${line} ${message}`)}`
      }),
    ],
  }
}

type CountedKind = Exclude<ImportWarning['kind'], 'mapping'>

const SAID: Readonly<Record<CountedKind, (all: number) => string>> = {
  portability: (all) => `${count(all, 'id')} not portable`,
  format: (all) => `${count(all, 'value')} not of the format its schema names`,
  schema: (all) => `${count(all, 'value')} against the schema, loaded all the same`,
  attachment: (all) => `${count(all, 'name')} of attachments that are not there`,
  source: (all) => `${count(all, 'record')} without something that is in its file`,
}

function linesOf({ source, line, faults }: Rejection): string[] {
  return faults.map(({ pointer, reason, message }) => {
    const where = pointer === '' ? '' : ` ${pointer}`
    return visible(`  ${source}:${line}${where} ${reason}: ${message}`)
  })
}
