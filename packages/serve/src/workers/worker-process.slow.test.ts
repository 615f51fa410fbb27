import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openSqliteStore } from '../../../sqlite/src/open.ts'

test('a worker exits with its primary, even while it is returning the socket', {
  timeout: 60_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'worker-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'x.db')
  await openSqliteStore(file).close()
  const program = join(import.meta.dirname, 'dying-primary.fixture.ts')
  const primary = spawn(process.execPath, [...process.execArgv, program, file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const pid = Number(await text(primary.stdout))
  assert.ok(pid > 0)
  t.after(() => isRunning(pid) && process.kill(pid, 'SIGKILL'))
  while (isRunning(pid)) await pause(10)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
