import assert from 'node:assert/strict'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const MOONS = '{"type":"sol:moon","id":"io","size":1}\n{"type":"sol:moon","id":"thebe","size":2}\n'
const DEFINITION = `operator: true
types:
  - type: sol:moon
    schema: {properties: {size: {type: number}}}
sources: [moons.ndjson]
`

/** Serves a writable world, and creates a token for it. */
async function writable(t: TestContext) {
  const cwd = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': MOONS })
  const world = await serving(t, cwd, '--workers', '1')
  const { out } = await runWith(['token', 'create', '--scope', 'write'], { cwd })
  const run = (...argv: string[]) =>
    runWith(argv, { cwd, env: { WORLD_TOKEN: out.trim(), WORLD_LOG_FORMAT: 'text' } })
  return { ...world, run, token: out.trim() }
}

test('writes and deletions over HTTP survive a source change and are listed by status', async (t) => {
  const { cwd, url, run, until, ids, stop } = await writable(t)
  const patched = await run('patch', url, 'sol:moon', 'io', '--input', '{"attributes":{"size":9}}', '--json')
  const { revision } = JSON.parse(patched.out)
  const put = await run('put', url, 'sol:moon', '--input', '{"attributes":{"size":3}}')
  const made = put.out.trim()
  assert.match(made, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.equal((await run('delete', url, 'sol:moon', 'thebe')).code, 0)
  await appendFile(join(cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"europa","size":4}\n')
  await until(/2 entities stay as others wrote or deleted, .*status[\s\S]*except that 2 entities stay/)
  assert.deepEqual(await ids('sol:moon'), [made, 'europa', 'io'].sort())
  assert.equal(JSON.parse((await run('get', url, 'sol:moon', 'io', '--json')).out).attributes.size, 9)
  const refused = await run(
    'put',
    url,
    'sol:moon',
    'io',
    '--input',
    '{"attributes":{}}',
    '--if-revision',
    'x',
  )
  assert.deepEqual([refused.code, /precondition_failed/.test(refused.err)], [1, true])
  const again = ['put', url, 'sol:moon', 'io', '--input', '{"attributes":{"size":9}}']
  assert.equal((await run(...again, '--if-revision', revision)).code, 0)
  assert.equal((await run(...again, '--if-absent')).code, 1)
  const { out } = await runWith(['status'], { cwd })
  assert.match(out, /^sol:moon: 3 entities$/m)
  assert.match(
    out,
    /3 entities written or deleted by others than the sources; of 2 the sources say something else/,
  )
  assert.match(out, /^ {2}sol:moon io stays as it was written\n {2}sol:moon thebe stays deleted$/m)
  await stop()
  // API writes survive a restore from a backup unless the definition gives files precedence.
  await runWith(['backup', 'b.backup'], { cwd })
  const restored = await folderOf(t, {
    'world.yaml': DEFINITION.replace('type: sol:moon', 'type: sol:moon\n    precedence: files'),
    'moons.ndjson': MOONS,
  })
  await runWith(['restore', join(cwd, 'b.backup'), restored])
  const { shadowed } = JSON.parse((await runWith(['status', '--json'], { cwd: restored })).out)
  assert.equal(shadowed.length, 2)
  const files = await serving(t, restored, '--workers', '1')
  assert.deepEqual(await files.ids('sol:moon'), ['io', 'thebe'])
})

test('delete requires --yes for a whole type and reports a missing entity', async (t) => {
  const { url, run, ids, cwd } = await writable(t)
  for (const words of [
    ['sol:moon'],
    ['sol:star', '--type', 'sol:moon'],
    ['sol:star', 'io', '--type', 'sol:moon'],
  ]) {
    const { code, err } = await run('delete', url, ...words)
    assert.deepEqual(
      [code, err],
      [2, 'error: Name the ids to delete, or all of sol:moon with --type sol:moon alone.\n'],
    )
  }
  const missing = await run('delete', url, 'sol:moon', 'io', 'nobody')
  assert.deepEqual(
    [missing.code, missing.err],
    [1, 'sol:moon io is deleted.\nThere is no sol:moon nobody.\n'],
  )
  const asked = await run('delete', url, '--type', 'sol:moon')
  assert.equal(asked.code, 2)
  assert.match(asked.err, /This deletes 1 entity of sol:moon\. Nothing was deleted; to do it, add --yes/)
  assert.deepEqual(await ids('sol:moon'), ['thebe'])
  assert.equal((await run('delete', url, '--type', 'sol:moon', '--yes')).code, 0)
  assert.deepEqual(await ids('sol:moon'), [])
  const store = await run('delete', `sqlite:${join(cwd, 'world.db')}`, 'sol:moon', 'io')
  assert.deepEqual([store.code, store.err], [1, 'There is no sol:moon io.\n'])
})

test('entities of a removed source stay until they are deleted', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS })
  const start = async () => {
    const world = await serving(t, cwd, '--workers', '1')
    const ids = await world.ids('sol:moon').catch(() => [])
    await world.stop()
    return { said: world.greeting, ids }
  }
  await start()
  await writeFile(join(cwd, 'world.yaml'), 'name: Sol\n')
  const { said, ids } = await start()
  assert.deepEqual(ids, ['io', 'thebe'])
  const way = 'npx worldwright delete . --type sol:moon --yes'
  assert.ok(said.includes(`sol:moon: 2 entities that the sources do not hold are kept`), said)
  assert.ok(said.includes(way), said)
  assert.ok((await runWith(['status'], { cwd })).out.includes(way))
  assert.equal((await runWith(way.split(' ').slice(2), { cwd })).code, 0)
  assert.doesNotMatch((await runWith(['status'], { cwd })).out, /kept/)
  // Entities deleted after their source was removed reappear if the source is added again.
  await writeFile(join(cwd, 'world.yaml'), 'sources: [moons.ndjson]\n')
  assert.deepEqual((await start()).ids, ['io', 'thebe'])
})

test('verify and status report entities that violate a tightened schema', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'name: Sol\n', 'moons.ndjson': MOONS })
  assert.equal((await runWith(['import', 'moons.ndjson'], { cwd })).code, 0)
  await writeFile(join(cwd, 'world.yaml'), DEFINITION.replace('type: number', 'type: number, maximum: 1'))
  const line = /^warning: sol:moon: 1 entity breaks the schema of the type:\n {2}thebe \/attributes\/size /m
  assert.match((await runWith(['status'], { cwd })).out, line)
  const verified = await runWith(['verify', '--json'], { cwd })
  assert.match(verified.err, line)
  assert.deepEqual([verified.code, JSON.parse(verified.out).broken[0].count], [0, 1])
})

test('verify and backup stop on a signal and leave no files behind', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': MOONS })
  await runWith(['import', 'moons.ndjson', '--store', 'sqlite:world.db'], { cwd })
  for (const argv of [['verify'], ['backup', 'a.backup']]) {
    const signal = AbortSignal.abort()
    const ended = await runWith([...argv, '--store', 'sqlite:world.db'], { cwd, signal })
    assert.deepEqual([ended.code, ended.err], [1, 'error: Interrupted.\n'], argv[0])
  }
  await assert.rejects(readFile(join(cwd, 'a.backup')), { code: 'ENOENT' })
  await assert.rejects(readFile(join(cwd, 'a.backup.partial')), { code: 'ENOENT' })
})

test('import --to writes files to a served world and reports rejected records', async (t) => {
  const { cwd, url, run, ids, token } = await writable(t)
  const lines = ['{"id":"a","size":1}', '{"id":"b","size":"big"}', '{"id":"c","size":3}', '{"id":"c"}']
  await writeFile(join(cwd, 'new.ndjson'), lines.join('\n'))
  const flags = ['--type', 'sol:moon', '--to', url]
  const dry = await run('import', 'new.ndjson', ...flags, '--dry-run')
  assert.match(dry.err, /A dry run/)
  assert.deepEqual(await ids('sol:moon'), ['io', 'thebe'])
  const imported = await run('import', 'new.ndjson', ...flags, '--json')
  assert.equal(imported.code, 1)
  assert.match(imported.err, /new\.ndjson:2 [\s\S]*Written to .*: 2 new, 0 changed, 0 unchanged, 0 deleted/)
  assert.equal(JSON.parse(imported.out).rejected, 2)
  assert.deepEqual(await ids('sol:moon'), ['a', 'c', 'io', 'thebe'])
  // Without a local definition, the world validates against its own schemas.
  const elsewhere = await folderOf(t, { 'new.ndjson': lines.slice(0, 2).join('\n') })
  const sent = await runWith(['import', 'new.ndjson', ...flags, '--token', token], { cwd: elsewhere })
  assert.equal(sent.code, 1)
  assert.match(
    sent.err,
    /sol:moon b \/attributes\/size: must be number[\s\S]*1 unchanged, 0 deleted, 1 rejected there/,
  )
  await writeFile(join(cwd, 'new.ndjson'), '{"id":"a","size":1}\n{"id":"io","size":7}\n')
  const replaced = await run('import', 'new.ndjson', ...flags, '--replace')
  assert.match(replaced.err, /0 new, 1 changed, 1 unchanged, 2 deleted, 0 rejected there/)
  assert.deepEqual(await ids('sol:moon'), ['a', 'io'])
  assert.equal((await run('import', 'new.ndjson', '--to', url, '--store', 'sqlite:x.db')).code, 2)
})
