/** Clients in other languages, judged by the conformance kit if their language is installed. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../packages/cli/src/memory-io.fixture.ts'
import { isCommand } from './foreign-worlds.ts'

const CLIENTS = resolve(import.meta.dirname, '../examples/clients')

/** Returns a reason to skip if the language is missing; under `CI`, a missing language is a failure. */
function reasonToSkip(command: string): string | false {
  return process.env['CI'] || isCommand(command) ? false : `not run: this machine has no ${command}`
}

async function judged(client: string): Promise<void> {
  const { code, out } = await runWith(['check', '--client', client])
  assert.equal(code, 0, out)
  assert.match(out, /\n\d+ passed(, \d+ passed with a warning)?, 0 failed, 0 not asked/)
}

test('the client in Python conforms', { skip: reasonToSkip('python3') }, async () => {
  await judged(`python3 -B ${join(CLIENTS, 'python/world.py')}`)
})

test('the client in Go conforms', { skip: reasonToSkip('go') }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-go-client-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'world')
  execFileSync('go', ['build', '-o', program, join(CLIENTS, 'go/main.go')], { stdio: 'inherit' })
  await judged(program)
})
