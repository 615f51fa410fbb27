/** Programmatic equivalent of the command `world serve`. */
import { registerEngines } from '@worldwright/engines'
import { runServe } from './run-serve.ts'
import type { Io } from './terminal/io.ts'

/** Settings by name, which override the environment and the definition. Lists are comma-separated strings. */
export type ServeSettings = Readonly<Record<string, string | number | boolean>>

/** A world that is currently served. */
export interface ServedWorld {
  /** `publicUrl` if it is set, otherwise the origin. */
  readonly url: string
  /** Resolves when serving ends normally, or rejects with the error that ended it. */
  readonly ended: Promise<void>
  /** Stops accepting connections, finishes running requests, and closes the store. */
  close(): Promise<void>
}

/**
 * Serves the world whose definition is at `path`, by default in the current folder. Resolves when the world can be read: its
 * sources are loaded and watched, and the configured number of processes serve it. Logs to stderr. `surroundings` overrides
 * parts of the process: streams, environment, current folder, `fetch`, and the signal that ends serving.
 * @throws UsageFault if a setting is invalid, and any error that prevents serving the world
 */
export async function serve(
  path?: string,
  settings: ServeSettings = {},
  surroundings: Partial<Io> = {},
): Promise<ServedWorld> {
  const ending = new AbortController()
  const { signal } = surroundings
  const serving = Promise.withResolvers<string>()
  const io: Io = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    ...surroundings,
    signal: signal ? AbortSignal.any([signal, ending.signal]) : ending.signal,
    onServing: serving.resolve,
  }
  const typed = Object.entries(settings).map(
    ([name, value]) => [name, typeof value === 'number' ? String(value) : value] as const,
  )
  registerEngines(io.env['WORLD_ENGINES'] ?? '', io.cwd)
  const ended = runServe(path, Object.fromEntries(typed), io, (error) => {
    throw error
  }).then(() => {})
  ended.then(() => serving.reject(new Error('The world ended before it was served.')), serving.reject)
  const url = await serving.promise
  return {
    url,
    ended,
    async close() {
      ending.abort()
      await ended
    },
  }
}
