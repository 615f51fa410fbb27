/** Files that sources join: opened with their definition, and read into memory before the first source that joins them. */
import { resolve } from 'node:path'
import { isObject } from '@worldwright/client/protocol'
import { malformed } from '@worldwright/entities'
import { SourceFault } from '../bytes/source-fault.ts'
import type { FileJoin, Source } from '../definition/definition.ts'
import { readRecords } from '../input/read-records.ts'
import { type RecordSource, sourceFromFile } from '../input/record-source.ts'
import { JoinIndex, withJoins } from '../mapping/join-index.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { createRowMapper, type RowMapper } from '../mapping/row-mapper.ts'
import type { ImportWarning, Rejection } from './events.ts'

/** A file that is joined, before it is read, and the name of the source that joins it. */
type JoinedFile = { readonly join: FileJoin; readonly source: RecordSource; readonly into: string }

/** Files that the sources of a definition join. */
export type JoinedFiles = ReadonlyMap<Mapping, readonly JoinedFile[]>

/** Receives what is wrong with the records of a joined file, and what of them is left out. */
export interface JoinReport {
  readonly notes: Set<string>
  reject(rejection: Rejection): void
  warn(warning: ImportWarning): void
}

/** Maximum records of a joined file, and characters that are kept of it. A load of 499,000 peaked at 506 MB. */
const MAX_RECORDS = 500_000
const MAX_LENGTH = 64_000_000
const TOO_LARGE =
  'a joined file has at most 500,000 records, and 64,000,000 characters in the columns that are used. Join it by a query of a database.'

/** Opens the files that sources join. @throws SourceFault if one is missing or is not a regular file */
export async function joinedFiles(sources: readonly Source[], folder: string): Promise<JoinedFiles> {
  const opened = sources.map(async (mapping) => {
    const into = 'file' in mapping ? mapping.file : (mapping.table ?? 'a query')
    const files = (mapping.join ?? []).map(async (join) => {
      const source = await sourceFromFile(resolve(folder, join.file), join.file)
      if (source.size === undefined) throw new SourceFault(`${join.file}: this is not a file. Name a file.`)
      return { join, source, into }
    })
    return [mapping, await Promise.all(files)] as const
  })
  return new Map(await Promise.all(opened))
}

/**
 * Prepares the mapper of a source, and reads the files that it joins.
 * @throws SourceFault if a file is too large, lacks a column, or cannot be read to its end
 */
export async function joiningMapper(
  mapping: Mapping,
  joined: JoinedFiles | undefined,
  { missing, signal }: { missing?: readonly string[] | undefined; signal?: AbortSignal | undefined },
  report: JoinReport,
): Promise<RowMapper> {
  const mapper = createRowMapper(mapping, missing)
  const indexes: JoinIndex[] = []
  for (const file of joined?.get(mapping) ?? []) {
    const index = new JoinIndex(file.join, file.into, mapping, missing)
    await fill(index, file, report, signal)
    indexes.push(index)
  }
  return indexes.length === 0 ? mapper : withJoins(mapper, indexes)
}

async function fill(
  index: JoinIndex,
  file: JoinedFile,
  report: JoinReport,
  signal?: AbortSignal,
): Promise<void> {
  const { name } = file.source
  let [records, length] = [0, 0]
  const onNote = (note: string) => void report.notes.add(note)
  for await (const read of readRecords(file.source, { ...file.join, columns: [...index.unseen], onNote })) {
    signal?.throwIfAborted()
    const at = { source: name, line: read.line }
    if ('fault' in read)
      report.reject({ ...at, faults: [read.fault], ...(read.text !== undefined && { text: read.text }) })
    else {
      for (const message of read.warnings ?? []) report.warn({ ...at, kind: 'source', message })
      if (isObject(read.record)) length += index.add(read.record, read.line)
      else report.reject({ ...at, faults: [malformed('a record is an object')], record: read.record })
    }
    if (++records > MAX_RECORDS || length > MAX_LENGTH) throw new SourceFault(`${name}: ${TOO_LARGE}`)
  }
  if (index.unseen.size === 0) return
  const names = [...index.unseen].map((column) => JSON.stringify(column)).join(', ')
  throw new SourceFault(
    `${name}: no record has ${names}, and ${file.into} joins it. Nothing of ${file.into} was loaded.`,
  )
}
