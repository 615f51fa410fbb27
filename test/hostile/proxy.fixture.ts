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

/** A proxy the guide describes, and how to run it on its configuration. */
interface Proxy {
  /** The file with the configuration. Absent: the guide's code block in the language of its name. */
  readonly file?: string
  /** A whole configuration around it. */
  readonly whole: (block: string, folder: string) => string
  /** Its own listening line. */
  readonly listens: readonly [string, (port: number) => string]
  /** Address at which it expects the world; default `127.0.0.1:8080`. */
  readonly upstream?: string
  readonly args: (file: string, folder: string) => readonly string[]
}

/** The proxies that the guide has a configuration for, by the name of their program. */
export const PROXIES: Readonly<Record<'nginx' | 'caddy' | 'haproxy', Proxy>> = {
  nginx: {
    file: 'deploy/proxy/nginx.conf',
    whole: (block, folder) =>
      `daemon off; master_process off; error_log stderr; pid ${folder}/pid; events {} http { access_log off;\n` +
      ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};\n`)
        .join('') +
      `${block}}\n`,
    listens: ['listen 80;', (port) => `listen 127.0.0.1:${port};`],
    args: (file, folder) => ['-p', folder, '-e', 'stderr', '-c', file],
  },
  caddy: {
    file: 'deploy/proxy/Caddyfile',
    whole: (block, folder) =>
      block.replace(/^\{$/m, `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tstorage file_system ${folder}`),
    listens: ['{$WORLD_DOMAIN}', (port) => `http://:${port}`],
    upstream: '{$WORLD_UPSTREAM:127.0.0.1:8080}',
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
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
 * is reported as skipped, and false comes back; under `CI=true` that is a failure. `changed` makes something else of its
 * configuration.
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
  const { whole, listens, upstream = '127.0.0.1:8080', args } = PROXIES[name]
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-'))
  const file = join(folder, 'configuration')
  const [line, instead] = listens
  const block = exchanged(exchanged(blockOf(name), line, instead(port)), upstream, `127.0.0.1:${worldPort}`)
  writeFileSync(file, whole(changed(block), folder))
  const child = spawn(name, args(file, folder), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, XDG_CONFIG_HOME: folder },
  })
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

/** The file of a proxy, or the guide's code block. */
function blockOf(language: keyof typeof PROXIES): string {
  const { file } = PROXIES[language]
  if (file !== undefined) return readFileSync(join(ROOT, file), 'utf8')
  const guide = readFileSync(join(ROOT, 'docs/guides/behind-a-proxy.md'), 'utf8')
  const block = guide.split(`\`\`\`${language}\n`)[1]?.split('```')[0]
  assert.ok(block !== undefined, `the guide has no block for ${language}`)
  return block
}

/** What the guide fixes and a test must not, exchanged where it stands, and only if it stands there once. */
function exchanged(block: string, fixed: string, free: string): string {
  assert.equal(block.split(fixed).length, 2, `${fixed} stands not once in the configuration`)
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
