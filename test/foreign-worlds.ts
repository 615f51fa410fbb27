/** Starts the worlds of `examples/worlds` on free ports. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'

const WORLDS = resolve(import.meta.dirname, '../examples/worlds')
const NGINX_MODULE = '/usr/lib/nginx/modules/ngx_http_js_module.so'

/** A foreign world: its requirements of the machine, and the contents that a client must find in it. */
export interface ForeignWorld {
  readonly name: 'python' | 'go' | 'java' | 'rust' | 'static'
  /** Commands and files that the machine must have. */
  readonly needs: readonly string[]
  /** Number of entities of each type. */
  readonly types: Readonly<Record<string, number>>
  /** Type, id and title of one entity. */
  readonly example: readonly [type: string, id: string, title: string]
}

/** The five worlds of `examples/worlds`, with their requirements and contents. */
export const FOREIGN_WORLDS: readonly ForeignWorld[] = [
  {
    name: 'python',
    needs: ['python3'],
    types: { 'fic:author': 12, 'fic:novel': 43 },
    example: ['fic:novel', '27', 'Moby-Dick'],
  },
  {
    name: 'go',
    needs: ['go'],
    types: { 'chem:element': 118, 'chem:period': 7 },
    example: ['chem:element', 'Au', 'Gold'],
  },
  {
    name: 'java',
    needs: ['javac', 'java'],
    types: { 'hydro:river': 36, 'hydro:sea': 20 },
    example: ['hydro:river', 'rhône', 'Rhône'],
  },
  {
    name: 'rust',
    needs: ['rustc'],
    types: { 'astro:constellation': 88, 'astro:star': 20 },
    example: ['astro:star', 'vega', 'Vega'],
  },
  {
    name: 'static',
    needs: ['nginx', NGINX_MODULE],
    types: { 'si:prefix': 24, 'si:unit': 29 },
    example: ['si:unit', 'Ω', 'ohm'],
  },
]

/** Returns the first requirement that the machine lacks, or undefined if it has all of them. */
export function missing({ needs }: ForeignWorld): string | undefined {
  return needs.find((need) => (need.startsWith('/') ? !existsSync(need) : !isCommand(need)))
}

/** A running world. `stop` ends its process and removes its build folder. */
export interface RunningWorld {
  readonly origin: string
  stop(): Promise<void>
}

/** Builds a world in a temporary folder and starts it. Resolves once it answers. */
export async function startForeignWorld({ name }: ForeignWorld): Promise<RunningWorld> {
  const folder = mkdtempSync(join(tmpdir(), `worldwright-${name}-`))
  const { command, origin } = await built(name, folder)
  const child = spawn(command[0] as string, command.slice(1), {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    await ended(child)
    rmSync(folder, { recursive: true })
  }
  try {
    return { origin: origin ?? (await firstLine(child)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Start {
  readonly command: readonly string[]
  readonly origin?: string
}

/** Builds a world. Returns the command that starts it, and its origin if the world does not print the origin itself. */
async function built(name: ForeignWorld['name'], folder: string): Promise<Start> {
  const source = join(WORLDS, name)
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  switch (name) {
    case 'python':
      return { command: ['python3', '-B', join(source, 'novels.py'), '0'] }
    case 'go':
      run('go', 'build', '-o', join(folder, 'elements'), join(source, 'main.go'))
      return { command: [join(folder, 'elements'), '0'] }
    case 'java':
      run('javac', '-d', folder, join(source, 'Rivers.java'))
      return { command: ['java', '-Xshare:auto', '-cp', folder, 'Rivers', '0'] }
    case 'rust':
      run('rustc', '-o', join(folder, 'stars'), join(source, 'stars.rs'))
      return { command: [join(folder, 'stars'), '0'] }
    case 'static':
      return staticWorld(source, folder)
  }
}

/** Prepares a world of files for nginx. Chooses the port in advance, because the files must contain it. */
async function staticWorld(source: string, folder: string): Promise<Start> {
  const port = await freePort()
  cpSync(source, folder, { recursive: true })
  mkdirSync(join(folder, 'tmp'))
  for (const file of ['nginx.conf', 'files/.well-known/world.json']) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`))
  }
  const origin = `http://127.0.0.1:${port}`
  const command = ['nginx', '-p', folder, '-c', 'nginx.conf']
  // The workers of nginx drop root privileges, but must still be able to read the files.
  execFileSync('chmod', ['-R', 'a+rX', folder])
  return { command, origin }
}

/** Waits until a world answers. nginx does not report when it is ready. */
export async function answering(origin: string): Promise<void> {
  for (let attempt = 0; attempt < 1_500; attempt++) {
    const response = await fetch(`${origin}/.well-known/world.json`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resume) => setTimeout(resume, 20))
  }
  throw new Error(`${origin} does not answer`)
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the world has no output')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('the world ended before it printed its origin')
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Reports whether a command is on the PATH. */
export function isCommand(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0
}
