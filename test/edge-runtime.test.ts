/** Checks that the core needs only Web APIs, so that it runs in workerd, Deno, Bun and browsers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { build } from 'esbuild'
import { ROOT, type SourceFile, sourceFiles } from './source-files.ts'

const SOURCES = 'packages/core/src/'
/** The only file of the core that may look for features of Node.js at run time. */
const LOOKS_UP = 'store/digest.ts'

const core = new Map(
  sourceFiles()
    .filter(({ path, isTest }) => path.startsWith(SOURCES) && !isTest && !/\/suite[^/]*$/.test(path))
    .map((file) => [file.path.slice(SOURCES.length), file] as const),
)

/** Returns the modules and globals specific to Node.js that a file uses. */
function takenFromNode(name: string, { imports, text }: Pick<SourceFile, 'imports' | 'text'>): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const globals = name === LOOKS_UP ? null : code.match(/\bBuffer\b|\bprocess\??\.|\b__dirname\b/g)
  return [...imports.filter((target) => target.startsWith('node:')), ...(globals ?? [])].map(
    (taken) => `${name}: ${taken}`,
  )
}

test('no file of the core uses modules or globals of Node.js', () => {
  assert.ok(core.size > 60 && core.has('world/cursor.ts'))
  assert.deepEqual(
    [...core].flatMap(([name, file]) => takenFromNode(name, file)),
    [],
  )
})

test('the check for Node.js detects modules and globals', () => {
  const text = "const bytes = Buffer.from('x') // Buffer\nprocess.exit()"
  assert.deepEqual(takenFromNode('world/x.ts', { imports: ['node:fs'], text }), [
    'world/x.ts: node:fs',
    'world/x.ts: Buffer',
    'world/x.ts: process.',
  ])
})

/** Web APIs that every runtime provides. `Uint8Array` is included so that it is from the same realm as they are. */
const WEB = {
  ...{ AbortController, AbortSignal, Headers, ReadableStream, Request, Response, TextDecoder, TextEncoder },
  ...{ URL, URLSearchParams, Uint8Array, clearTimeout, crypto, performance, queueMicrotask },
  ...{ setTimeout, structuredClone },
}

const PROGRAM = `
export { toFetch } from './adapters/fetch.ts'
export { createWorld } from './handler/handler.ts'
export { createMemoryStore } from './store/memory.ts'
`

/** Bundles a program into a single script that sets the global `bundled`. */
async function bundleOf(contents: string, folder: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: `${ROOT}/${folder}`, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    globalName: 'bundled',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['@worldwright/source', 'workerd'],
    logLevel: 'silent',
  })
  return { script: outputFiles[0]?.text ?? '', metafile }
}

/** Runs a script in a context without Node.js, where code cannot be generated from strings, and returns `bundled`. */
function inBareContext(script: string, changed: object = {}) {
  const context = createContext({ ...WEB, ...changed }, { codeGeneration: { strings: false, wasm: false } })
  runInContext(script, context)
  return context['bundled']
}

async function inBareRuntime(changed: object = {}): Promise<Core> {
  return inBareContext((await bundleOf(PROGRAM, SOURCES)).script, changed)
}

const MOONS = ['callisto', 'europa', 'ganymede', 'io', '火'].map((id) => ({
  put: { type: 'sol:moon', id, title: id.toUpperCase(), attributes: { massKg: 4.8e22, orbits: 'Jupiter' } },
}))

type Core = {
  readonly createMemoryStore: typeof createMemoryStore
  readonly createWorld: typeof createWorld
  readonly toFetch: typeof toFetch
}

test('a world can be created while modules load, when some runtimes provide no random numbers', async () => {
  const loading = { isOver: false }
  const getRandomValues = (bytes: Uint8Array<ArrayBuffer>) => {
    assert.ok(loading.isOver, 'random numbers while modules load')
    return crypto.getRandomValues(bytes)
  }
  const { createMemoryStore, createWorld, toFetch } = await inBareRuntime({ crypto: { getRandomValues } })
  const publicUrl = 'https://sol.example'
  const types = [{ type: 'sol:moon' }]
  const fetch = toFetch(createWorld({ id: 'urn:example:sol', types, store: createMemoryStore(), publicUrl }))
  loading.isOver = true
  const page = await fetch(`${publicUrl}/api/world/v0/entities/sol:moon`)
  assert.equal(page.status, 200)
})

/** Returns the answers of a world to several requests, each with its path, status and body. */
async function answersOf({ createMemoryStore, createWorld, toFetch }: Core): Promise<string[]> {
  const store = createMemoryStore({ now: () => new Date('2026-03-01T09:00:00Z') })
  await store.write(MOONS)
  const publicUrl = 'https://sol.example'
  const description = { id: 'urn:example:sol', types: [{ type: 'sol:moon', title: 'Moon' }] }
  const fetch = toFetch(createWorld({ ...description, store, publicUrl }))
  const answers: string[] = []
  const ask = async (path: string, input?: object) => {
    const body = input && JSON.stringify({ input })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${publicUrl}${path}`, body ? { method: 'POST', headers, body } : {})
    const text = await answer.text()
    answers.push(`${path} ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  await ask('/.well-known/world.json')
  const moons = '/api/world/v0/entities/sol:moon'
  await ask(`${moons}/${encodeURIComponent('火')}`)
  const { nextCursor } = await ask(`${moons}?limit=2`)
  await ask(`${moons}?limit=2&cursor=${nextCursor}`)
  await ask('/api/world/v0/actions/wp:discover', { text: 'europa' })
  await ask('/api/world/v0/actions/wp:discover', { types: ['sol:moon'], limit: 2 })
  return answers
}

test('the core gives byte-identical answers in a runtime without Node.js', async () => {
  const expected = await answersOf({ createMemoryStore, createWorld, toFetch })
  for (const answer of expected) assert.match(answer, /^\S+ 200 /)
  const answers = await answersOf(await inBareRuntime())
  assert.deepEqual(answers, expected)
})

/** An API with one moon, as `fetch`. */
async function moonApi(url: string): Promise<Response> {
  const io = { id: 'io', name: 'Io', gravity: 1.8 }
  const { pathname, searchParams } = new URL(url)
  const answers: Record<string, unknown> = {
    '/': { 'sol:moon': 1 },
    '/sol:moon': searchParams.get('after') === '' ? [io] : [],
    '/sol:moon/io': io,
  }
  const body = answers[pathname]
  return body ? Response.json(body, { headers: { etag: '"1"' } }) : new Response('', { status: 404 })
}

test('the worker of the example needs no module of Node.js and generates no code', async () => {
  const { script, metafile } = await bundleOf("export { default } from './world.ts'", 'examples/edge')
  const inputs = Object.keys(metafile.inputs)
  assert.ok(inputs.some((path) => path.includes('@cfworker/json-schema')))
  assert.deepEqual(
    inputs.filter((path) => /node_modules\/(?!@cfworker|@noble|canonicalize)|action-files/.test(path)),
    [],
  )
  assert.deepEqual(
    Object.values(metafile.outputs).flatMap(({ imports }) => imports),
    [],
  )
  assert.equal(script.match(/\beval\(|\bFunction\(|\brequire\(/)?.[0], undefined)
  assert.throws(() => inBareContext('bundled = eval("1")'), { name: 'EvalError' })

  const world = inBareContext(script, { fetch: moonApi }).default
  const at = (path: string, init = {}) => world.fetch(new Request(`https://sol.example${path}`, init))
  const page = await (await at('/api/world/v0/entities/sol:moon')).json()
  assert.deepEqual([page.total, page.entities[0].title], [1, 'Io'])
  const call = async (input: object) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ input })
    return (await at('/api/world/v0/actions/sol:weight', { method: 'POST', headers, body })).json()
  }
  assert.equal((await call({ moon: 'io', massKg: 2 })).output, 3.6)
  const refused = [
    [{ moon: 'io' }, '/input', 'required'],
    [{ moon: 'io', massKg: 'two' }, '/input/massKg', 'wrong_type'],
    [{ moon: 'io', massKg: -1 }, '/input/massKg', 'not_allowed'],
  ] as const
  for (const [input, pointer, reason] of refused) {
    const { code, details } = await call(input)
    assert.deepEqual([code, details.fields.length], ['invalid_input', 1])
    assert.deepEqual([details.fields[0].pointer, details.fields[0].reason], [pointer, reason])
  }
  assert.equal((await call({ moon: 'luna', massKg: 2 })).code, 'sol:no_moon')
})
