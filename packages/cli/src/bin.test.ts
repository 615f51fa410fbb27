import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'

const BIN = fileURLToPath(new URL('../bin/world.js', import.meta.url))

function world(...argv: string[]): ChildProcess {
  return spawn(process.execPath, [BIN, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] })
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = ''
  for await (const chunk of stream ?? []) text += chunk
  return text
}

test('the bin script runs the command and returns its exit code', async () => {
  const good = world('--version')
  const [goodExit] = await Promise.all([once(good, 'exit'), textOf(good.stdout)])
  assert.deepEqual(goodExit, [0, null])
  const bad = world('nonsense')
  const [badExit, err] = await Promise.all([once(bad, 'exit'), textOf(bad.stderr)])
  assert.deepEqual(badExit, [2, null])
  assert.match(err, /unknown command/)
})

test('serve exits with 0 on SIGTERM', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'world.yaml'), 'name: Sol\n')
  const served = world('serve', folder, '--port', '0')
  let said = ''
  for await (const chunk of served.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk
    if (said.includes('Read it:')) break
  }
  served.stderr?.resume()
  served.kill('SIGTERM')
  assert.deepEqual(await once(served, 'exit'), [0, null])
})

test('a command exits with 0 if the reader of its output closes the pipe early', async () => {
  const helped = world('--help')
  helped.stdout?.destroy()
  const [exit, err] = await Promise.all([once(helped, 'exit'), textOf(helped.stderr)])
  assert.deepEqual([exit, err], [[0, null], ''])
})

test('the bin script prints the required version if the Node.js version is too old', async () => {
  const source = (await readFile(BIN, 'utf8')).replace(/^#!.*/, '')
  for (const node of ['12.22.0', '24.14.1']) {
    let said = ''
    const old = {
      versions: { node },
      exitCode: 0,
      stderr: {
        write(text: string) {
          said += text
        },
      },
    }
    // Run the source as a classic script. Replace `import.meta`, its only module syntax, which an old Node.js never reaches.
    runInContext(source.replaceAll('import.meta.url', "''"), createContext({ process: old }))
    assert.equal(old.exitCode, 1)
    assert.ok(said.startsWith(`world needs Node.js 24.15 or newer; this is Node.js ${node}.\n`), said)
    assert.match(said, /\n {2}npm i node@24\n {2}export PATH="\$PWD\/node_modules\/\.bin:\$PATH"\n$/)
  }
})
