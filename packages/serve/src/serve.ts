/** `serve` for programs: the same as the command `world serve`. */
import { registerEngines } from '@worldwright/engines'
import { runServe } from './run-serve.ts'
import type { Io } from './terminal/io.ts'

/** Settings by name, as in a definition; lists as text, separated by commas. They override environment and definition. */
export type ServeSettings = Readonly<Record<string, string | number | boolean>>

/** A world that is being served. */
export interface ServedWorld {
  /** The origin, or `publicUrl`. */
  readonly url: string
  /** Resolves once serving has ended, in order or not; rejects with the error that ended it. */
  readonly ended: Promise<void>
  /** Stops accepting connections, finishes running requests, and closes the store. */
  close(): Promise<void>
}

/**
 * Serves the world whose definition is at a path, by default in the current folder, and resolves once it can be read: its
 * sources are loaded and watched, and as many processes as the settings say serve it. Its log goes to stderr. `surroundings`
 * replaces parts of the process: streams, environment, current folder, `fetch`, a signal that ends it.
 * @throws UsageFault for settings that cannot work, and any error that keeps the world from being served
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
