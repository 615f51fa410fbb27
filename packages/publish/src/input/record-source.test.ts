import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { definitionFiles, sourceFromFile, sourcesFromPath } from './record-source.ts'

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test("a world's own files in its folder are not sources", async (t) => {
  const path = await folder(t)
  await mkdir(join(path, 'more'))
  const beside = ['world.yaml', 'world.schema.json', 'world.db', 'world.db.rejected.ndjson', '.hidden.csv']
  for (const name of [...beside, 'moons.csv', 'bad.ndjson', 'more/world.json', 'more/worlds.json'])
    await writeFile(join(path, name), '')
  const except = [join(path, 'bad.ndjson'), ...definitionFiles(join(path, 'world.yaml'))]
  const found = await sourcesFromPath(path, './', { except })
  assert.deepEqual(
    found.map(({ name }) => name),
    ['./moons.csv', './more/world.json', './more/worlds.json'],
  )
  // A file that is named explicitly is read.
  assert.equal((await sourcesFromPath(join(path, 'world.yaml'), 'it', { except })).length, 1)
})

const POSIX = { skip: process.platform === 'win32' && 'not run: this machine has no named pipes in folders' }

test('a named pipe is read until its writer closes it', POSIX, async (t) => {
  const pipe = join(await folder(t), 'pipe')
  execFileSync('mkfifo', [pipe])
  const { bytes, size } = await sourceFromFile(pipe)
  const read = textOf(bytes)
  const writer = await open(pipe, 'w')
  await writer.write('io\n')
  await writer.write('europa\n')
  await writer.close()
  assert.deepEqual([await read, size], ['io\neuropa\n', undefined])
})

test('an aborted signal ends a named pipe with no writer or with a silent writer', POSIX, async (t) => {
  const pipe = join(await folder(t), 'pipe')
  execFileSync('mkfifo', [pipe])
  const nobody = new AbortController()
  const none = textOf((await sourceFromFile(pipe, 'pipe', { signal: nobody.signal })).bytes)
  nobody.abort()
  assert.equal(await none, '')
  const silence = new AbortController()
  const { bytes } = await sourceFromFile(pipe, 'pipe', { signal: silence.signal })
  const chunks = bytes[Symbol.asyncIterator]()
  const first = chunks.next()
  const writer = await open(pipe, 'w')
  t.after(() => writer.close())
  await writer.write('io')
  assert.equal(String((await first).value), 'io')
  const rest = chunks.next()
  silence.abort()
  assert.equal((await rest).done, true)
})
