/** Watching the files of a world. */
import { watch } from 'chokidar'

/** Long enough for an editor, or a copy of several files, to be done; short enough to feel immediate. */
const QUIET_MS = 150

/** A watch over files and folders. */
export interface Watch {
  /** Watches these from now on, instead of others. */
  paths(paths: readonly string[]): void
  close(): Promise<void>
}

/**
 * Calls `changed` after files were added, changed or removed, once they are quiet; never while it is still running,
 * and again after it where something changed meanwhile.
 */
export function watchFiles(paths: readonly string[], changed: () => Promise<void>): Watch {
  let watched = new Set(paths)
  const watcher = watch([...paths], { ignoreInitial: true, persistent: true })
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let closed = false

  function later(): void {
    clearTimeout(timer)
    timer = setTimeout(run, QUIET_MS)
  }

  function run(): void {
    if (closed) return
    if (running) {
      later()
      return
    }
    running = changed().finally(() => {
      running = undefined
    })
  }

  watcher.on('all', later)
  // A watch that fails leaves a world that is served all the same.
  watcher.on('error', () => {})
  return {
    paths(next) {
      const wanted = new Set(next)
      watcher.add(next.filter((path) => !watched.has(path)))
      watcher.unwatch([...watched].filter((path) => !wanted.has(path)))
      watched = wanted
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await watcher.close()
      await running
    },
  }
}
