/** The core runs in every runtime with the Web APIs, such as workerd, Deno, Bun and browsers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { build } from 'esbuild'
import { ROOT, type SourceFile, sourceFiles } from './source-files.ts'

const SOURCES = 'packages/core/src/'
/** The only file that looks up features of Node.js at run time. */
const LOOKS_UP = 'store/digest.ts'

const core = new Map(
  sourceFiles()
    .filter(({ path, isTest }) => path.startsWith(SOURCES) && !isTest && !/\/suite[^/]*$/.test(path))
    .map((file) => [file.path.slice(SOURCES.length), file] as const),
)

/** Returns the modules and globals of Node.js that a file uses. */
function takenFromNode(name: string, { imports, text }: Pick<SourceFile, 'imports' | 'text'>): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const globals = name === LOOKS_UP ? null : code.match(/\bBuffer\b|\bprocess\??\.|\b__dirname\b/g)
  return [...imports.filter((target) => target.startsWith('node:')), ...(globals ?? [])].map(
    (taken) => `${name}: ${taken}`,
  )
}

test('no file of the core uses anything of Node.js', () => {
  assert.ok(core.size > 60 && core.has('world/cursor.ts'))
  assert.deepEqual(
    [...core].flatMap(([name, file]) => takenFromNode(name, file)),
    [],
  )
})

test('the check above can fail', () => {
  const text = "const bytes = Buffer.from('x') // Buffer\nprocess.exit()"
  assert.deepEqual(takenFromNode('world/x.ts', { imports: ['node:fs'], text }), [
    'world/x.ts: node:fs',
    'world/x.ts: Buffer',
    'world/x.ts: process.',
  ])
})

/** Web APIs of every runtime beside the language, all of one realm with `Uint8Array`. */
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

/** Bundles the core into one program and runs it in a context without Node.js. */
async function inBareRuntime(): Promise<Core> {
  const bundle = await build({
    stdin: { contents: PROGRAM, resolveDir: `${ROOT}/${SOURCES}`, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'core',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['@worldwright/source'],
    logLevel: 'silent',
  })
  const context = createContext({ ...WEB })
  runInContext(bundle.outputFiles[0]?.text ?? '', context)
  return context['core']
}

const MOONS = ['callisto', 'europa', 'ganymede', 'io', '火'].map((id) => ({
  put: { type: 'sol:moon', id, title: id.toUpperCase(), attributes: { massKg: 4.8e22, orbits: 'Jupiter' } },
}))

type Core = {
  readonly createMemoryStore: typeof createMemoryStore
  readonly createWorld: typeof createWorld
  readonly toFetch: typeof toFetch
}

/** Returns the answers of a world to one request of each kind, as text with their tags. */
async function answersOf({ createMemoryStore, createWorld, toFetch }: Core): Promise<string[]> {
  const storage = createMemoryStore({ now: () => new Date('2026-03-01T09:00:00Z') })
  await storage.write(MOONS)
  const publicUrl = 'https://sol.example'
  const description = { id: 'urn:example:sol', types: [{ type: 'sol:moon', title: 'Moon' }] }
  const fetch = toFetch(createWorld({ ...description, store: storage, publicUrl }))
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

test('in a runtime without Node.js the core answers as in Node.js, byte for byte', async () => {
  const expected = await answersOf({ createMemoryStore, createWorld, toFetch })
  for (const answer of expected) assert.match(answer, /^\S+ 200 /)
  const answers = await answersOf(await inBareRuntime())
  assert.deepEqual(answers, expected)
})
