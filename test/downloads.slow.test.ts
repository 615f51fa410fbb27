import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { serve } from './command.ts'
import { isPresentOrSkips } from './missing.ts'
import { ROOT } from './source-files.ts'

const run = promisify(execFile)
const READERS = join(ROOT, '.ci/readers')
const PYTHON = join(READERS, 'venv/bin/python')

test('DuckDB and pandas read downloads by URL, as a whole and in ranges', async (t) => {
  if (!isPresentOrSkips(t, existsSync(PYTHON), 'DuckDB and pandas')) return
  const folder = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.after(() => rm(folder, { recursive: true }))
  const store = `sqlite:${join(folder, 'sol.db')}`
  const { origin } = await serve(t, 'examples/solar-system', '--store', store, '--workers', '1')
  const { stdout } = await run(PYTHON, [join(READERS, 'read.py'), `${origin}/download/sol%3Aplanet`])
  const jupiter = [8, 69_911]
  assert.deepEqual(JSON.parse(stdout), {
    duckdb: { parquet: jupiter, csv: jupiter, ndjson: jupiter },
    pandas: { parquet: jupiter, csv: jupiter, ndjson: jupiter, radius: 'float64' },
    ranges: 8,
  })
})

test('Parquet and CSV of a large type are made without a request, after the first load', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'prepared-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(
    join(folder, 'world.yaml'),
    'sources: [{ file: rows.csv, type: x:row }, { file: few.csv, type: x:few }]\n',
  )
  const rows = Array.from({ length: 200_000 }, (_, at) => `${at},${at % 7}\n`)
  await writeFile(join(folder, 'rows.csv'), `id,n\n${rows.join('')}`)
  await writeFile(join(folder, 'few.csv'), 'id,n\n1,1\n')
  const { origin } = await serve(t, folder, '--workers', '2')
  const made = async () => {
    const names = await readdir(join(folder, 'world.db.downloads')).catch(() => [])
    return names.filter((name) => /\.(csv|parquet)\.json$/.test(name)).map((name) => name.split('.')[1])
  }
  while ((await made()).length < 2) await pause(100)
  assert.deepEqual((await made()).sort(), ['csv', 'parquet'])
  const answer = await fetch(`${origin}/download/x%3Arow.parquet`, { method: 'HEAD' })
  assert.equal(answer.status, 200)
  // A worker asks for the file that the primary has made, and no other is made.
  assert.deepEqual((await made()).sort(), ['csv', 'parquet'])
})
