/** The log of a served world: JSON, one record a line, or text for people. */
import type { LogFormat } from '../open/settings.ts'
import type { Level } from '../terminal/io.ts'
import { visible } from '../terminal/visible.ts'
import type { AccessEntry } from './access-log.ts'
import { LineBatch, type LineSink } from './line-batch.ts'
import { type Failure, RepeatedFailures } from './repeated-failures.ts'

/** What a record says besides its text, by name. */
export type LogFields = Readonly<Record<string, string | number>>

/** Takes what happens, in any process of a served world. */
export interface Log {
  /** Writes at once. `fields.error`, if there is one, is a stack of several lines. */
  report(level: Level, text: string, fields?: LogFields): void
  /** Writes within a moment. */
  access(entry: AccessEntry): void
  /** Writes the first failure of a kind at once, and those that follow within a second as one record. */
  fail(failure: Failure): void
  /** Writes lines that another process made. */
  pass(lines: string): void
  /** Resolves when everything has been written. */
  flush(): Promise<void>
}

/** Makes records, one per line, of what happens. */
type LineMaker = Pick<Log, 'report' | 'access'>

/**
 * Makes a log. The code for JSON is loaded only where it is asked for.
 * @param failed takes failures in place of this log, at most one a second of each kind
 */
export async function createLog(
  format: LogFormat,
  sink: LineSink,
  failed?: (failure: Failure) => void,
): Promise<Log> {
  const add = (line: string) => batch.add(line)
  const lines = format === 'json' ? await jsonLines(add) : textLines(add)
  const batch: LineBatch = new LineBatch(sink, (count) => {
    const said = `${count} lines of the log were dropped, because nobody took them.`
    return format === 'json' ? `${JSON.stringify({ level: 'warn', msg: said })}\n` : `${said}\n`
  })
  const report: Log['report'] = (level, text, fields) => {
    lines.report(level, text, fields)
    batch.flush()
  }
  const failures = new RepeatedFailures(failed ?? ((failure) => reportFailure(failure, report)))
  return {
    report,
    access: lines.access,
    fail: (failure) => failures.note(failure),
    pass(made) {
      batch.add(made)
      batch.flush()
    },
    flush: () => batch.flush(),
  }
}

function reportFailure({ text, count, ...fields }: Failure, report: Log['report']): void {
  const said = count === 1 ? text : `${text}, and others like it: ${count} in a second`
  report('error', said, { ...fields, count })
}

async function jsonLines(add: (line: string) => void): Promise<LineMaker> {
  const { pino } = await import('pino')
  const logger = pino(
    {
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    { write: add },
  )
  return {
    report: (level, text, fields = {}) => logger[level](fields, text),
    access: (entry) => logger.info(entry),
  }
}

/** Callers have made foreign text visible; line ends in it would be lines of their own. */
function textLines(add: (line: string) => void): LineMaker {
  return {
    report(_level, text, { error } = {}) {
      add(`${text}\n`)
      for (const line of String(error ?? '').split('\n')) if (line !== '') add(`  ${visible(line)}\n`)
    },
    access: ({ method, path, status, ms, bytes, requestId, address }) =>
      add(`${method} ${path} ${status} ${ms} ms ${bytes} B ${address ?? '-'} ${requestId}\n`),
  }
}
