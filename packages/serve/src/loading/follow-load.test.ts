import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { LoadEvent } from '@worldwright/publish'
import type { Io } from '../terminal/io.ts'
import { createRejectsFile } from '../terminal/rejects-file.ts'
import { followLoad } from './follow-load.ts'

test('a load that starts again voids the warnings and rejected records reported before', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'follow-'))
  t.after(() => rm(folder, { recursive: true }))
  const at = { source: 'a.csv', line: 2 }
  async function* events(): AsyncGenerator<LoadEvent, 'done'> {
    for (const message of ['first', 'second']) {
      yield { event: 'started', sources: [] }
      yield { event: 'filled', types: [`x:${message}`] }
      yield { event: 'warned', warnings: [{ ...at, kind: 'portability', message }] }
      yield {
        event: 'rejected',
        rejections: [{ ...at, faults: [{ pointer: '/id', reason: 'required', message }] }],
      }
    }
    return 'done'
  }
  const stream = new PassThrough()
  stream.resume()
  const filled: (readonly string[])[] = []
  const io = {
    onFilled: (types: readonly string[]) => filled.push(types),
    stdout: stream,
    stderr: stream,
    env: {},
    signal: new AbortController().signal,
  } as unknown as Io
  const path = join(folder, 'world.rejected.ndjson')
  const { result, warnings } = await followLoad(events(), io, { openRejects: () => createRejectsFile(path) })
  assert.deepEqual(
    [result, warnings.lines()],
    ['done', ['warning: 1 id not portable; the first: a.csv:2 second']],
  )
  // What was complete before is not.
  assert.deepEqual(filled, [['x:first'], [], ['x:second']])
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).faults[0].message),
    ['second'],
  )
})
