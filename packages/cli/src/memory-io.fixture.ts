/** What a command reads and writes, held in memory, for tests. */
import { Writable } from 'node:stream'
import type { Io, Output } from '../../serve/src/terminal/io.ts'
import { run } from './run.ts'

/** What a command wrote and how it ended. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs one command with nothing around it but what is given. */
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
    ...given,
  })
  return { code, out: out.text(), err: err.text() }
}

/** An output that remembers; with `columns` it says that it is a terminal. */
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
