import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, type TestContext, test } from 'node:test'
import { registerFormat } from '@worldwright/publish'
import { serve } from './index.ts'

let gate = Promise.withResolvers<void>()
let reads = 0
after(() => gate.resolve())

// A format whose files are read only once the gate is open. Their bytes are ids, one per line.
registerFormat({
  name: 'gated',
  title: 'Gated',
  endings: ['gated'],
  async *read({ bytes }) {
    const text = Buffer.concat(await Array.fromAsync(bytes)).toString()
    reads += 1
    await gate.promise
    for (const [at, id] of text.trim().split('\n').entries()) yield { line: at + 1, record: { id } }
  },
})

/** Starts to serve a folder, and returns the origins that the log names before anything is loaded. */
async function starting(t: TestContext, cwd: string, workers: number) {
  const stderr = new PassThrough()
  const ending = new AbortController()
  const { signal } = ending
  const settings = { port: 0, adminPort: 0, workers, logFormat: 'text' }
  const serving = serve(undefined, settings, { cwd, env: {}, stderr, signal, step: 1 })
  serving.catch(() => {})
  const stop = async () => {
    ending.abort()
    await (await serving.catch(() => undefined))?.ended
  }
  t.after(stop)
  let said = ''
  for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
    said += chunk
    const host = /Until that is done, (\S+)/.exec(said)?.[1]
    if (host !== undefined) return { url: `http://${host}`, serving, stop, said: () => said }
  }
  throw new Error(said)
}

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'first-load-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'world.yaml'), 'sources: [{ file: moons.gated, type: sol:moon }]\n')
  await writeFile(join(folder, 'moons.gated'), 'io\n')
  return folder
}

async function idsIn(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/world/v0/entities/sol:moon`)
  assert.equal(answer.status, 200)
  return ((await answer.json()) as { entities: { id: string }[] }).entities.map(({ id }) => id)
}

for (const workers of [1, 2])
  test(`a world listens before its first load, then serves what was loaded (workers: ${workers})`, async (t) => {
    gate = Promise.withResolvers()
    const cwd = await folderOf(t)
    const first = await starting(t, cwd, workers)
    const answer = await fetch(`${first.url}/api/world/v0/entities/sol:moon`)
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '2'])
    assert.equal((await fetch(`${first.url}/.well-known/world.json`)).status, 200)
    gate.resolve()
    const { url } = await first.serving
    assert.deepEqual([url, await idsIn(url)], [first.url, ['io']])
    await first.stop()

    gate = Promise.withResolvers()
    await writeFile(join(cwd, 'moons.gated'), 'europa\nio\n')
    const second = await starting(t, cwd, workers)
    assert.deepEqual(await idsIn(second.url), ['io'])
    gate.resolve()
    await second.serving
    assert.deepEqual(await idsIn(second.url), ['europa', 'io'])
    await second.stop()

    // A type that no load has filled is not served as if it were empty.
    gate = Promise.withResolvers()
    const source = '{ file: moons.gated, type: sol:satellite }'
    await writeFile(join(cwd, 'world.yaml'), `sources: [{ file: moons.gated, type: sol:moon }, ${source}]\n`)
    const third = await starting(t, cwd, workers)
    assert.deepEqual(await idsIn(third.url), ['europa', 'io'])
    assert.equal((await fetch(`${third.url}/api/world/v0/entities/sol:satellite`)).status, 503)
    gate.resolve()
    await third.serving
    assert.equal((await fetch(`${third.url}/api/world/v0/entities/sol:satellite/io`)).status, 200)
  })

test('during a first load each type is served once it is complete, and a restart goes on from there', async (t) => {
  t.after(() => gate.resolve())
  gate = Promise.withResolvers()
  const cwd = await folderOf(t)
  const sources = '{ file: planets.csv, type: sol:planet }, { file: moons.gated, type: sol:moon }'
  await writeFile(join(cwd, 'world.yaml'), `sources: [${sources}]\n`)
  await writeFile(join(cwd, 'planets.csv'), 'id\nmars\n')
  const before = reads
  const first = await starting(t, cwd, 2)
  const statusesAt = (url: string) =>
    Promise.all(
      ['entities/sol:planet', 'entities/sol:planet/mars', 'entities/sol:moon', 'entities/sol:comet'].map(
        async (path) => (await fetch(`${url}/api/world/v0/${path}`)).status,
      ),
    )
  while (reads === before) await new Promise((resume) => setTimeout(resume, 1))
  // Comets may still be among the moons.
  assert.deepEqual(await statusesAt(first.url), [200, 200, 503, 503])
  assert.match(await (await fetch(`${first.url}/api/world/v0/entities/sol:planet`)).text(), /"mars"/)
  const stopped = first.stop()
  gate.reject(new Error('killed'))
  await stopped

  gate = Promise.withResolvers()
  const second = await starting(t, cwd, 1)
  assert.deepEqual(await statusesAt(second.url), [200, 200, 503, 503])
  gate.resolve()
  const { url } = await second.serving
  assert.deepEqual([await statusesAt(url), await idsIn(url)], [[200, 200, 200, 404], ['io']])
  await second.stop()
})

test('a first load that fails ends the world with its error', async (t) => {
  gate = Promise.withResolvers()
  const cwd = await folderOf(t)
  const first = await starting(t, cwd, 1)
  gate.promise.catch(() => {})
  gate.reject(Object.assign(new Error('moons.gated: damaged.'), { name: 'SourceFault' }))
  await assert.rejects(first.serving, { name: 'SourceFault', message: 'moons.gated: damaged.' })
  await assert.rejects(fetch(first.url))
})

test('a first load is tried again while others hold the store', async (t) => {
  gate = Promise.withResolvers()
  gate.promise.catch(() => {})
  gate.reject(Object.assign(new Error('held'), { name: 'StoreFault', code: 'busy' }))
  const before = reads
  const first = await starting(t, await folderOf(t), 1)
  while (reads === before) await new Promise((resume) => setTimeout(resume, 1))
  gate = Promise.withResolvers()
  gate.resolve()
  await first.serving
  assert.deepEqual(await idsIn(first.url), ['io'])
})

test('a world that ends during its first load has loaded nothing', async (t) => {
  gate = Promise.withResolvers()
  const cwd = await folderOf(t)
  const first = await starting(t, cwd, 2)
  const stopped = first.stop()
  gate.resolve()
  await stopped
  await assert.rejects(first.serving, { message: 'The world ended before it was served.' })
  const again = await starting(t, cwd, 1)
  assert.match(again.said(), /answers 503/)
  await again.serving
})
