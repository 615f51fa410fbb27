import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { Database } from './database.ts'
import { startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())

async function databaseFor(t: TestContext): Promise<Database | undefined> {
  if (server === undefined) {
    t.skip('not run: this machine has no PostgreSQL')
    return undefined
  }
  const database = new Database(server.url)
  t.after(() => database.close())
  await database.query('DROP TABLE IF EXISTS public.t')
  await database.query('CREATE TABLE public.t (x int PRIMARY KEY, y text)')
  return database
}

const rowsOf = (database: Database) => database.query('SELECT x, y FROM public.t ORDER BY x')

test('a failed statement undoes its transaction, and is the error that the caller gets', async (t) => {
  const database = await databaseFor(t)
  if (!database) return
  const writing = (last: string) =>
    database.writing(async (session) => {
      session.send('INSERT INTO public.t (x) VALUES (1)')
      session.send('INSERT INTO public.t (x) VALUES (1)')
      if (last !== '') await session.query(last)
    })
  // Also if the caller waits for a later statement, which only reports that the transaction has failed.
  for (const last of ['', 'SELECT 1']) await assert.rejects(writing(last), { code: '23505' })
  assert.deepEqual(await rowsOf(database), [])
  await database.writing(async (session, undone) => {
    session.send('INSERT INTO public.t (x) VALUES (2)')
    undone()
  })
  assert.deepEqual(await rowsOf(database), [])
})

test('rows loaded by COPY are all there, or none, and the connection stays usable', async (t) => {
  const database = await databaseFor(t)
  if (!database) return
  const into = 'public.t (x, y)'
  const load = (rows: string) => database.loading((session) => session.copy(into, rows))
  await load('1\ta\\\\b\n2\tü\n')
  const many = Array.from({ length: 100_000 }, (_, at) => `${at + 10}\t${'x'.repeat(20)}\n`).join('')
  // The first row fails while much of the rest is still on its way.
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
