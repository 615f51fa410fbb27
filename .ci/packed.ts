/**
 * Packs every public package, installs the archives into an empty folder and uses each from there: the command serves a
 * world, the server answers through `fetch`, the client reads it, and the store suite judges an engine. No source of the
 * repository is used.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'worldwright-packed-'))

const PROGRAM = `
import { createMemoryStore } from '@worldwright/core/store'
import { createWorld, toFetch } from '@worldwright/core'
import { connect } from '@worldwright/client'
const storage = createMemoryStore()
await storage.write([{ put: { type: 'sol:moon', id: 'europa', title: 'Europa', attributes: {} } }])
const description = { id: 'urn:example:sol', types: [{ type: 'sol:moon' }] }
const handler = createWorld({ ...description, store: storage, publicUrl: 'https://sol.example' })
const inside = await connect('https://sol.example', { fetch: toFetch(handler) })
const europa = await inside.get('sol:moon', 'europa')
const outside = await connect(process.argv[2])
const found = await outside.discover({ text: 'europa', limit: 1 })
if (europa.title !== 'Europa' || found.entities[0].id !== 'europa') throw new Error('read something else')
console.log('packed: client and server answer')
`

/** Test file from which the author of an engine starts. */
const ENGINE_TEST = `
import { createMemoryStore } from '@worldwright/core/store'
import { describeStore } from '@worldwright/core/store/suite'
import { memorySearch } from '@worldwright/search/entities'
describeStore('an engine', ({ now }) => createMemoryStore({ now, search: memorySearch }))
`

/** Packages whose entries are all imported. */
const NAMES = [
  'core',
  'node',
  'search',
  'entities',
  'sqlite',
  'postgres',
  'opensearch',
  'engines',
  'semantic',
  'extensions',
  'publish',
  'serve',
].map((name) => `@worldwright/${name}`)

/** Imports every entry of these packages. */
const ENTRIES = `
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
for (const name of ${JSON.stringify(NAMES)}) {
  const { exports } = require('./node_modules/' + name + '/package.json')
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target === 'object') await import(name + entry.slice(1))
    else require(name + entry.slice(1))
  }
  console.log('packed: ' + Object.keys(exports).length + ' entries of ' + name + ' are there')
}
`

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

async function main(): Promise<void> {
  run('npm', ['pack', '--workspaces', '--pack-destination', folder], root)
  const archives = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }')
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', ...archives.map((name) => `./${name}`)],
    folder,
  )
  writeFileSync(join(folder, 'program.js'), PROGRAM)
  writeFileSync(join(folder, 'entries.js'), ENTRIES)
  writeFileSync(join(folder, 'engine.test.js'), ENGINE_TEST)
  process.stdout.write(run(process.execPath, [join(folder, 'entries.js')], folder))
  run(process.execPath, ['--test', join(folder, 'engine.test.js')], folder)
  process.stdout.write('packed: the storage suite judges an engine\n')

  const environment = { ...process.env, NODE_OPTIONS: '' }
  const bin = join(folder, 'node_modules/worldwright', readBin())
  const served = spawn(
    process.execPath,
    [bin, 'serve', join(root, 'examples/solar-system'), '--store', 'sqlite:sol.db', '--port', '0'],
    {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'inherit', 'pipe'],
    },
  )
  try {
    const origin = await originOf(served.stderr)
    process.stdout.write(run(process.execPath, [join(folder, 'program.js'), origin], folder))
    process.stdout.write(`packed: the page and ${await assetsOf(origin)} files of it are there\n`)
    const version = run('npx', ['--no-install', 'worldwright', '--version'], folder).trim()
    process.stdout.write(`packed: world ${version} serves and reads\n`)
  } finally {
    served.kill('SIGTERM')
    await once(served, 'exit')
  }
}

/** Requests the explorer and every file that its page names. Returns the number of files. */
async function assetsOf(origin: string): Promise<number> {
  const page = await fetch(origin, { headers: { accept: 'text/html' } })
  const named = [...(await page.text()).matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg))"/g)]
  if (!page.ok || named.length === 0) throw new Error('the packed command serves no page')
  for (const [, path = ''] of named) {
    const asset = await fetch(new URL(path, page.url))
    if (!asset.ok || (await asset.bytes()).length === 0) throw new Error(`${path} is missing`)
  }
  return named.length
}

function readBin(): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/worldwright/package.json'), 'utf8'))
  return manifest.bin.world
}

async function originOf(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const origin = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(line)?.[0]
    if (origin !== undefined) {
      stderr.resume()
      return origin
    }
  }
  throw new Error('the packed command ended before it listened')
}

try {
  await main()
} finally {
  rmSync(folder, { recursive: true })
}
