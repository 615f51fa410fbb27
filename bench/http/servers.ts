/** Servers under measurement: processes pinned to cores, with resource usage as reported by the system. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onCores } from './cores.ts'

/** Process that belongs to a server. */
export interface Process {
  readonly pid: number
  /** Name of the program file, without its extension. */
  readonly program: string
  /** Resident memory, in bytes. */
  readonly resident: number
}

/** Server that runs in its own process. */
export interface Server {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** Processor time used so far, in seconds, including child processes. */
  cpuSeconds(): number
  /** Current processes of the server, with the parent first. */
  processes(): Process[]
  stop(): Promise<void>
}

/** Absolute path of the repository's root folder. */
export const ROOT = resolve(import.meta.dirname, '../..')
const SOURCE = '--conditions=@worldwright/source'

/** Starts a program of this folder with its argument, pinned to a core. */
export async function startFixed(
  name: string,
  file: string,
  argument: string,
  core: string,
): Promise<Server> {
  return start(name, [join(import.meta.dirname, file), argument], core, 'stdout', /listening (\d+)/)
}

/** Matches the line that `world serve` prints once all its workers serve. It prints none with `--workers 1`. */
export const WORKERS_READY = /Workers ready:/

/** Starts `world serve` on a store in a file, pinned to cores (see `startServe`). */
export function startWorld(
  name: string,
  store: string,
  cores: string,
  flags: readonly string[],
  ready?: RegExp,
): Promise<Server> {
  return startServe(name, dirname(store), `sqlite:${store}`, cores, flags, ready)
}

/** Starts `world serve FOLDER`, pinned to cores. Resolves once it has printed its address and, if given, `ready`. */
export async function startServe(
  name: string,
  folder: string,
  store: string,
  cores: string,
  flags: readonly string[],
  ready?: RegExp,
): Promise<Server> {
  const main = join(ROOT, 'packages/cli/src/main.ts')
  const quiet = flags.includes('--access-log') ? [] : ['--no-access-log']
  const args = [main, 'serve', folder, '--store', store, '--port', '0', ...quiet, ...flags]
  return start(name, args, cores, 'stderr', /http:\/\/127\.0\.0\.1:(\d+)/, ready)
}

/** Starts a replica of a world, pinned to a core. Resolves once the replica has caught up with its upstream. */
export async function startReplica(
  name: string,
  upstream: Server,
  store: string,
  core: string,
): Promise<Server> {
  const main = join(ROOT, 'packages/cli/src/main.ts')
  const origin = `http://127.0.0.1:${upstream.port}`
  const args = [main, 'serve', '--follow', origin, '--store', `sqlite:${store}`, '--port', '0']
  const flags = ['--workers', '1', '--no-access-log']
  // The address of the upstream is printed first.
  const own = new RegExp(`http://127\\.0\\.0\\.1:(?!${upstream.port}\\b)(\\d+)`)
  return start(name, [...args, ...flags], core, 'stderr', own, /Caught up/)
}

/**
 * Starts nginx with a single process that answers every request with the file `body` and these header fields: an upper bound
 * for any server. Returns nginx without and with an access log, or undefined if it is not installed.
 */
export async function startNginx(
  folder: string,
  headers: Readonly<Record<string, string>>,
  core: string,
): Promise<{ quiet: Server; logged: Server } | undefined> {
  const port = 18_000 + (process.pid % 1_000)
  const { 'content-type': type, 'content-length': _, ...fields } = headers
  const added = Object.entries({ ...fields, 'Last-Modified': '' })
  const site = (at: number, log: string) => `server { listen 127.0.0.1:${at} backlog=511; access_log ${log};
    location / { root ${folder}; try_files /body =404; } }`
  const config = `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr emerg;
events { worker_connections 4096; }
http { sendfile on; keepalive_timeout 65s 65s; keepalive_requests 1000000000; server_tokens off;
  etag off; max_ranges 0; default_type ${type}; open_file_cache max=100;
  ${added.map(([name, value]) => `add_header ${name} ${JSON.stringify(value)};`).join('\n  ')}
  client_body_temp_path ${folder}/body_temp; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  ${site(port, 'off')}
  ${site(port + 1_000, `${folder}/access.log`)} }`
  // nginx drops root privileges, but must still be able to read the file.
  chmodSync(folder, 0o755)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, config)
  const child = spawn(...onCores(core, ['nginx', '-p', folder, '-c', file]), { stdio: 'inherit' })
  const failed = await Promise.race([
    once(child, 'exit').then(
      () => true,
      () => true,
    ),
    answers(port).then(() => false),
  ])
  if (failed) return undefined
  return {
    quiet: serverOf('nginx', port, child),
    logged: serverOf('nginx with its log', port + 1_000, child),
  }
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
  cores: string,
  stream: 'stdout' | 'stderr',
  address: RegExp,
  ready = address,
): Promise<Server> {
  const child = spawn(...onCores(cores, [process.execPath, SOURCE, ...args]), {
    stdio: ['ignore', stream === 'stdout' ? 'pipe' : 'ignore', stream === 'stderr' ? 'pipe' : 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const output = child[stream]
  const said: string[] = []
  for await (const line of createInterface({ input: output as NodeJS.ReadableStream })) {
    said.push(line)
    const text = said.join('\n')
    const port = address.exec(text)?.[1]
    if (port !== undefined && ready.test(text)) {
      // Show errors that occur during the measurement, unless the output is an access log.
      if (args.includes('--access-log')) output?.resume()
      else output?.pipe(process.stderr, { end: false })
      return serverOf(name, Number(port), child)
    }
  }
  throw new Error(`${name} ended before it listened:\n${said.join('\n')}`)
}

/** Children to kill when the benchmark exits, even if it exits early because a part has failed. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})

function serverOf(name: string, port: number, child: ChildProcess): Server {
  running.add(child)
  child.once('exit', () => running.delete(child))
  const pid = child.pid ?? 0
  return {
    name,
    port,
    pid,
    cpuSeconds: () => family(pid).reduce((sum, member) => sum + cpuOf(member), 0),
    processes: () =>
      family(pid).map((member) => ({
        pid: member,
        program: programOf(member),
        resident: residentOf(member),
      })),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Returns the ids of a process and all its descendants. */
function family(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(family)]
}

/** Returns the thread ids of a process, or an empty array if the process has exited. */
function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/**
 * Returns the processor time in seconds from the scheduler's nanosecond counter, because `/proc/PID/stat` counts in ticks of
 * 10 ms. The count of a thread or process is lost when it ends, but Node.js keeps its threads, and no process ends under a
 * measured load.
 */
function cpuOf(pid: number): number {
  const nanoseconds = tasksOf(pid).map((task) => {
    const [count = ''] = read(`/proc/${pid}/task/${task}/schedstat`).split(' ')
    return Number(count)
  })
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9
}

function programOf(pid: number): string {
  return /([^/\0]+)\.[jt]s\0/.exec(read(`/proc/${pid}/cmdline`))?.[1] ?? ''
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
