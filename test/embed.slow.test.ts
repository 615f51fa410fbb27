/** Runs the conformance kit and concurrent calls against the world of `examples/embed` in every environment. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { checkServer } from '@worldwright/conformance'
import { build } from 'esbuild'
import { answering } from './foreign-worlds.ts'
import { freePort } from './free-port.ts'
import { reasonToSkip } from './missing.ts'
import { ROOT } from './source-files.ts'

const FOLDER = join(ROOT, 'examples/embed')
const MODULES = join(FOLDER, 'node_modules')
const RUNTIMES = join(ROOT, 'node_modules/.bin')
/** Maximum number of lines of code that an environment may need. */
const MAX_LINES = 15
/** Number of concurrent calls of the action. */
const CALLS = 256

const NEXT = [process.execPath, join(MODULES, 'next/dist/bin/next')] as const
const WORKERD = ['serve', 'workers/workerd.capnp', '--socket-addr']

/** A runtime or framework, its file, and the command that starts it. */
interface Environment {
  readonly name: string
  readonly file: string
  readonly needs: string
  readonly command: (port: number) => readonly string[]
}

const onNode = (name: string, file: string, needs: string): Environment => ({
  name,
  file,
  needs: join(MODULES, needs),
  command: () => [process.execPath, file],
})

const ENVIRONMENTS: readonly Environment[] = [
  onNode('Node.js', 'node.js', ''),
  onNode('Express', 'express.js', 'express'),
  onNode('Fastify', 'fastify.js', 'fastify'),
  onNode('Hono', 'hono.js', '@hono/node-server'),
  {
    name: 'Next.js',
    file: 'next/app/[[...path]]/route.js',
    needs: NEXT[1],
    command: (port) => [...NEXT, 'start', 'next', '-H', '127.0.0.1', '-p', String(port)],
  },
  {
    name: 'Bun',
    file: 'bun.js',
    needs: join(RUNTIMES, 'bun'),
    command: () => [join(RUNTIMES, 'bun'), 'bun.js'],
  },
  {
    name: 'Deno',
    file: 'deno.js',
    needs: join(RUNTIMES, 'deno'),
    command: () => [
      join(RUNTIMES, 'deno'),
      'run',
      '--no-prompt',
      '--allow-net=127.0.0.1',
      '--allow-env',
      'deno.js',
    ],
  },
  {
    name: 'workerd',
    file: 'workers/worker.js',
    needs: join(MODULES, '.bin/workerd'),
    command: (port) => [join(MODULES, '.bin/workerd'), ...WORKERD, `http=127.0.0.1:${port}`],
  },
]

/** Rows of the table in the README: a check, and the environments in which it fails. */
const EXCEPTIONS = [
  ...readFileSync(join(FOLDER, 'README.md'), 'utf8').matchAll(/^\| `(\S+\.[a-z])` \| (.+?) \|/gm),
].map(([, check = '', names = '']) => ({ check, names: names.split(', ') }))

const env = { ...process.env, NODE_OPTIONS: '', NEXT_TELEMETRY_DISABLED: '1' }
const run = promisify(execFile)

test('the table of exceptions names only environments that exist', () => {
  const known = new Set(ENVIRONMENTS.map(({ name }) => name))
  assert.ok(EXCEPTIONS.length > 0)
  for (const { check, names } of EXCEPTIONS)
    assert.deepEqual([check, names.filter((name) => !known.has(name))], [check, []])
})

for (const { name, file } of ENVIRONMENTS)
  test(`${name} needs at most ${MAX_LINES} lines of code`, () => {
    const lines = readFileSync(join(FOLDER, file), 'utf8').split('\n')
    const code = lines.filter((line) => !/^\s*(?:$|\/\*\*|\*|\/\/)/.test(line))
    assert.ok(code.length > 3 && code.length <= MAX_LINES, `${code.length} lines`)
  })

const areInstalled = existsSync(MODULES)
const missing = reasonToSkip(areInstalled, 'frameworks of examples/embed')

describe('an embedded world', { concurrency: true }, () => {
  if (areInstalled) before(builtAll)

  for (const { name, needs, command } of ENVIRONMENTS) {
    const skip = missing ?? reasonToSkip(existsSync(needs), name)
    test(`in ${name} fails only the listed checks, and calls see their own context`, { skip }, async (t) => {
      const { origin, stop } = await started(command)
      t.after(stop)
      await callTogether(origin)
      const results = await Array.fromAsync(checkServer(origin))
      const failed = results.filter(({ outcome }) => outcome === 'fail')
      const reasons = failed.map(({ id, reason }) => `${id}: ${reason}`).join('\n')
      const listed = EXCEPTIONS.filter(({ names }) => names.includes(name)).map(({ check }) => check)
      assert.deepEqual(failed.map(({ id }) => id).sort(), listed.sort(), reasons)
      assert.ok(results.filter(({ outcome }) => outcome === 'pass').length > 200)
    })
  }
})

/** Builds the packages, the worker and the Next.js app. */
async function builtAll(): Promise<void> {
  await run(join(RUNTIMES, 'tsc'), ['-b', 'packages/node/tsconfig.build.json'], { cwd: ROOT, env })
  const worker = { entryPoints: ['workers/worker.js'], outfile: 'workers/dist/worker.js' }
  await build({ ...worker, absWorkingDir: FOLDER, bundle: true, format: 'esm', external: ['node:*'] })
  await run(NEXT[0], [NEXT[1], 'build', 'next'], { cwd: FOLDER, env })
}

/** Calls the action for many users at the same time. Each call must see the context of its own user. */
async function callTogether(origin: string): Promise<void> {
  const users = Array.from({ length: CALLS }, (_, at) => `user-${at}`)
  const begun = Promise.withResolvers<void>()
  let count = 0
  const others = () => {
    count += 1
    if (count === CALLS) begun.resolve()
    return begun.promise
  }
  assert.deepEqual(await Promise.all(users.map((user) => whoami(origin, user, others))), users)
}

/** Calls the action as `user`, with a body whose second half is sent when `others` have begun. Returns the output. */
async function whoami(origin: string, user: string, others: () => Promise<void>): Promise<unknown> {
  const body = ReadableStream.from(
    (async function* () {
      yield Buffer.from('{"input"')
      await others()
      yield Buffer.from(':{}}')
    })(),
  )
  const response = await fetch(`${origin}/api/world/v0/actions/sol:whoami`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', user },
    body,
    duplex: 'half',
  })
  const { output } = (await response.json()) as { output: unknown }
  return output
}

/** A process that answers at its origin until it is stopped. */
interface Started {
  readonly origin: string
  stop(): Promise<void>
}

/** Starts a command on a free port, and waits until the world answers. */
async function started(command: Environment['command']): Promise<Started> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const [program = '', ...args] = command(port)
  // Some commands start their runtime as a child process. Killing the process group ends both.
  const child = spawn(program, args, {
    cwd: FOLDER,
    env: { ...env, ORIGIN: origin },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const printed = text(child.stderr)
  const stop = () => ended(child)
  try {
    await answering(origin)
    return { origin, stop }
  } catch (cause) {
    await stop()
    throw new Error(await printed, { cause })
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  process.kill(-child.pid, 'SIGKILL')
  await once(child, 'exit')
}
