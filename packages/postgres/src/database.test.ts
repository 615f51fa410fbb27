import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { Database } from './database.ts'
import { NO_POSTGRES, startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())

async function databaseFor(t: TestContext): Promise<Database | undefined> {
  if (server === undefined) {
    t.skip(NO_POSTGRES)
    return undefined
  }
  const database = new Database(server.url)
  t.after(() => database.close())
  await database.query('DROP TABLE IF EXISTS public.t')
  await database.query('CREATE TABLE public.t (x int PRIMARY KEY, y text)')
  return database
}

const rowsOf = (database: Database) => database.query('SELECT x, y FROM public.t ORDER BY x')

test('a transaction with a failed statement is rolled back and rejects with the error of that statement', async (t) => {
  const database = await databaseFor(t)
  if (!database) return
  const writing = (last: string) =>
    database.writing(async (session) => {
      session.send('INSERT INTO public.t (x) VALUES (1)')
      session.send('INSERT INTO public.t (x) VALUES (1)')
      if (last !== '') await session.query(last)
    })
  // Also for callers that await a later statement, which itself reports only that the transaction has failed.
  for (const last of ['', 'SELECT 1']) await assert.rejects(writing(last), { code: '23505' })
  assert.deepEqual(await rowsOf(database), [])
  await database.writing(async (session, undone) => {
    session.send('INSERT INTO public.t (x) VALUES (2)')
    undone()
  })
  assert.deepEqual(await rowsOf(database), [])
})

test('COPY loads either all rows or none, and the connection stays usable', async (t) => {
  const database = await databaseFor(t)
  if (!database) return
  const into = 'public.t (x, y)'
  const load = (rows: string) => database.loading((session) => session.copy(into, rows))
  await load('1\ta\\\\b\n2\tü\n')
  const many = Array.from({ length: 100_000 }, (_, at) => `${at + 10}\t${'x'.repeat(20)}\n`).join('')
  // The first row fails while most of the others are still being sent.
  await assert.rejects(load(`1\ta\n${many}`), { code: '23505' })
  const failing = database.loading(async (session) => {
    await session.copy(into, '3\tc\n')
    await session.query('SELECT 1/0')
  })
  await assert.rejects(failing, { code: '22012' })
  await load('4\td\n')
  assert.deepEqual(await rowsOf(database), [
    { x: 1, y: 'a\\b' },
    { x: 2, y: 'ü' },
    { x: 4, y: 'd' },
  ])
})
