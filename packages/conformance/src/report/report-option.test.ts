import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { header, list } from '../../testing/breakages.ts'
import { minimalWorld } from '../../testing/minimal-world.ts'
import { referenceWorld } from '../../testing/reference-world.ts'
import { run } from '../../testing/run-command.ts'
import { check } from '../command.ts'

const HOSTILE = header(list, 'cache-control', 'public').broken

test('--report writes a report and a badge, and leaves other files in the folder alone', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  t.after(() => rm(folder, { recursive: true }))
  const reports = join(folder, 'new', 'reports')
  await using world = await referenceWorld({}, HOSTILE)
  await mkdir(reports, { recursive: true })
  await writeFile(join(reports, 'index.html'), 'mine')
  const { code } = await run(world.origin, '--only', 'D6-2', '--report', reports)
  assert.equal(code, 1)
  assert.deepEqual((await readdir(reports)).toSorted(), [
    'badge.svg',
    'index.html',
    'report.html',
    'report.json',
  ])
  assert.equal(await readFile(join(reports, 'index.html'), 'utf8'), 'mine')
  const { date, results, ...report } = JSON.parse(await readFile(join(reports, 'report.json'), 'utf8'))
  assert.match(date, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.equal(results.length, 2)
  const { name, role, profile, only, checks, kit, rules, world: id, reading, verdict } = report
  assert.deepEqual([name, role, profile, only, checks], [world.origin, 'server', 'full', ['D6-2'], 2])
  assert.deepEqual([kit, rules, id], ['0.1.0', '1.1', 'urn:example:reference'])
  assert.deepEqual(reading, { profile: 'worldwright/reading-1', names: {}, proved: [] })
  assert.deepEqual(verdict, { state: 'failed', text: '1 failed' })
})

test('--profile-file takes the reading profile of a report, from a file or a URL', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  t.after(() => rm(folder, { recursive: true }))
  await using world = await minimalWorld()
  const argv = [world.origin, '--only', 'L1-routes-6', '--json']
  const { reading } = JSON.parse((await run(...argv)).stdout)
  assert.deepEqual(reading.proved.toSorted(), ['cursor', 'entities', 'id', 'type'])
  const file = join(folder, 'profile.json')
  await writeFile(file, JSON.stringify({ ...reading, names: { ...reading.names, total: 'amount' } }))
  assert.match(
    (await run(...argv.slice(0, -1))).stdout,
    /\nRead by: entities=items, cursor=next, .*title=name \(a guess\)/,
  )
  const again = JSON.parse((await run(...argv, '--profile-file', file)).stdout)
  assert.deepEqual(again.reading, { ...reading, names: { ...reading.names, total: 'amount' } })
  const url = `${world.origin}/.well-known/world.json`
  for (const wrong of [url, `${world.origin}/nothing`, join(folder, 'none')]) {
    const { code, stderr } = await run(...argv, '--profile-file', wrong)
    assert.equal(code, 2)
    assert.ok(stderr.startsWith(`There is no reading profile at ${wrong}: `), stderr)
  }
})

test('a report on a run that is interrupted says that it was cut short', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  t.after(() => rm(folder, { recursive: true }))
  await using world = await referenceWorld()
  const ending = new AbortController()
  const stdout = { write: () => ending.abort() }
  const argv = [world.origin, '--profile', 'level-1', '--report', folder]
  assert.equal(await check(argv, { stdout, stderr: { write: () => {} }, signal: ending.signal }), 1)
  const { verdict } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
  assert.match(verdict.text, /^cut short after 1 of \d+$/)
  assert.match(await readFile(join(folder, 'badge.svg'), 'utf8'), />cut short after 1 of \d+ \| /)
})

test('a report that cannot be written is an error before anything is checked', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'file'), '')
  await mkdir(join(folder, 'badge.svg'))
  const paths = new Set<string>()
  await using world = await referenceWorld({}, { asked: ({ path }) => paths.add(path) })
  for (const unfit of [join(folder, 'file'), folder]) {
    const { code, stdout, stderr } = await run(world.origin, '--report', unfit)
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^The report cannot be written: E\w+: .*\. Name a folder that can be written\.\n/)
  }
  assert.deepEqual([...paths], ['/.well-known/world.json'])
})
