/**
 * `@worldwright/client/follow`: keeps derived data up to date with a log. All log readers share this driver: it reads from a
 * checkpoint to the end of the log, waits, retries, and restarts if the checkpoint has expired.
 */
import { within } from './deadline.ts'

export { retryAfterFrom } from './response.ts'

/** Consecutive changes of a log, in order. */
export interface LogPage {
  readonly changes: readonly unknown[]
  /** Offset after these changes. */
  readonly next: string
  /** True if more changes are available. */
  readonly more: boolean
}

/** A log that can be read again from any offset. Offsets are opaque. */
export interface Log<Page extends LogPage> {
  /** Reads the page after an offset, or the first page if the offset is undefined. */
  read(after: string | undefined): MaybePromise<Page>
  /** Yields at once and whenever there may be changes: a received page, or else undefined. Ends if the connection ends. */
  live(): AsyncIterable<Page | undefined>
  /** Reports whether `error` means that the offset has expired, so that reading from it again cannot succeed. */
  isExpired(error: unknown): boolean
}

/** Derived data that follows a log. `follow` and `catchUp` yield the events that these methods return. */
export interface Sink<Page extends LogPage, Event = never> {
  /** Returns the offset after the last applied change, or undefined to start from the beginning. */
  checkpoint(): string | undefined
  /** Applies a page and advances the checkpoint. */
  apply(page: Page): MaybePromise<Iterable<Event> | undefined>
  /** Resets the checkpoint to the beginning. Without this method, an expired offset is an error like any other. */
  restart?(): MaybePromise<Iterable<Event> | undefined>
  /** Called before a failed connection is retried. May throw the error to stop following. Default: always retry. */
  lost?(error: unknown, retryMs: number): Iterable<Event> | undefined
}

/** Options for following a log. */
export interface FollowOptions {
  /** Following stops when this signal aborts. */
  readonly signal: AbortSignal
  /** Maximum pause before the first retry, in milliseconds. It doubles with each further retry. Default 1 s. */
  readonly retryMs?: number | undefined
  /** Maximum pause before any retry, in milliseconds. Default 30 s. */
  readonly maxRetryMs?: number | undefined
  /** Connection duration that resets the backoff even without changes, in milliseconds. Default 10 s. */
  readonly lastedMs?: number | undefined
}

type MaybePromise<T> = T | Promise<T>

/** Maximum number of restarts, for logs whose offsets expire faster than the log can be read. */
const MAX_RESTARTS = 3

/** Applies all changes after the checkpoint. Stops early if the signal aborts. */
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

/** Follows a log until the signal aborts. Reconnects with exponential backoff when a connection fails or ends. */
export async function* follow<Page extends LogPage, Event = never>(
  log: Log<Page>,
  sink: Sink<Page, Event>,
  { signal, retryMs = 1_000, maxRetryMs = 30_000, lastedMs = 10_000 }: FollowOptions,
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
    if (isCurrent || Date.now() - begun >= lastedMs || sink.checkpoint() !== before) pauses = 0
    // Jitter, so that followers that failed together do not retry together.
    const jittered = Math.min(retryMs * 2 ** pauses, maxRetryMs) * (0.5 + Math.random() / 2)
    const ms = Math.round((Object(failure?.error).retryAfter ?? 0) * 1_000 + jittered)
    if (failure) yield* sink.lost?.(failure.error, ms) ?? []
    await within(ms, signal, () => new Promise(() => {})).catch(() => {})
  }
}
