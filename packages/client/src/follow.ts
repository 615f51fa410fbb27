/**
 * `@worldwright/client/follow`: derived data follows a log. One driver for every reader of one: it reads from a
 * checkpoint to the end of the log, waits, retries, and starts over where the log no longer reaches back.
 */
import { within } from './deadline.ts'

/** Some changes of a log, in their order. */
export interface LogPage {
  readonly changes: readonly unknown[]
  /** The offset after them. */
  readonly next: string
  /** There are more changes already. */
  readonly more: boolean
}

/** A log that can be read again from any offset. Offsets are opaque. */
export interface Log<Page extends LogPage> {
  /** Reads the page after an offset; without one, from the beginning. */
  read(after: string | undefined): MaybePromise<Page>
  /** Yields at once, and again whenever there may be more; with a page, if one came along. Ends with its connection. */
  live(): AsyncIterable<Page | undefined>
  /** Recognises a failure of `read` that no retry mends: the log does not know this offset any more. */
  isExpired(error: unknown): boolean
}

/** Derived data that follows a log. The events that its methods return are handed on by `follow` and `catchUp`. */
export interface Sink<Page extends LogPage, Event = never> {
  /** The offset after everything that was applied; undefined: nothing was, or all of it has to come again. */
  checkpoint(): string | undefined
  /** Applies a page, and moves the checkpoint with it. */
  apply(page: Page): MaybePromise<Iterable<Event> | undefined>
  /** Moves the checkpoint back to the beginning. Absent: expiry is a failure as any other. */
  restart?(): MaybePromise<Iterable<Event> | undefined>
  /** Takes note of a failure before it is retried, or throws it to end the following. Absent: it is retried. */
  lost?(error: unknown, retryMs: number): Iterable<Event> | undefined
}

/** Options of following a log. */
export interface FollowOptions {
  /** Ends the following. */
  readonly signal: AbortSignal
  /** Milliseconds before the first retry, at most; each further one doubles it. Default 1 s. */
  readonly retryMs?: number | undefined
  /** Milliseconds before any retry, at most. Default 30 s. */
  readonly maxRetryMs?: number | undefined
}

type MaybePromise<T> = T | Promise<T>

/** A connection that lasted as long, in milliseconds, did not fail, even if nothing came of it. */
const LASTED_MS = 10_000
/** A log whose offsets expire while it is read from the beginning cannot be followed. */
const MAX_RESTARTS = 3

/** Applies everything that a log has after the checkpoint, unless the signal aborts meanwhile. */
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

/** Follows a log until the signal aborts. A connection that fails or ends is made again, after growing pauses. */
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
    // Jitter, so that followers which failed together do not return together.
    const jittered = Math.min(retryMs * 2 ** pauses, maxRetryMs) * (0.5 + Math.random() / 2)
    const ms = Math.round((Object(failure?.error).retryAfter ?? 0) * 1_000 + jittered)
    if (failure) yield* sink.lost?.(failure.error, ms) ?? []
    await within(ms, signal, () => new Promise(() => {})).catch(() => {})
  }
}
