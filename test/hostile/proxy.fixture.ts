/** Proxies as the guide sets them up: its own configuration, on free ports, started and ended by the test. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT } from '../source-files.ts'

/** A proxy the guide describes: the language of its code block, and how to run it on a configuration of ours. */
interface Proxy {
  /** A whole configuration around the guide's block. */
  readonly whole: (block: string, folder: string) => string
  /** The guide's own listening line. */
  readonly listens: readonly [string, (port: number) => string]
  readonly args: (file: string, folder: string) => readonly string[]
}

/** The proxies that the guide has a configuration for, by the name of their program and of their code block. */
export const PROXIES: Readonly<Record<'nginx' | 'haproxy', Proxy>> = {
  nginx: {
    whole: (block, folder) =>
      `daemon off; master_process off; error_log stderr; pid ${folder}/pid; events {} http { access_log off;\n` +
      ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};\n`)
        .join('') +
      `${block}}\n`,
    listens: ['listen 80;', (port) => `listen 127.0.0.1:${port};`],
    args: (file, folder) => ['-p', folder, '-e', 'stderr', '-c', file],
  },
  haproxy: {
    whole: (block) => `global\n    maxconn 200\n${block}`,
    listens: ['bind :80', (port) => `bind 127.0.0.1:${port}`],
    args: (file) => ['-db', '-f', file],
  },
}

/** A port nothing listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

/**
 * Starts a proxy on a port in front of a world on another, and ends it with the test. Where it is not installed the test
 * is reported as skipped, and false comes back; under `CI=true` that is a failure. `changed` makes something else of the
 * guide's block.
 */
export async function startProxy(
  context: TestContext,
  name: keyof typeof PROXIES,
  port: number,
  worldPort: number,
  changed: (block: string) => string = (block) => block,
): Promise<boolean> {
  if (spawnSync(name, ['-v']).error !== undefined) {
    if (process.env['CI'] === 'true') throw new Error(`${name} is not installed`)
    context.skip(`${name} is not installed`)
    return false
  }
  const { whole, listens, args } = PROXIES[name]
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-'))
  const file = join(folder, 'configuration')
  const [line, instead] = listens
  const block = exchanged(
    exchanged(blockOf(name), line, instead(port)),
    '127.0.0.1:8080',
    `127.0.0.1:${worldPort}`,
  )
  writeFileSync(file, whole(changed(block), folder))
  const child = spawn(name, args(file, folder), { stdio: ['ignore', 'ignore', 'pipe'] })
  const said = text(child.stderr)
  context.after(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true })
  })
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${await said}`)
    await wait(10)
  }
  return true
}

/** The guide's code block in a language. */
function blockOf(language: string): string {
  const guide = readFileSync(join(ROOT, 'docs/guides/behind-a-proxy.md'), 'utf8')
  const block = guide.split(`\`\`\`${language}\n`)[1]?.split('```')[0]
  assert.ok(block !== undefined, `the guide has no block for ${language}`)
  return block
}

/** What the guide fixes and a test must not, exchanged where it stands, and only if it stands there once. */
function exchanged(block: string, fixed: string, free: string): string {
  assert.equal(block.split(fixed).length, 2, `${fixed} stands not once in the guide's block`)
  return block.replace(fixed, () => free)
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
