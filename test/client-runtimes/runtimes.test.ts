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
import { chromium } from 'playwright-core'
import { serve } from '../command.ts'
import { ROOT } from '../source-files.ts'
import type { Report } from './program.ts'

const BINARIES = join(ROOT, '.ci/runtimes/node_modules/.bin')
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (file) => existsSync(file),
)
const RUNTIMES = [
  { name: 'Node 18', file: join(BINARIES, 'node'), args: [] },
  { name: 'Deno', file: join(BINARIES, 'deno'), args: ['run', '--no-prompt', '--allow-net=127.0.0.1'] },
  { name: 'Bun', file: join(BINARIES, 'bun'), args: [] },
  { name: 'this Node', file: process.execPath, args: [] },
] as const

const folder = await mkdtemp(join(tmpdir(), 'runtimes-'))

/** Bundles a program into one file that needs nothing but its runtime. */
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

/** Skips the test; under `CI=true`, where everything is installed, fails it. */
function missing(t: TestContext, what: string): void {
  if (process.env['CI'] === 'true') assert.fail(`${what} is missing`)
  t.skip(`${what} is not installed here`)
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

for (const { name, file, args } of RUNTIMES) {
  test(`the client works in ${name}`, async (t) => {
    if (!existsSync(file)) return missing(t, name)
    const program = join(folder, `${name.replaceAll(' ', '-')}.mjs`)
    const code = await bundle(`import { read } from './program.ts'
      read(${JSON.stringify(origin)}).then((report) => console.log(JSON.stringify(report)))`)
    await writeFile(program, code)
    const env = { ...process.env, NODE_OPTIONS: '' }
    const { stdout } = await promisify(execFile)(file, [...args, program], { env })
    expect(JSON.parse(stdout))
  })
}

test('the client works in Chromium, in a page and in a worker, from another origin than the world', async (t) => {
  if (CHROMIUM === undefined) return missing(t, 'Chromium')
  const page = await bundle(`import { read } from './program.ts'; globalThis.read = read`)
  const worker = await bundle(`import { read } from './program.ts'
    onmessage = async ({ data }) => postMessage(await read(data))`)
  const files: Record<string, string> = { '/page.js': page, '/worker.js': worker }
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', files[url] ? 'text/javascript' : 'text/html')
    response.end(files[url] ?? '<!doctype html><script type="module" src="/page.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  t.after(async () => {
    await browser.close()
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
