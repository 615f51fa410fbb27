/**
 * `@worldwright/client/follow`: derived data follows a log. A single driver for all readers: it reads from a checkpoint to
 * the end of the log, waits, retries, and restarts if the log no longer reaches back.
 */
import { within } from './deadline.ts'

/** Some changes of a log, in order. */
export interface LogPage {
  readonly changes: readonly unknown[]
  /** The offset after these changes. */
  readonly next: string
  /** More changes are available. */
  readonly more: boolean
}

/** A log that can be read again from any offset. Offsets are opaque. */
export interface Log<Page extends LogPage> {
  /** Reads the page after an offset; without an offset, from the beginning. */
  read(after: string | undefined): MaybePromise<Page>
  /** Yields at once, and again whenever there may be more; with a page, if one arrived. Ends with its connection. */
  live(): AsyncIterable<Page | undefined>
  /** Recognises a failure of `read` that no retry can fix: the log no longer knows this offset. */
  isExpired(error: unknown): boolean
}

/** Derived data that follows a log. `follow` and `catchUp` yield the events that its methods return. */
export interface Sink<Page extends LogPage, Event = never> {
  /** Returns the offset after everything applied; undefined: nothing was applied, or everything has to be applied again. */
  checkpoint(): string | undefined
  /** Applies a page, and moves the checkpoint with it. */
  apply(page: Page): MaybePromise<Iterable<Event> | undefined>
  /** Moves the checkpoint back to the beginning. Absent: expiry is a failure like any other. */
  restart?(): MaybePromise<Iterable<Event> | undefined>
  /** Handles a failure before it is retried, or throws it to end the following. Absent: it is retried. */
  lost?(error: unknown, retryMs: number): Iterable<Event> | undefined
}

/** Options of following a log. */
export interface FollowOptions {
  /** Ends the following when it aborts. */
  readonly signal: AbortSignal
  /** Maximum pause before the first retry, in milliseconds; it doubles for each further one. Default 1 s. */
  readonly retryMs?: number | undefined
  /** Maximum pause before any retry, in milliseconds. Default 30 s. */
  readonly maxRetryMs?: number | undefined
}

type MaybePromise<T> = T | Promise<T>

/** Minimum duration of a connection that did not fail, in milliseconds, even if it carried no changes. */
const LASTED_MS = 10_000
/** Maximum restarts: a log whose offsets expire while it is read from the beginning cannot be followed. */
const MAX_RESTARTS = 3

/** Applies everything that a log has after the checkpoint, unless the signal aborts. */
export async function* catchUp<Page extends LogPage, Event = never>(
  log: Pick<Log<Page>, 'read' | 'isExpired'>,
  sink: Sink<Page, Event>,
  signal: AbortSignal,
): AsyncGenerator<Event, void, undefined> {
  let restarts = 0
  for (let more = true; more && !signal.aborted; ) {
    const after = sink.checkpoint()
    let page: Page
    try {
      page = await log.read(after)
    } catch (error) {
      if (after === undefined || !sink.restart || !log.isExpired(error) || ++restarts > MAX_RESTARTS)
        throw error
      yield* (await sink.restart()) ?? []
      continue
    }
    yield* (await sink.apply(page)) ?? []
    more = page.more
  }
}

/** Follows a log until the signal aborts. A connection that fails or ends is opened again, after growing pauses. */
export async function* follow<Page extends LogPage, Event = never>(
  log: Log<Page>,
  sink: Sink<Page, Event>,
  { signal, retryMs = 1_000, maxRetryMs = 30_000 }: FollowOptions,
): AsyncGenerator<Event, void, undefined> {
  for (let pauses = 0; !signal.aborted; pauses++) {
    const begun = Date.now()
    const before = sink.checkpoint()
    let isCurrent = false
    let failure: { readonly error: unknown } | undefined
    try {
      for await (const page of log.live()) {
        if (page) yield* (await sink.apply(page)) ?? []
        else yield* catchUp(log, sink, signal)
        isCurrent = true
      }
    } catch (error) {
      failure = { error }
    }
    if (signal.aborted) return
    if (isCurrent || Date.now() - begun >= LASTED_MS || sink.checkpoint() !== before) pauses = 0
    // Jitter, so that followers that failed together do not return together.
    const jittered = Math.min(retryMs * 2 ** pauses, maxRetryMs) * (0.5 + Math.random() / 2)
    const ms = Math.round((Object(failure?.error).retryAfter ?? 0) * 1_000 + jittered)
    if (failure) yield* sink.lost?.(failure.error, ms) ?? []
    await within(ms, signal, () => new Promise(() => {})).catch(() => {})
  }
}
