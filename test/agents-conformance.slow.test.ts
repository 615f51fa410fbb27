import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { serve } from './command.ts'
import { isPresentOrSkips } from './missing.ts'
import { ROOT } from './source-files.ts'

const SUITES = join(ROOT, '.ci/mcp/node_modules')

/**
 * Scenarios, or single checks of one, that do not apply, by reason. The suites look for the tools and resources of a server
 * that was written for them.
 */
const NOT_APPLICABLE: Readonly<Record<string, readonly string[]>> = {
  'worlds have no prompts, and nothing to complete': [
    'completion-complete',
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
    'sep-2549-prompts-list-caching-hints',
  ],
  'tools answer with text only, and report no progress': [
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-progress',
  ],
  'it reads a resource with the address test://': [
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  'no tool asks the agent for input, samples or roots': [
    'input-required-result-basic-elicitation',
    'input-required-result-basic-sampling',
    'input-required-result-basic-list-roots',
    'input-required-result-request-state',
    'input-required-result-multiple-input-requests',
    'input-required-result-multi-round',
    'input-required-result-non-tool-request',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'input-required-result-capability-check',
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
  ],
  'the server sends no logs to agents': ['logging-set-level', 'tools-call-with-logging'],
  'it looks for a tool with other schemas or headers of its own': [
    'json-schema-2020-12',
    'http-custom-header-server-validation',
  ],
}

/** Runs a suite against an endpoint. Returns the failed checks of each scenario. */
async function judged(t: TestContext, suite: string, url: string, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-'))
  t.after(() => rm(folder, { recursive: true }))
  const program = join(SUITES, suite, 'dist/index.js')
  // The exit code tells of failures, of which the files say more.
  await new Promise((resolve) => {
    execFile(process.execPath, [program, 'server', '--url', url, '-o', folder, ...args], resolve)
  })
  const failed = new Map<string, string[]>()
  for (const name of await readdir(folder)) {
    const checks: { id: string; status: string }[] = JSON.parse(
      await readFile(join(folder, name, 'checks.json'), 'utf8'),
    )
    const ids = checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id)
    failed.set(name.replace(/^server-(?=.*-\d{4}-\d\d-\d\dT)|-\d{4}-\d\d-\d\dT.*$/g, ''), ids)
  }
  return failed
}

async function demo(t: TestContext, ...args: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-world-'))
  t.after(() => rm(folder, { recursive: true }))
  const store = ['--store', `sqlite:${join(folder, 'sol.db')}`]
  return (await serve(t, 'examples/solar-system', ...store, ...args)).origin
}

const LEFT_OUT = new Set(Object.values(NOT_APPLICABLE).flat())

for (const [suite, args, least] of [
  ['conformance-2026', ['--suite', 'all', '--spec-version', '2026-07-28'], 14],
  ['conformance-2025', [], 8],
] as const)
  test(`a served world passes all scenarios of ${suite} that apply`, async (t) => {
    if (!isPresentOrSkips(t, existsSync(join(SUITES, suite)), 'conformance suites of MCP')) return
    const failed = await judged(t, suite, `${await demo(t, '--mcp')}/mcp`, ...args)
    const applied = [...failed].filter(([scenario]) => !LEFT_OUT.has(scenario))
    assert.deepEqual(
      applied.flatMap(([, ids]) => ids.filter((id) => !LEFT_OUT.has(id))),
      [],
    )
    assert.ok(applied.length >= least, applied.join())
    const others = [...failed].filter(([scenario, ids]) => LEFT_OUT.has(scenario) && ids.length === 0)
    assert.deepEqual(others, [], 'what passes is not left out')
  })

/** Puts `world mcp` behind a port, as the suites know only HTTP: a process for each handshake, or one for all requests. */
async function behindPort(t: TestContext, origin: string): Promise<string> {
  const program = ['--conditions=@worldwright/source', join(ROOT, 'packages/cli/src/main.ts'), 'mcp', origin]
  const waiting = new Map<number, (line: string) => void>()
  const start = () => {
    const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'ignore'] })
    t.after(() => child.kill())
    createInterface({ input: child.stdout }).on('line', (line) => waiting.get(JSON.parse(line).id)?.(line))
    return child.stdin
  }
  let stream = start()
  let last = 0
  const server = createServer(async (request, response) => {
    const message = request.method === 'POST' ? JSON.parse(await text(request)) : undefined
    if (message === undefined) {
      response.writeHead(405).end()
      return
    }
    if (message.method === 'initialize') stream = start()
    const { id } = message
    const own = ++last
    stream.write(`${JSON.stringify(id === undefined ? message : { ...message, id: own })}\n`)
    if (id === undefined) {
      response.writeHead(202).end()
      return
    }
    const line = await new Promise<string>((resolve) => waiting.set(own, resolve))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...JSON.parse(line), id }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const ON_STREAMS = ['tools-list', 'tools-call-simple-text', 'tools-call-error', 'resources-list']

for (const [suite, scenarios] of [
  ['conformance-2026', [...ON_STREAMS, 'sep-2164-resource-not-found']],
  ['conformance-2025', [...ON_STREAMS, 'server-initialize', 'ping']],
] as const)
  test(`world mcp passes the scenarios of ${suite} that are not about HTTP`, async (t) => {
    if (!isPresentOrSkips(t, existsSync(join(SUITES, suite)), 'conformance suites of MCP')) return
    const url = await behindPort(t, await demo(t))
    for (const name of scenarios)
      assert.deepEqual([...(await judged(t, suite, url, '--scenario', name))], [[name, []]])
  })
