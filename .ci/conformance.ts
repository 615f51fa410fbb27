/**
 * Judges this repository's own server and client with the conformance kit: the demo world, the real data if it is beside
 * the checkout, and the command line as a client. Each must pass every check.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'worldwright-conformance-'))
const WORLD = ['--conditions=@worldwright/source', join(root, 'packages/cli/src/main.ts')]
const REAL = join(root, '../shared/data/entities/exoplanets.ndjson')

async function world(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...WORLD, ...args], {
    maxBuffer: 1e8,
    cwd: root,
  })
  return stdout
}

/** Serves a store or a folder while `use` works with its origin. */
async function served<T>(args: readonly string[], use: (origin: string) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, [...WORLD, 'serve', ...args, '--port', '0'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    for await (const line of createInterface({ input: child.stderr })) {
      const origin = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(line)?.[0]
      if (origin === undefined) continue
      child.stderr.resume()
      return await use(origin)
    }
    throw new Error('world serve ended before it listened')
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
}

/** Runs one check to its end and prints its counts, or the full report of a failure. */
async function judged(name: string, ...args: readonly string[]): Promise<void> {
  try {
    const report = (await world('check', ...args)).trimEnd()
    process.stdout.write(`${name}: ${/^\d+ passed.*/m.exec(report)?.[0]}\n`)
  } catch (error) {
    process.stdout.write(`${name}:\n${(error as { stdout?: string }).stdout ?? ''}\n`)
    throw error
  }
}

const store = (name: string) => `sqlite:${join(folder, `${name}.db`)}`
try {
  const demo = served(['examples/solar-system', '--store', store('sol')], (origin) =>
    judged('demo world', origin),
  )
  const real = existsSync(REAL)
    ? world('import', REAL, '--store', store('real')).then(() =>
        served(['--store', store('real')], (origin) => judged('real data', origin)),
      )
    : Promise.resolve(process.stdout.write('real data: not beside this checkout, not judged\n'))
  const client = judged('client', '--client', [process.execPath, ...WORLD].join(' '))
  await Promise.all([demo, real, client])
} finally {
  rmSync(folder, { recursive: true })
}
