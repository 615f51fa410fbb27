/** Checks our command line and the clients in other languages, if the language is installed, with the conformance kit. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { type ClientFunction, checkClient } from '@worldwright/conformance'
import { runWith } from '../packages/cli/src/memory-io.fixture.ts'
import { isCommand } from './foreign-worlds.ts'
import { reasonToSkip } from './missing.ts'

const CLIENTS = resolve(import.meta.dirname, '../examples/clients')

async function judged(client: string): Promise<void> {
  const { code, out } = await runWith(['check', '--client', client])
  assert.equal(code, 0, out)
  assert.match(out, /\n\d+ passed(, \d+ passed with a warning)?, 0 failed, 0 not asked/)
}

test('the command line passes every check of Level 1', async () => {
  const client: ClientFunction = async (args, { env, signal }) => {
    const { code, out, err } = await runWith(args, { env, signal })
    return { exitCode: code, stdout: out, stderr: err }
  }
  const results = await Array.fromAsync(checkClient(client, { profile: 'level-1' }))
  assert.ok(results.length >= 45)
  assert.deepEqual(
    results.filter(({ outcome }) => outcome !== 'pass'),
    [],
  )
})

test('the Python client conforms', { skip: reasonToSkip(isCommand('python3'), 'Python') }, async () => {
  await judged(`python3 -B ${join(CLIENTS, 'python/world.py')}`)
})

test('the Go client conforms', { skip: reasonToSkip(isCommand('go'), 'Go') }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-go-client-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'world')
  execFileSync('go', ['build', '-o', program, join(CLIENTS, 'go/main.go')], { stdio: 'inherit' })
  await judged(program)
})
