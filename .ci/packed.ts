/**
 * Packs every public package as a release does, checks the archives, and installs them into an empty folder. From there it
 * uses each on the oldest version of Node.js that its manifest allows: a program embeds a world, the store suite tests an
 * engine, the command copies a store and serves a world, and the client reads it. Sources of the repository are not used.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pack } from './pack.ts'
import { checkFiles, installedBytes } from './packed-files.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'worldwright-packed-'))

/** Placeholder for the address of the repository in manifests and READMEs. A release passes the real one. */
const REPOSITORY = 'https://git.example/sol/worldwright'
/** Time limit of each step, in milliseconds. On Node.js 24.15, copying a store once did not end. */
const WITHIN_MS = 300_000
const TOOLS = join(root, '.ci/packages/node_modules')
/** Installation paths of the oldest Node.js for the client, for packages without SQLite, and for all others. */
const OLDEST = [join(root, 'node_modules/node-18'), join(TOOLS, 'node-22'), join(TOOLS, 'node-24')]

/** Program that reads a served world, for the oldest Node.js of the client. */
const READING = `
import { connect } from '@worldwright/client'
const world = await connect(process.argv[2])
const { entities } = await world.discover({ text: 'europa', limit: 1 })
if (entities[0].id !== 'europa') throw new Error('read something else')
`

/** Program that embeds a world in a server, for the oldest Node.js of the packages that need no SQLite. */
const EMBEDDING = `
import { connect } from '@worldwright/client'
import { checkServer } from '@worldwright/conformance'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { entityFromRecord } from '@worldwright/entities'
import { query } from '@worldwright/extensions/query'
import { listen, nodeCodings } from '@worldwright/node'
import { memorySearch } from '@worldwright/search/entities'
const store = createMemoryStore({ search: memorySearch })
const { entity } = entityFromRecord({ type: 'sol:moon', id: 'europa', title: 'Europa', radiusKm: 1560.8 }, {})
await store.write([{ put: entity }])
const description = { id: 'urn:example:sol', types: [{ type: 'sol:moon' }], extensions: [query()] }
const handler = createWorld({ ...description, store, publicUrl: 'https://sol.example' })
const inside = await connect('https://sol.example', { fetch: toFetch(handler) })
if ((await inside.get('sol:moon', 'europa')).title !== 'Europa') throw new Error('read something else')
const server = await listen(createWorld({ ...description, store, codings: nodeCodings }), { port: 0 })
const [found] = (await (await connect(server.url)).query({ types: ['sol:moon'], text: 'europa' }).page()).entities
if (found.attributes.radiusKm !== 1560.8) throw new Error('found something else')
for await (const { id, outcome } of checkServer(server.url, { profile: 'level-1' }))
  if (outcome === 'fail') throw new Error(id)
await server.close()
`

/** Test file from which the author of an engine starts. */
const ENGINE_TEST = `
import { createMemoryStore } from '@worldwright/core/store'
import { describeStore } from '@worldwright/core/store/suite'
import { memorySearch } from '@worldwright/search/entities'
describeStore('an engine', ({ now }) => createMemoryStore({ now, search: memorySearch }))
`

/** Program that imports every entry of the named packages. */
const ENTRIES = `
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
for (const name of process.argv.slice(2)) {
  const { exports } = require('./node_modules/' + name + '/package.json')
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target === 'object') await import(name + entry.slice(1))
    else require(name + entry.slice(1))
  }
  console.log('packed: ' + Object.keys(exports).length + ' entries of ' + name + ' are there')
}
`

function run(command: string, args: readonly string[], cwd: string): string {
  const options = { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], timeout: WITHIN_MS } as const
  return execFileSync(command, args, options)
}

async function main(): Promise<void> {
  pack(REPOSITORY, 'main', folder)
  const archives = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  for (const archive of archives) {
    run(join(TOOLS, '.bin/publint'), ['--strict', archive], folder)
    // All packages are ES modules only, so the types that `require` would find do not matter.
    run(join(TOOLS, '.bin/attw'), ['--profile', 'esm-only', archive], folder)
  }
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }')
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', ...archives.map((name) => `./${name}`)],
    folder,
  )
  const installed = globSync('node_modules/{@worldwright/*,worldwright}', { cwd: folder })
  if (installed.length !== archives.length) throw new Error(`${installed} are installed`)
  for (const path of installed) checkFiles(root, join(folder, path), `${REPOSITORY}/blob/main/`)
  const megabytes = Math.ceil(installedBytes(folder) / 1e6)
  process.stdout.write(
    `packed: ${archives.length} packages are in order, ${megabytes} MB with all they need\n`,
  )

  writeFileSync(join(folder, 'entries.js'), ENTRIES)
  writeFileSync(join(folder, 'engine.test.js'), ENGINE_TEST)
  for (const [node, names] of oldest(installed))
    process.stdout.write(run(node, [join(folder, 'entries.js'), ...names], folder))
  const [forClient, forLibraries, forStores] = OLDEST.map((path) => join(path, 'bin/node')) as [
    string,
    string,
    string,
  ]
  program(forLibraries, EMBEDDING)
  run(forLibraries, ['--test', join(folder, 'engine.test.js')], folder)
  process.stdout.write('packed: a world is embedded, and the store suite judges an engine\n')
  program(forStores, helloWorld())
  const command = (name: string, ...args: readonly string[]) =>
    run(forStores, [join(folder, 'node_modules/.bin', name), ...args], folder)
  command('world', 'copy', 'sqlite:sol.db', 'sqlite:copy.db')
  const [version, same] = ['world', 'worldwright'].map((name) => command(name, '--version').trim())
  if (version !== same) throw new Error(`world is ${version}, worldwright is ${same}`)

  const served = spawn(
    forStores,
    [join(folder, 'node_modules/.bin/world'), 'serve', join(root, 'examples/solar-system'), '--port', '0'],
    {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '', WORLD_STORE: 'sqlite:served.db' },
      stdio: ['ignore', 'inherit', 'pipe'],
    },
  )
  try {
    const origin = await originOf(served.stderr)
    program(forClient, READING, origin)
    process.stdout.write(`packed: the page and ${await assetsOf(origin)} files of it are there\n`)
    process.stdout.write(`packed: world ${version} serves, and the client reads\n`)
  } finally {
    served.kill('SIGTERM')
    await once(served, 'exit')
  }
}

/** Returns the installed packages that run on Node.js, grouped by the path of the oldest one that their manifests allow. */
function oldest(installed: readonly string[]): Map<string, string[]> {
  const paths = new Map(
    OLDEST.map((path) => [run(join(path, 'bin/node'), ['--version'], root).trim(), join(path, 'bin/node')]),
  )
  const names = Map.groupBy(installed, (path) => {
    const { engines } = JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8'))
    const version = /\d+\.\d+\.\d+/.exec(engines?.node ?? '')?.[0]
    if (version === undefined && !path.endsWith('/explorer'))
      throw new Error(`${path} names no version of Node.js`)
    return version
  })
  names.delete(undefined)
  return new Map(
    [...names].map(([version, found]) => {
      const node = paths.get(`v${version}`)
      if (node === undefined) throw new Error(`${found} want Node.js ${version}, which is not tested`)
      return [node, found.map((path) => path.replace('node_modules/', ''))]
    }),
  )
}

/** Returns the first program in the README of core, extended to read its world and exit. */
function helloWorld(): string {
  const readme = readFileSync(join(folder, 'node_modules/@worldwright/core/README.md'), 'utf8')
  const hello = /^```js\n(.*?)^```/ms.exec(readme)?.[1] ?? ''
  return `import { connect } from '@worldwright/client'
${hello.replace('8080', '0')}
if ((await (await connect(url)).get('sol:moon', 'europa')).title !== 'Europa') throw new Error('read something else')
await store.close()
process.exit()`
}

function program(node: string, text: string, ...args: readonly string[]): void {
  writeFileSync(join(folder, 'program.js'), text)
  run(node, [join(folder, 'program.js'), ...args], folder)
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
