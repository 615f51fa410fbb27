/** Environment of a command, handed to `run`, so that nothing below it depends on the process. */

/** Severity of a message for people. */
export type Level = 'info' | 'warn' | 'error'

/** Destination of text: a terminal, a pipe, or a test's memory. */
export interface Output extends NodeJS.WritableStream {
  /** True for a terminal. */
  readonly isTTY?: boolean
  /** Characters that fit in a line, if known. */
  readonly columns?: number
  /** Receives messages with their level, instead of `write`, if the output is a log. */
  readonly report?: (level: Level, text: string) => void
}

/** The environment of one command. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>
  /** Receives data, and nothing else. */
  readonly stdout: Output
  /** Receives everything meant for people. */
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder that relative paths are relative to. */
  readonly cwd: string
  /** Aborted when the command should end. */
  readonly signal: AbortSignal
  /** Calls the listener for every SIGHUP, which from then on does not end the process. Absent if there are none. */
  readonly onHangup?: (listener: () => void) => void
  /** Called with the origin of a served world, once it can be read. */
  readonly onServing?: (url: string) => void
  /** Sends requests instead of the runtime's `fetch`. */
  readonly fetch?: typeof fetch
}

/** Wrong usage: exit code 2. The message says what to type instead. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
}

/** Ended by the signal before its work was done. The message says what became of the work. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** A file that cannot be written. The message names it and says what to do. */
export class OutputFault extends Error {
  override readonly name = 'OutputFault'
}

/** Returns a setting from the environment; undefined if it is absent or empty. */
export function fromEnv(io: Pick<Io, 'env'>, name: string): string | undefined {
  return io.env[name] || undefined
}
