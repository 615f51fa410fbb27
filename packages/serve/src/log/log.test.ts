import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visible } from '../terminal/visible.ts'
import { createLog, type Log } from './log.ts'
import type { Failure } from './repeated-failures.ts'

const FORGED = 'said\n{"level":"info","msg":"forged"}\r\u0085\u2028\u001b[2J'

async function logged(format: 'json' | 'text', use: (log: Log) => void): Promise<string> {
  let text = ''
  const log = await createLog(format, (lines) => {
    text += lines
  })
  use(log)
  await log.flush()
  return text
}

const FAILURE: Failure = {
  event: 'internal_error',
  text: 'it failed',
  error: 'Error: x\n  at y',
  requestId: 'r',
  count: 1,
}

test('a record is one line of JSON with time, level and process id', async () => {
  const text = await logged('json', (log) => {
    log.report('warn', FORGED, { port: 8080 })
    log.report('error', 'failed', { error: 'Error\n  at x' })
  })
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(records.length, 2)
  const [first, second] = records
  assert.deepEqual([first.level, first.msg, first.port, first.pid], ['warn', FORGED, 8080, process.pid])
  assert.match(first.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual([second.level, second.error], ['error', 'Error\n  at x'])
})

test('the text format indents a stack and escapes control characters', async () => {
  const text = await logged('text', (log) => log.report('error', 'failed', { error: `Error: ${FORGED}` }))
  assert.deepEqual(text.split('\n'), [
    'failed',
    '  Error: said',
    '  {"level":"info","msg":"forged"}\\u000d\\u0085\\u2028\\u001b[2J',
    '',
  ])
})

test('an audit entry with control characters is one line', async () => {
  const entry = { event: 'audit', token: '3f9a0c12de', method: 'PUT', id: FORGED, status: 201 } as const
  const [record = '', ...others] = (await logged('json', (log) => log.audit(entry))).trimEnd().split('\n')
  const { level, time, pid: _, ...rest } = JSON.parse(record)
  assert.deepEqual([level, typeof time, rest, others], ['info', 'string', entry, []])
  const text = await logged('text', (log) => log.audit(entry))
  const { event: __, ...shown } = entry
  assert.equal(visible(text), `${text.trimEnd()}\\n`)
  assert.deepEqual(JSON.parse(text.slice('audit: '.length)), shown)
})

test('repeated failures are reported once, with a count', async () => {
  const text = await logged('json', (log) => {
    for (let count = 0; count < 500; count += 1) log.fail(FAILURE)
  })
  const { msg, count, event, error } = JSON.parse(text)
  assert.deepEqual([msg, count, event, error], ['it failed', 1, 'internal_error', 'Error: x\n  at y'])
})

test('lines for a stalled sink are dropped, and the number of dropped lines is logged', async () => {
  const taken = Promise.withResolvers<void>()
  const written: string[] = []
  const log = await createLog('json', (lines) => {
    written.push(lines)
    return taken.promise
  })
  const long = 'x'.repeat(1_000_000)
  for (let count = 0; count < 12; count += 1) log.report('info', long)
  const before = written.length
  assert.ok(before < 12)
  taken.resolve()
  await new Promise(setImmediate)
  log.report('info', 'again')
  await log.flush()
  const [lost = '', again = ''] = (written.at(-1) ?? '').trimEnd().split('\n')
  assert.equal(
    JSON.parse(lost).msg,
    `${12 - before} lines of the log were dropped, because nobody took them.`,
  )
  assert.equal(JSON.parse(again).msg, 'again')
})
