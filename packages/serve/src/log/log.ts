/** Log of a served world, as JSON with one record per line, or as text. */
import type { AuditEntry } from '@worldwright/extensions/operator'
import type { LogFormat } from '../open/settings.ts'
import type { Level } from '../terminal/io.ts'
import { jsonText, visible } from '../terminal/visible.ts'
import type { AccessEntry } from './access-log.ts'
import { LineBatch, type LineSink } from './line-batch.ts'
import { type Failure, RepeatedFailures } from './repeated-failures.ts'

/** Additional fields of a record, by name. */
export type LogFields = Readonly<Record<string, string | number>>

/** Receives log events from a process that serves a world. */
export interface Log {
  /** Writes a message immediately. `fields.error`, if present, is a stack trace. */
  report(level: Level, text: string, fields?: LogFields): void
  /** Writes an access record with the next batch. */
  access(entry: AccessEntry): void
  /** Writes an audit record with the next batch, even if the access log is disabled. */
  audit(entry: AuditEntry): void
  /** Writes the first failure of a kind immediately. Combines further ones within the next second into one record. */
  fail(failure: Failure): void
  /** Writes lines that another process formatted. */
  pass(lines: string): void
  /** Resolves when everything has been written. */
  flush(): Promise<void>
}

/** Formats events as records, one per line. */
type LineMaker = Pick<Log, 'report' | 'access' | 'audit'>

/**
 * Creates a log in the given format. The code for JSON is loaded only if it is needed.
 * @param failed if given, receives failures instead of this log, at most one per second of each kind
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
    audit: lines.audit,
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
    access: (entry) => add(accessLine(entry)),
    audit: (entry) => logger.info(entry),
  }
}

const PREFIX = '{"level":"info","time":"'
const PID = `","pid":${process.pid},"event":"request"`
/** Matches text that needs no escaping in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/

/** Formats an access record as JSON. Hand-written, because it runs for every request and a general serializer is slower. */
function accessLine(entry: AccessEntry): string {
  const {
    requestId,
    method,
    path,
    route,
    status,
    code,
    ms,
    bytes,
    aborted,
    address,
    userAgent,
    traceparent,
  } = entry
  return `${PREFIX}${isoNow()}${PID},"requestId":${quoted(requestId)},"method":${quoted(method)},"path":${quoted(path)},"route":${quoted(route)},"status":${status}${member('code', code)},"ms":${ms},"bytes":${bytes}${aborted ? ',"aborted":true' : ''}${member('address', address)}${member('userAgent', userAgent)}${member('traceparent', traceparent)}}\n`
}

function member(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${quoted(value)}`
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

let lastMs = 0
let lastIso = ''

/** Returns the current time in pino's format. Cached, because many requests share a millisecond. */
function isoNow(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastIso = new Date(now).toISOString()
  }
  return lastIso
}

/** Formats events as text. Callers must escape untrusted text, whose line breaks could forge log lines. */
function textLines(add: (line: string) => void): LineMaker {
  return {
    report(_level, text, { error } = {}) {
      add(`${text}\n`)
      for (const line of String(error ?? '').split('\n')) if (line !== '') add(`  ${visible(line)}\n`)
    },
    access: ({ method, path, status, ms, bytes, requestId, address }) =>
      add(`${method} ${path} ${status} ${ms} ms ${bytes} B ${address ?? '-'} ${requestId}\n`),
    audit: ({ event, ...entry }) => add(`${event}: ${jsonText(entry)}\n`),
  }
}
