import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
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
