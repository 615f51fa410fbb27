/** The events of a load, as plain data: the caller decides what is shown. */
import type { Entity, JsonValue } from '@worldwright/client/protocol'
import type { RecordFault } from '@worldwright/entities'

/** A record that was not loaded: its source and line, all its faults, and its content. */
export interface Rejection {
  readonly source: string
  readonly line: number
  readonly faults: readonly RecordFault[]
  /** The record as it was read; absent if it could not be read as one. */
  readonly record?: JsonValue
  /** The record is a row of a table, whose values are all text. */
  readonly cells?: true
  /** The entity made of it, if its only fault is an earlier record of the same id. */
  readonly entity?: Entity
  /** Raw text in place of a record: a line, or the cells of a row as JSON. Absent if not even that is known. */
  readonly text?: string
}

/** A warning to the author about a record that was loaded. */
export interface ImportWarning {
  readonly source: string
  readonly line: number
  /** `portability`: of its id. `format`, `schema`: of a value. `mapping`: one per column that no record has. `source`: a part that was left out. `attachment`: a missing file. */
  readonly kind: 'portability' | 'format' | 'schema' | 'mapping' | 'source' | 'attachment'
  readonly message: string
}

/** Progress of an import, in running totals. */
export interface ImportProgress {
  /** Bytes read from all sources, before unpacking. */
  readonly bytes: number
  /** Bytes of all sources; absent if the size of one is unknown. */
  readonly totalBytes?: number
  readonly records: number
  /** Number of records that were not rejected. */
  readonly entities: number
  /** `placing` comes once, when all is read and the entities are about to be committed. A dry run has no such phase. */
  readonly phase: 'reading' | 'placing'
}

/** A source that is about to be read. */
export interface SourceToRead {
  readonly name: string
  /** Size in bytes, if known. */
  readonly size?: number
  /** The definition names it. */
  readonly isDefined: boolean
}

/** One event of a load: `started` comes first, and if it does not come there is nothing to load. */
export type LoadEvent = { readonly event: 'started'; readonly sources: readonly SourceToRead[] } | ImportEvent

/** One event of an import: every rejected record and every warning once, in order; progress after each batch. */
export type ImportEvent =
  | { readonly event: 'rejected'; readonly rejections: readonly Rejection[] }
  | { readonly event: 'warned'; readonly warnings: readonly ImportWarning[] }
  | ({ readonly event: 'progress' } & ImportProgress)

/** Runs a load to its end and returns its result; `onEvent` is called with each event. @throws as the load does */
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
    // If `onEvent` throws, the load must not go on.
    await events.return(undefined as Result)
  }
}
