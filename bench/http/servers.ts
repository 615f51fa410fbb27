/** The servers under measurement: processes pinned to their core, and what the system says they used. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

/** A running server. */
export interface Server {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** Seconds of processor time so far, children included. */
  cpuSeconds(): number
  /** Bytes resident now, of each process. */
  residentBytes(): number[]
  /** A signal to the process itself. */
  kill(signal: NodeJS.Signals): void
  stop(): Promise<void>
}

/** The repository's root folder. */
export const ROOT = resolve(import.meta.dirname, '../..')
const SOURCE = '--conditions=@worldwright/source'
/** Clock ticks in a second, as /proc counts them on every Linux Node runs on. */
const TICKS = 100

/** Starts a program of this folder, pinned to a core, with its fixed answer in a file. */
export async function startFixed(
  name: string,
  file: string,
  answerFile: string,
  core: string,
): Promise<Server> {
  return start(name, [join(import.meta.dirname, file), answerFile], core, /listening (\d+)/, 'stdout')
}

/** Starts `world serve` on a store. */
export async function startWorld(name: string, args: readonly string[], core: string): Promise<Server> {
  const main = join(ROOT, 'packages/cli/src/main.ts')
  return start(name, [main, 'serve', ...args, '--port', '0'], core, /http:\/\/127\.0\.0\.1:(\d+)/, 'stderr')
}

/** Starts nginx serving files of a folder, as the limit of what a server can do. Undefined where it is not installed. */
export async function startNginx(folder: string, core: string): Promise<Server | undefined> {
  const port = 18_000 + (process.pid % 1_000)
  const config = `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr emerg;
events { worker_connections 1024; }
http { access_log off; sendfile on; keepalive_requests 1000000; default_type application/json;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  open_file_cache max=100;
  server { listen 127.0.0.1:${port}; location / { root ${folder}; try_files /entity.json =404; } } }`
  // nginx gives up root's rights, and must still read the file.
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'nginx.conf'), config)
  const child = spawn('taskset', ['-c', core, 'nginx', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: 'inherit',
  })
  const failed = await Promise.race([
    once(child, 'exit').then(
      () => true,
      () => true,
    ),
    answers(port).then(() => false),
  ])
  return failed ? undefined : serverOf('nginx, a file', port, child)
}

async function answers(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (response !== undefined) return
    await new Promise((wake) => setTimeout(wake, 20))
  }
}

async function start(
  name: string,
  args: readonly string[],
  core: string,
  pattern: RegExp,
  stream: 'stdout' | 'stderr',
): Promise<Server> {
  const child = spawn('taskset', ['-c', core, process.execPath, SOURCE, ...args], {
    stdio: ['ignore', stream === 'stdout' ? 'pipe' : 'ignore', stream === 'stderr' ? 'pipe' : 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const output = child[stream]
  const said: string[] = []
  for await (const line of createInterface({ input: output as NodeJS.ReadableStream })) {
    said.push(line)
    const port = pattern.exec(line)?.[1]
    if (port !== undefined) {
      output?.resume()
      return serverOf(name, Number(port), child)
    }
  }
  throw new Error(`${name} ended before it listened:\n${said.join('\n')}`)
}

function serverOf(name: string, port: number, child: ChildProcess): Server {
  const pid = child.pid ?? 0
  return {
    name,
    port,
    pid,
    cpuSeconds: () => family(pid).reduce((sum, member) => sum + cpuOf(member), 0),
    residentBytes: () => family(pid).map(residentOf),
    kill: (signal) => void child.kill(signal),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A process and all its descendants. */
function family(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(family)]
}

function cpuOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

function residentOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
