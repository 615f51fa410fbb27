/** Events of a load as plain data, which the caller may display. */
import type { Entity, JsonValue } from '@worldwright/client/protocol'
import type { RecordFault } from '@worldwright/entities'

/** A record that was not loaded, with its source, line, faults and content. */
export interface Rejection {
  readonly source: string
  readonly line: number
  readonly faults: readonly RecordFault[]
  /** Record as read, absent if it could not be parsed. */
  readonly record?: JsonValue
  /** Set if the record is a row of a table, whose values are all text. */
  readonly cells?: true
  /** Entity made from the record, if its only fault is that an earlier record has the same id. */
  readonly entity?: Entity
  /** Raw text of the line, or the cells of the row as JSON, if there is no `record`. Absent if unknown. */
  readonly text?: string
}

/** A warning to the author about a record that was loaded. */
export interface ImportWarning {
  readonly source: string
  readonly line: number
  /** Subject: an id, a value's format or schema, a mapped column that no record has, an omitted part, or a missing file. */
  readonly kind: 'portability' | 'format' | 'schema' | 'mapping' | 'source' | 'attachment'
  readonly message: string
}

/** Running totals of an import. */
export interface ImportProgress {
  /** Bytes read from all sources, before decompression. */
  readonly bytes: number
  /** Total size of all sources in bytes, absent if the size of any source is unknown. */
  readonly totalBytes?: number
  readonly records: number
  /** Number of records that were not rejected. */
  readonly entities: number
  /** Phase of the import. `placing` occurs once, after everything is read and before the commit, but not in a dry run. */
  readonly phase: 'reading' | 'placing'
}

/** A source that will be read. */
export interface SourceToRead {
  readonly name: string
  /** Size in bytes, if known. */
  readonly size?: number
  /** Set if the definition names the source. */
  readonly isDefined: boolean
}

/** An event of a load. The first one is `started`, unless there is nothing to load. */
export type LoadEvent = { readonly event: 'started'; readonly sources: readonly SourceToRead[] } | ImportEvent

/** Events of an import: all rejected records and warnings, once and in order, and the progress after each batch. */
export type ImportEvent =
  | { readonly event: 'rejected'; readonly rejections: readonly Rejection[] }
  | { readonly event: 'warned'; readonly warnings: readonly ImportWarning[] }
  | ({ readonly event: 'progress' } & ImportProgress)
  | FilledEvent

/** Types that this load has put into the store, although it still reads others. */
export interface FilledEvent {
  readonly event: 'filled'
  readonly types: readonly string[]
}

/** Runs a load to its end, passes each event to `onEvent`, and returns the result. @throws as the load does */
export async function resultOf<Event, Result>(
  events: AsyncGenerator<Event, Result>,
  onEvent: (event: Event) => void = () => {},
): Promise<Result> {
  try {
    for (;;) {
      const next = await events.next()
      if (next.done) return next.value
      onEvent(next.value)
    }
  } finally {
    // If `onEvent` throws, the load must not continue.
    await events.return(undefined as Result)
  }
}
