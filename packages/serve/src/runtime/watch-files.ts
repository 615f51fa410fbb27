/** Watches the files of a world for changes. */
import { watch } from 'chokidar'

/** Debounce time, in milliseconds: long enough to copy several files, short enough to seem immediate. */
const QUIET_MS = 150

/** Delay before a retry, in milliseconds. */
const RETRY_MS = 10_000

/** A watcher of files and folders. */
export interface Watch {
  /** Replaces the watched paths. */
  paths(paths: readonly string[]): void
  /** Calls `changed` every `ms` milliseconds even if no file changes. Stops doing so if `ms` is undefined. */
  every(ms: number | undefined): void
  close(): Promise<void>
}

/**
 * Calls `changed` when added, changed or removed files have settled. Calls never overlap: a change during a call causes
 * another call. If a call returns `again`, it is retried after ten seconds. `why` is `time` if the call was caused by the
 * interval.
 */
export function watchFiles(
  paths: readonly string[],
  ignored: (path: string) => boolean,
  changed: (why: 'files' | 'time') => Promise<'done' | 'again'>,
): Watch {
  let watched = new Set(paths)
  const watcher = watch([...paths], { ignoreInitial: true, persistent: true, ignored })
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let interval: NodeJS.Timeout | undefined
  let closed = false

  function later(wait = QUIET_MS): void {
    clearTimeout(timer)
    if (!closed) timer = setTimeout(run, wait, 'files')
  }

  function run(why: 'files' | 'time'): void {
    if (closed) return
    if (running) {
      later()
      return
    }
    running = changed(why).then((how) => {
      running = undefined
      if (how === 'again') later(RETRY_MS)
    })
  }

  watcher.on('all', () => later())
  // The world is still served if watching fails.
  watcher.on('error', () => {})
  return {
    paths(next) {
      // A reload may end after the watch was closed.
      if (closed) return
      const wanted = new Set(next)
      watcher.add(next.filter((path) => !watched.has(path)))
      watcher.unwatch([...watched].filter((path) => !wanted.has(path)))
      watched = wanted
    },
    every(ms) {
      clearInterval(interval)
      // Skip this while a call is running, since that call reads everything anyway.
      if (ms !== undefined && !closed) interval = setInterval(() => running ?? run('time'), ms)
    },
    async close() {
      closed = true
      clearInterval(interval)
      clearTimeout(timer)
      await watcher.close()
      await running
    },
  }
}
