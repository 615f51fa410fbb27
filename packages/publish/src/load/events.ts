/** The events of a load, as plain data: the caller decides what is shown. */
import type { Entity, JsonValue } from '@worldwright/client/protocol'
import type { RecordFault } from '@worldwright/entities'

/** A record that was not loaded: where it is, all that is wrong with it, and what it is. */
export interface Rejection {
  readonly source: string
  readonly line: number
  readonly faults: readonly RecordFault[]
  /** As it was read; absent if it could not be read as one. */
  readonly record?: JsonValue
  /** The record is a row of a table, whose values are all text. */
  readonly cells?: true
  /** What became of it, where only another record of the same id stands in its way. */
  readonly entity?: Entity
  /** What stands there instead of a record: a line, or the cells of a row as JSON. Absent if not even that is known. */
  readonly text?: string
}

/** A record that was loaded, with something that its author should know. */
export interface ImportWarning {
  readonly source: string
  readonly line: number
  /** `portability`: of its id. `format`, `schema`: of a value. `mapping`: a column that no record has, one warning for each. `source`: what was left out of it. `attachment`: a file that is not there. */
  readonly kind: 'portability' | 'format' | 'schema' | 'mapping' | 'source' | 'attachment'
  readonly message: string
}

/** How far an import has got. */
export interface ImportProgress {
  /** Bytes read of all sources, before unpacking. */
  readonly bytes: number
  /** All bytes there are; absent while a source's size is unknown. */
  readonly totalBytes?: number
  readonly records: number
  /** Of them, those that were not rejected. */
  readonly entities: number
  /** `placing` comes once: all is read, and the entities are about to be put in place. A dry run has no such phase. */
  readonly phase: 'reading' | 'placing'
}

/** A source that is about to be read. */
export interface SourceToRead {
  readonly name: string
  /** Bytes, where they are known. */
  readonly size?: number
  /** The definition names it. */
  readonly isDefined: boolean
}

/** One step of a load: `started` comes first, and where it does not come there is nothing to load. */
export type LoadEvent = { readonly event: 'started'; readonly sources: readonly SourceToRead[] } | ImportEvent

/** One step of an import: every rejected record and every warning once, in order; progress after each batch. */
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
    // Where `onEvent` throws, the load must not go on.
    await events.return(undefined as Result)
  }
}
