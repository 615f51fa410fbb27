/** Runs proxies on free ports with the configuration of the guide, until the end of a test. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { isPresentOrSkips } from '../missing.ts'
import { ROOT } from '../source-files.ts'

/** A proxy that the guide configures, and the way to run it. */
interface Proxy {
  /** Configuration file. Default: the code block in the guide whose language is the name of the proxy. */
  readonly file?: string
  /** Returns a complete configuration that includes the block. */
  readonly whole: (block: string, folder: string) => string
  /** Text in the configuration that sets the listening address, and its replacement for a given port. */
  readonly listens: readonly [string, (port: number) => string]
  /** Text in the configuration that gives the address of the world. Default: `127.0.0.1:8080`. */
  readonly upstream?: string
  readonly args: (file: string, folder: string) => readonly string[]
}

/** The proxies that the guide configures, by program name. */
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

/**
 * Starts a proxy on one port, in front of a world on another. Stops it after the test. If the proxy is not installed,
 * skips the test and returns false, or throws under `CI=true`. `changed` modifies the configuration.
 */
export async function startProxy(
  context: TestContext,
  name: keyof typeof PROXIES,
  port: number,
  worldPort: number,
  changed: (block: string) => string = (block) => block,
): Promise<boolean> {
  if (!isPresentOrSkips(context, spawnSync(name, ['-v']).error === undefined, name)) return false
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

/** Returns the configuration of a proxy, from its file or from the guide's code block. */
function blockOf(language: keyof typeof PROXIES): string {
  const { file } = PROXIES[language]
  if (file !== undefined) return readFileSync(join(ROOT, file), 'utf8')
  const guide = readFileSync(join(ROOT, 'docs/guides/behind-a-proxy.md'), 'utf8')
  const block = guide.split(`\`\`\`${language}\n`)[1]?.split('```')[0]
  assert.ok(block !== undefined, `the guide has no block for ${language}`)
  return block
}

/** Replaces `fixed`, which must occur exactly once in the configuration, with `free`. */
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
