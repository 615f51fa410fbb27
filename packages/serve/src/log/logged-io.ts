import { Writable } from 'node:stream'
import type { LogFormat } from '../open/settings.ts'
import type { Io, Output } from '../terminal/io.ts'
import { createLog, type Log } from './log.ts'

/** Creates a log on stderr. Returns it, and a copy of `io` whose messages become log records if the format is JSON. */
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
