/** Environment of a command, passed to `run` so that commands do not depend on the process. */

import type { ImportProgress } from '@worldwright/publish'

/** Severity of a log message. */
export type Level = 'info' | 'warn' | 'error'

/** Destination of text: a terminal, a pipe, or memory in tests. */
export interface Output extends NodeJS.WritableStream {
  /** True if the output is a terminal. */
  readonly isTTY?: boolean
  /** Width of a line in characters, if known. */
  readonly columns?: number
  /** Called instead of `write` for messages, if the output is a log. */
  readonly report?: (level: Level, text: string) => void
}

/** Environment in which one command runs. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>
  /** Receives only the data that the command outputs. */
  readonly stdout: Output
  /** Receives all messages to the user. */
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder against which relative paths are resolved. */
  readonly cwd: string
  /** Aborted when the command should end. */
  readonly signal: AbortSignal
  /** Installs a SIGHUP listener, so that SIGHUP no longer ends the process. Absent if SIGHUP is not delivered. */
  readonly onHangup?: (listener: () => void) => void
  /** Called with the origin of a served world, once it can be read. */
  readonly onServing?: (url: string) => void
  /** Called with the progress of a load. */
  readonly onProgress?: (progress: ImportProgress) => void
  /** Called with types that a first load has completed, and with none if it starts again. */
  readonly onFilled?: (types: readonly string[]) => void
  /** Least number of entities that a first load commits before its end. See `WorldLoad.step`. */
  readonly step?: number
  /** Replaces the global `fetch` for requests. */
  readonly fetch?: typeof fetch
  /** Monotonic clock for progress reports, in milliseconds. Default: the clock of the process. */
  readonly now?: () => number
}

/** Thrown for wrong usage, which exits with 2. The message says what to type instead. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
}

/** Thrown if the signal ends a command before its work is done. The message states the outcome. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Thrown if a file cannot be written. The message names the file and gives advice. */
export class OutputFault extends Error {
  override readonly name = 'OutputFault'
}

/** Returns the clock for progress reports, in milliseconds. */
export function clockOf({ now }: Pick<Io, 'now'>): () => number {
  return now ?? (() => performance.now())
}

/** Returns an environment variable, or undefined if it is unset or empty. */
export function fromEnv(io: Pick<Io, 'env'>, name: string): string | undefined {
  return io.env[name] || undefined
}
