/** In-memory input and output for commands under test. */
import { Writable } from 'node:stream'
import type { Io, Output } from '../../serve/src/terminal/io.ts'
import { run } from './run.ts'

/** Output and exit code of a command. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs one command in isolation. `given` overrides parts of the default `Io`. */
export async function runWith(
  argv: readonly string[],
  given: Partial<Io> & { terminal?: number } = {},
): Promise<Ran> {
  const out = memoryOutput(given.terminal)
  const err = memoryOutput(given.terminal)
  const code = await run(argv, {
    stdin: (async function* () {})(),
    stdout: out.stream,
    stderr: err.stream,
    env: { WORLD_LOG_FORMAT: 'text' },
    cwd: '/nonexistent',
    signal: new AbortController().signal,
    // The clock is stopped, so that a slow machine adds no progress lines.
    now: () => 0,
    ...given,
  })
  return { code, out: out.text(), err: err.text() }
}

/** Creates an output that records its text. If `columns` is given, the output acts as a terminal. */
export function memoryOutput(columns?: number): { stream: Output; text: () => string } {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  const terminal = columns === undefined ? {} : { isTTY: true, columns }
  return { stream: Object.assign(stream, terminal), text: () => text }
}
