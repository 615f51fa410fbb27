import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

test('init takes the tables that are named, and databases by their URLs only', async (t) => {
  const cwd = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(cwd, { recursive: true }))
  await writeFile(join(cwd, 'books.csv'), 'id,title\n1,Dune\n')
  await writeFile(join(cwd, 'loans.csv'), 'loan_id,day\n1,a\n2,b\n')
  const both = ['init', 'books.csv', 'loans.csv', '--tables']
  const none = await runWith([...both, 'book'], { cwd })
  assert.deepEqual(
    [none.code, none.err],
    [1, 'error: There is no table book. The tables are books, loans.\n'],
  )
  const other = await runWith(['init', 'oracle://reader:geheim@db.example/shop'], { cwd })
  assert.equal(other.code, 2)
  assert.match(
    other.err,
    /init reads files, and databases by postgres:\/\/ and mysql:\/\/ URLs, but no oracle:\/\/\n/,
  )
  const unset = await runWith(['init', '$SHOP'], { cwd, env: {} })
  assert.equal(unset.err, 'error: $SHOP: the environment variable SHOP is not set.\n')
  const web = await runWith(['init', '$SHOP'], { cwd, env: { SHOP: 'https://a:geheim@b.example' } })
  assert.match(
    web.err,
    /^error: \$SHOP: this is no URL such as postgres:\/\/user@host\/database or mysql:\/\/…\.\n$/,
  )
  assert.equal(existsSync(join(cwd, 'world.yaml')), false)
  assert.equal((await runWith([...both, 'loans'], { cwd })).code, 0)
  assert.doesNotMatch(await readFile(join(cwd, 'world.yaml'), 'utf8'), /books\.csv/)
})

test('three records of each type are shown, and ten of a single one', async (t) => {
  const rows = Array.from({ length: 12 }, (_, at) => `x${at},Word ${at}`)
  const csv = `id,name\n${rows.join('\n')}\n`
  const cwd = await folderOf(t, { 'books.csv': csv, 'loans.csv': csv.replaceAll('x', 'y') })
  const shown = async (...files: string[]) => {
    const { err } = await runWith(['init', ...files], { cwd })
    return [...err.matchAll(/^ {2}\S+ +([xy]\d+) /gm)].map(([, id]) => id)
  }
  assert.deepEqual(await shown('books.csv', 'loans.csv'), ['x0', 'x1', 'x2', 'y0', 'y1', 'y2'])
  await rm(join(cwd, 'world.yaml'))
  assert.equal((await shown('books.csv')).length, 10)
})
