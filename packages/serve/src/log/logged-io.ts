/** The surroundings of a command whose words are records of a log. */
import { Writable } from 'node:stream'
import type { LogFormat } from '../open/settings.ts'
import type { Io, Output } from '../terminal/io.ts'
import { createLog, type Log } from './log.ts'

/** The same surroundings with a log on stderr, and that log. Words for people become records where it is JSON. */
export async function loggedIo(io: Io, format: LogFormat): Promise<{ readonly io: Io; readonly log: Log }> {
  const log = await createLog(
    format,
    (lines) => new Promise((resolve) => io.stderr.write(lines, () => resolve(undefined))),
  )
  if (format === 'text') return { io, log }
  const stderr: Output = Object.assign(
    new Writable({
      decodeStrings: false,
      write(chunk, _, done) {
        const text = String(chunk).replace(/\n$/, '')
        if (text !== '') log.report('info', text)
        done()
      },
    }),
    { report: log.report },
  )
  return { io: { ...io, stderr }, log }
}
