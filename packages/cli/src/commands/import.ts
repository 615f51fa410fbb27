/** `world import`: loads data files into a store. */
import { resolve } from 'node:path'
import {
  entityFromRecord,
  type ImportResult,
  type ImportSource,
  importRecords,
  type RecordSource,
  sourceFromFile,
} from '@worldwright/server'
import { storeToFill, withStore } from '../open/place.ts'
import { FAILED } from '../terminal/failure.ts'
import { createWarningTally, rejectionLines, type WarningTally } from '../terminal/import-report.ts'
import { type Io, UsageFault } from '../terminal/io.ts'
import { say, writeLine } from '../terminal/output.ts'
import { createProgress } from '../terminal/progress.ts'
import { jsonText } from '../terminal/visible.ts'

/** The flags of `world import`. */
export interface ImportCommandOptions {
  readonly store?: string
  readonly type?: string
  readonly json?: boolean
  readonly replace?: boolean
}

/** Loads all good records of the files in one step. Exit code 1 where any record was rejected. */
export async function importFiles(files: string[], options: ImportCommandOptions, io: Io): Promise<number> {
  checkArguments(files, options)
  const storeFile = await storeToFill(options.store, io)
  const sources: ImportSource[] = []
  for (const file of files) sources.push({ source: await sourceOf(file, io), type: options.type })
  const warnings = createWarningTally()
  const result = await withStore(storeFile, async (storage) => {
    const progress = createProgress(io)
    try {
      return await importRecords(storage, sources, {
        replace: options.replace,
        onProgress: progress.show,
        onWarning: warnings.note,
        signal: io.signal,
      })
    } finally {
      progress.end()
    }
  })
  report(result, warnings, io)
  if (options.json) await writeLine(io.stdout, jsonText(result))
  return result.rejected > 0 ? FAILED : 0
}

function checkArguments(files: readonly string[], { type }: ImportCommandOptions): void {
  if (files.filter((file) => file === '-').length > 1)
    throw new UsageFault('The standard input can be read only once.')
  if (type === undefined) return
  const tried = entityFromRecord({ id: 'any' }, { type })
  if ('faults' in tried) throw new UsageFault(`--type ${type}: ${tried.faults[0]?.message}.`)
}

async function sourceOf(file: string, io: Io): Promise<RecordSource> {
  return file === '-' ? { name: '-', bytes: io.stdin } : sourceFromFile(resolve(io.cwd, file), file)
}

function report(result: ImportResult, warnings: WarningTally, io: Io): void {
  for (const line of rejectionLines(result)) say(io, line)
  for (const line of warnings.lines()) say(io, line)
  const { created, changed, unchanged, deleted, rejected } = result
  const numbers = { new: created, changed, unchanged, deleted, rejected }
  const text = Object.entries(numbers).map(([name, number]) => `${number.toLocaleString('en')} ${name}`)
  say(io, `${text.join(', ')}.`)
}
