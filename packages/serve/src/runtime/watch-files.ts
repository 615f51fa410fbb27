/** Watches the files of a world for changes. */
import { watch } from 'chokidar'

/** Debounce time, in milliseconds: enough for an editor or a copy of several files to finish, but it feels immediate. */
const QUIET_MS = 150

/** Delay of the next attempt after a failure, in milliseconds. */
const RETRY_MS = 10_000

/** A watch over files and folders. */
export interface Watch {
  /** Watches exactly these paths from now on. */
  paths(paths: readonly string[]): void
  /** Calls `changed` at this interval from now on, whatever the files do; undefined: no longer. */
  every(ms: number | undefined): void
  close(): Promise<void>
}

/**
 * Calls `changed` after files were added, changed or removed, once they are quiet; never while it is still running, again if
 * something changed meanwhile, and again after ten seconds if it asks for that. `why`: the files changed, or only time has
 * passed.
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
  // If the watch fails, the world is still served.
  watcher.on('error', () => {})
  return {
    paths(next) {
      const wanted = new Set(next)
      watcher.add(next.filter((path) => !watched.has(path)))
      watcher.unwatch([...watched].filter((path) => !wanted.has(path)))
      watched = wanted
    },
    every(ms) {
      clearInterval(interval)
      // A running call reads everything as well.
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
