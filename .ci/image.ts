/**
 * Runs the steps of the image without a container engine: its build stage, in a copy of the build context, and then its
 * command as its user, over files that this user cannot write, with its health check.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'image-'))
// The image's folders, which are below the temporary folder here.
const FOLDERS = ['/opt/world', '/packs', '/data', '/world', '/src']
const PORTS = { '8080': '18080', '9464': '19464' }
const WITHIN_MS = 60_000

function here(text: string): string {
  const paths = FOLDERS.reduce(
    (said, path) => said.replaceAll(new RegExp(`(?<![\\w./-])${path}(?![\\w-])`, 'g'), folder + path),
    text,
  )
  return Object.entries(PORTS).reduce((said, [port, ours]) => said.replaceAll(port, ours), paths)
}

/** Returns the instructions of each stage: name and text. */
function stages(): (readonly [name: string, text: string])[][] {
  const joined = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').replace(/\\\n\s*/g, '')
  const all = [...joined.matchAll(/^([A-Z]+) (.*)$/gm)].map(
    ([, name = '', text = '']) => [name, text] as const,
  )
  const found: (readonly [string, string])[][] = []
  for (const instruction of all) {
    if (instruction[0] === 'FROM') found.push([])
    found.at(-1)?.push(instruction)
  }
  return found
}

/** Copies the build context of the image: the files tracked by Git. */
function copySources(): void {
  const names = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  for (const name of names.filter(Boolean)) {
    mkdirSync(dirname(join(folder, 'src', name)), { recursive: true })
    cpSync(join(root, name), join(folder, 'src', name))
  }
}

function build(instructions: readonly (readonly [string, string])[]): void {
  for (const [name, text] of instructions) {
    if (name !== 'RUN') continue
    process.stdout.write(`image: ${text}\n`)
    execFileSync('sh', ['-c', here(text)], {
      cwd: join(folder, 'src'),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
}

async function run(instructions: readonly (readonly [string, string])[]): Promise<void> {
  const said = new Map(instructions)
  const [uid = 0, gid = 0] = (said.get('USER') ?? '').split(':').map(Number)
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid, gid } : {}
  chmodSync(folder, 0o755)
  cpSync(join(root, 'examples/solar-system'), join(folder, 'world'), { recursive: true })
  if (isRoot) chownSync(join(folder, 'data'), uid, gid)
  const env = {
    PATH: process.env['PATH'],
    ...Object.fromEntries(
      [...here(said.get('ENV') ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    ),
    WORLD_PUBLIC_URL: 'https://world.example',
  }
  const list = (name: string): string[] => JSON.parse(here(said.get(name) ?? ''))
  const [command = '', ...argv] = [...list('ENTRYPOINT'), ...list('CMD')]
  const world = spawn(command, argv, {
    ...user,
    env,
    cwd: join(folder, 'world'),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(world, 'exit')
  try {
    const check: string[] = JSON.parse(here(/CMD (\[.*\])/.exec(said.get('HEALTHCHECK') ?? '')?.[1] ?? '[]'))
    await until(() => spawnSync(check[0] ?? '', check.slice(1), { env }).status === 0)
    const document = await fetch(`http://127.0.0.1:${PORTS[8080]}/.well-known/world.json`)
    const { endpoints } = (await document.json()) as { endpoints: { api: string } }
    if (!endpoints.api.startsWith('https://world.example/')) throw new Error(`the API is at ${endpoints.api}`)
    process.stdout.write('image: the world is well, and is served\n')
  } finally {
    world.kill('SIGTERM')
    await ended
  }
  if (world.exitCode !== 0) throw new Error(`the world ended with ${world.exitCode ?? world.signalCode}`)
}

async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + WITHIN_MS; !isSo(); await pause(500)) {
    if (performance.now() > end) throw new Error('the health check fails')
  }
}

try {
  const [first = [], last = []] = stages()
  copySources()
  build(first)
  await run(last)
} finally {
  rmSync(folder, { recursive: true })
}
