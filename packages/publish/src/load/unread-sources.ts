/** Decides which sources a load need not read, because their entities are in the store as they would be read again. */
import type { Store } from '@worldwright/core/store'
import type { Source } from '../definition/definition.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { bytesDigest, type Digests, type Reading, sourceDigest } from './fingerprint.ts'
import { isOnlyLoaded, type LoadedSources, type SourceRecord } from './loaded-sources.ts'
import type { FileOutcome, ImportSource } from './options.ts'

/** Sources that a load leaves unread. */
export interface Unread {
  /** Time of the load that read them; absent if there are none. */
  readonly at?: string | undefined
  /** Their records, by source of the definition. */
  readonly sources: ReadonlyMap<Mapping, SourceRecord>
  /** Their types, with current versions. */
  readonly versions: ReadonlyMap<string, string>
}

/** Returns a name that identifies a source across loads. Rewriting a query does not change the name. */
export function sourceName(source: Source): string {
  if ('file' in source) return [source.file, ...(source.sheet === undefined ? [] : [source.sheet])].join(' ')
  const { table = source.type } = source
  return [databaseOf(source), table].join(' ')
}

/**
 * Returns the sources that are unchanged since the last load, as are all others that fill the same types or read the same
 * database. So types are read as a whole, in order, and the tables of a database from one snapshot. A type that others have
 * written is read again.
 */
export async function unreadSources(
  reading: Reading,
  store: Store,
  before: LoadedSources,
  digests: Digests,
): Promise<Unread> {
  const left = new Set(before.read)
  const sources = new Map<Source, SourceRecord>()
  const stale = new Set(before.kept?.map(({ type }) => type))
  for (const source of reading.definition.sources) {
    const record = [...left].find(
      ({ name, types, digest }) =>
        name === sourceName(source) &&
        digest === sourceDigest(reading, source, types, bytesDigest(digests, source)),
    )
    if (record) sources.set(source, record)
    else for (const one of sharedBy(source)) stale.add(one)
    left.delete(record as SourceRecord)
  }
  // The sources of these records have changed, or are gone.
  for (const { types } of left) for (const type of types) stale.add(type)
  const states = await store.types()
  for (const [type, state] of states) if (!isOnlyLoaded(type, state, before)) stale.add(type)
  for (let size = -1; size !== sources.size; ) {
    size = sources.size
    for (const [source, { types }] of sources) {
      const shared = [...types, ...sharedBy(source)]
      if (!shared.some((one) => stale.has(one))) continue
      sources.delete(source)
      for (const one of shared) stale.add(one)
    }
  }
  const types = [...sources.values()].flatMap((record) => record.types)
  const versions = new Map(types.map((type) => [type, states.get(type)?.version ?? '']))
  return { sources, versions, ...(sources.size > 0 && { at: before.at }) }
}

/**
 * Returns the records of all sources after a load, with these digests of all, and outcomes of those that were read. Unless
 * `isLast`, sources without an outcome are still to be read, and left out.
 */
export function sourceRecords(
  reading: Reading,
  unread: Unread,
  digests: Digests,
  outcomes: readonly FileOutcome[],
  isLast: boolean,
): SourceRecord[] {
  return reading.definition.sources.flatMap((source) => {
    const record = unread.sources.get(source)
    if (record) return [record]
    const files = outcomes.filter(({ mapping }) => mapping === source)
    if (files.length === 0 && !isLast) return []
    const types = [...new Set(files.flatMap((file) => [...file.types]))].sort()
    const now = { name: sourceName(source), types }
    const bytes = bytesDigest(digests, source)
    if (bytes === undefined || !files.every(({ isClean }) => isClean)) return [now]
    return [{ ...now, digest: sourceDigest(reading, source, types, bytes) }]
  })
}

/**
 * Reports whether these types, filled by the sources up to an index, are complete, although there are more sources: each of those
 * has another type and reads another database.
 */
export function areComplete(
  filled: ReadonlySet<string>,
  sources: readonly ImportSource[],
  at: number,
): boolean {
  // A definition's sources are their own mappings.
  const sharedIn = ({ mapping }: ImportSource) => sharedBy(mapping as Source)
  const known = new Set([...filled, ...sources.slice(0, at + 1).flatMap(sharedIn)])
  const later = sources.slice(at + 1)
  const isApart = (one: ImportSource) =>
    one.type !== undefined && !sharedIn(one).some((shared) => known.has(shared))
  return later.length > 0 && later.every(isApart)
}

/** Returns all that a source shares with others, as known before it is read: its default type, and its database. */
function sharedBy(source: Source): string[] {
  return [source.type, 'file' in source ? undefined : databaseOf(source)].filter((one) => one !== undefined)
}

function databaseOf({ sqlite, postgres, mysql }: Exclude<Source, { file: string }>): string | undefined {
  return sqlite ?? postgres ?? mysql
}
