import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { openBrowser } from '../browser.ts'
import { serve } from '../command.ts'
import { isPresentOrSkips } from '../missing.ts'
import { ROOT } from '../source-files.ts'
import type { Report } from './program.ts'

const MODULES = join(ROOT, 'node_modules')
/** Runtimes that `npm ci` installs, except those without a build for this machine. */
const RUNTIMES = [
  { name: 'Node.js 18', version: /^v18\./, file: join(MODULES, 'node-18/bin/node'), args: [] },
  {
    name: 'Deno',
    version: /^deno 2\./,
    file: join(MODULES, '.bin/deno'),
    args: ['run', '--no-prompt', '--allow-net=127.0.0.1'],
  },
  { name: 'Bun', version: /^1\./, file: join(MODULES, '.bin/bun'), args: [] },
  { name: 'Node.js 24', version: /^v24\./, file: join(MODULES, '.bin/node'), args: [] },
] as const

const folder = await mkdtemp(join(tmpdir(), 'runtimes-'))

/** Bundles a program and its dependencies into a single file. */
async function bundle(contents: string): Promise<string> {
  const stdin = { contents, resolveDir: import.meta.dirname, loader: 'ts' as const }
  const conditions = ['@worldwright/source']
  const { outputFiles } = await build({
    stdin,
    conditions,
    bundle: true,
    format: 'esm',
    write: false,
    target: 'es2022',
  })
  return outputFiles[0]?.text ?? ''
}

function expect(report: Report): void {
  assert.match(report.id, /^urn:/)
  assert.ok(report.moons > 7)
  assert.deepEqual(
    { ...report, id: '', moons: 0 },
    {
      id: '',
      title: 'Europa',
      moons: 0,
      found: true,
      codes: [
        'entity_not_found',
        'invalid_argument',
        'aborted',
        'invalid_cursor',
        'invalid_argument',
        'network_error',
        'world_mismatch',
        'insecure_endpoint',
      ],
      again: 'sol:moon',
    },
  )
}

let origin = ''
const endings: (() => Promise<void>)[] = []
before(async () => {
  const outliving = { after: (end: () => Promise<void>) => void endings.push(end) } as unknown as TestContext
  const store = `sqlite:${join(folder, 'sol.db')}`
  origin = (await serve(outliving, 'examples/solar-system', '--store', store)).origin
})
after(async () => {
  for (const end of endings) await end()
  await rm(folder, { recursive: true })
})

for (const { name, version, file, args } of RUNTIMES) {
  test(`the client works in ${name}`, async (t) => {
    if (!isPresentOrSkips(t, existsSync(file), name)) return
    const program = join(folder, `${name.replaceAll(' ', '-')}.mjs`)
    const code = await bundle(`import { read } from './program.ts'
      read(${JSON.stringify(origin)}).then((report) => console.log(JSON.stringify(report)))`)
    await writeFile(program, code)
    const env = { ...process.env, NODE_OPTIONS: '' }
    const run = async (...argv: string[]) => (await promisify(execFile)(file, argv, { env })).stdout
    assert.match(await run('--version'), version)
    expect(JSON.parse(await run(...args, program)))
  })
}

test('the client works across origins in Chromium, in a page and in a worker', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const page = await bundle(`import { read } from './program.ts'; globalThis.read = read`)
  const worker = await bundle(`import { read } from './program.ts'
    onmessage = async ({ data }) => postMessage(await read(data))`)
  const files: Record<string, string> = { '/page.js': page, '/worker.js': worker }
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', files[url] ? 'text/javascript' : 'text/html')
    response.end(files[url] ?? '<!doctype html><script type="module" src="/page.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const tab = await browser.newPage()
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await tab.waitForFunction('globalThis.read !== undefined')
  expect(await tab.evaluate<Report>(`read(${JSON.stringify(origin)})`))
  const inWorker = `new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js', { type: 'module' })
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = reject
    worker.postMessage(${JSON.stringify(origin)})
  })`
  expect(await tab.evaluate<Report>(inWorker))
})
