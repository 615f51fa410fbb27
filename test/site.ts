/** Serves a world exported as files, either by nginx as the guide configures it or by a plain file server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { runWith } from '../packages/cli/src/memory-io.fixture.ts'
import type { Lifetime } from './command.ts'
import { answering } from './foreign-worlds.ts'
import { freePort } from './free-port.ts'
import { ROOT } from './source-files.ts'

/** A site that nginx serves, and its folder. */
export interface RunningSite {
  readonly origin: string
  /** Absolute path of the folder that contains the definition, the store and, in `public`, the site. */
  readonly folder: string
  /** Exports the current contents of the store to the site again. Returns the output of the command. */
  export(): Promise<string>
}

/** Loads files into a store, exports the store as a site, and serves the site until the end of `lifetime`. */
export async function serveSite(
  lifetime: Lifetime,
  files: Readonly<Record<string, string>>,
): Promise<RunningSite> {
  const folder = await mkdtemp(join(tmpdir(), 'world-site-'))
  lifetime.after(() => rm(folder, { recursive: true }))
  // The workers of nginx drop root privileges, but must still be able to read the files.
  await chmod(folder, 0o755)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const data = Object.keys(files).filter((name) => name.endsWith('.ndjson'))
  await said(['import', ...data], folder)
  const exported = () => said(['export', '--site', 'public', '--public-url', origin], folder)
  await exported()
  await startNginx(lifetime, folder, port)
  await answering(origin)
  return { origin, folder, export: exported }
}

/** A response that the plain file server sent. */
export interface PlainAnswer {
  readonly path: string
  readonly status: number
  /** Length of the body, in bytes. */
  readonly bytes: number
}

/**
 * Starts a file server that knows nothing of worlds: a path leads to a file, or to a folder with an `index.html`. With
 * `ranges`, it serves single ranges (RFC 9110, section 14). `answered` is called for every file that it sends.
 */
export async function plainHost(
  lifetime: Lifetime,
  root: string,
  port: number,
  { ranges = false, answered }: { ranges?: boolean; answered?: (answer: PlainAnswer) => void } = {},
): Promise<void> {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://files').pathname)
    try {
      const file = join(root, path.endsWith('/') ? `${path}index.html` : path)
      const whole = await readFile(file)
      const [, first, last] = (ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')) || []
      const body = first === undefined ? whole : whole.subarray(Number(first), Number(last) + 1)
      const status = first === undefined ? 200 : body.length > 0 ? 206 : 416
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream')
      if (status === 206)
        response.setHeader(
          'content-range',
          `bytes ${first}-${Number(first) + body.length - 1}/${whole.length}`,
        )
      if (status === 416) response.setHeader('content-range', `bytes */${whole.length}`)
      answered?.({ path, status, bytes: body.length })
      response.writeHead(status).end(body)
    } catch {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>There is no such file.</h1>')
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  lifetime.after(async () => {
    server.closeAllConnections()
    server.close()
  })
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

async function said(argv: readonly string[], cwd: string): Promise<string> {
  const { code, err } = await runWith(argv, { cwd })
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${err}`)
  return err
}

async function startNginx(lifetime: Lifetime, folder: string, port: number): Promise<void> {
  const guide = await readFile(join(ROOT, 'docs/guides/publish-as-files.md'), 'utf8')
  const block = /^```nginx\n(.*?)^```/ms.exec(guide)?.[1] ?? ''
  const server = block
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('/var/www/sol', join(folder, 'public'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path tmp;`,
  )
  const around = `daemon off; error_log stderr alert; pid nginx.pid; events {}\nhttp { access_log off; ${temporary.join(' ')}\n`
  await mkdir(join(folder, 'tmp'))
  await writeFile(join(folder, 'nginx.conf'), `${around}${server}\n}\n`)
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf'], { stdio: ['ignore', 'ignore', 'inherit'] })
  lifetime.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
}
