/**
 * Sends random queries with groups, measures, conditions and joins over 50,000 entities to stores in memory, SQLite and
 * PostgreSQL, and compares the answers with those of DuckDB and exact arithmetic. `GROUP_QUESTIONS=10000` sets the number of
 * queries. The default is 40.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createMemoryStore, isReached, positionNow, type Store } from '@worldwright/core/store'
import { memorySearch } from '@worldwright/search/entities'
import { dice } from '../packages/core/src/store/suite-data.ts'
import { groupsJson } from '../packages/extensions/src/query/group-json.ts'
import { readQuestion } from '../packages/extensions/src/query/read-input.ts'
import { openNode } from '../packages/postgres/src/node.ts'
import { NO_POSTGRES, startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { openSqliteStore } from '../packages/sqlite/src/open.ts'
import { Oracle } from './duckdb/oracle.ts'
import { QuestionData, TYPES } from './duckdb/question-data.ts'
import { RandomQuestions } from './duckdb/random-question.ts'

const QUESTIONS = Number(process.env['GROUP_QUESTIONS'] ?? 16)
const ENTITIES = 50_000
/** Entities per write: few enough that indexes have several segments. */
const AT_ONCE = 9_000
/** Time budget of a query, in milliseconds. Large enough that no answer is partial. */
const BUDGET_MS = 600_000

/** Creates the stores, by name. Reports PostgreSQL as missing if it is. */
async function stores(t: TestContext, folder: string): Promise<Map<string, Store>> {
  const server = await startPostgres()
  if (server === undefined) t.diagnostic(NO_POSTGRES)
  else t.after(() => server.end())
  const all = new Map<string, Store>([
    ['memory', createMemoryStore({ search: memorySearch })],
    ['SQLite', openSqliteStore(join(folder, 'sqlite.db'))],
  ])
  if (server) {
    const replica = openSqliteStore(join(folder, 'node.db'))
    t.after(() => replica.close())
    all.set('PostgreSQL', await openNode(server.url, { replica, appliedMs: BUDGET_MS }))
  }
  t.after(async () => {
    for (const store of all.values()) await store.close()
  })
  return all
}

async function fill(store: Store, { entities }: QuestionData): Promise<void> {
  for (let at = 0; at < entities.length; at += AT_ONCE)
    await store.write(entities.slice(at, at + AT_ONCE).map((put) => ({ put })))
  const position = await positionNow(store)
  while ((await isReached(store, position)) !== true) await pause(5)
}

test('groups and measures of memory, SQLite and PostgreSQL are those of DuckDB', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'groups-'))
  t.after(() => rm(folder, { recursive: true }))
  const data = new QuestionData(ENTITIES)
  const [asked, oracle] = [await stores(t, folder), await Oracle.over(data)]
  t.after(() => oracle.close())
  for (const store of asked.values()) await fill(store, data)
  const questions = new RandomQuestions(dice(Number(process.env['GROUP_SEED'] ?? 7)))
  let groups = 0
  let partial = 0
  for (let number = 0; number < QUESTIONS; number++) {
    const question = questions.next()
    const expected = await oracle.answer(question)
    const { types, where, group } = readQuestion(question.input, TYPES)
    assert.ok(group)
    for (const [name, store] of asked) {
      const found = await store.find({ types, where, group, limit: 0, budgetMs: BUDGET_MS })
      assert.ok(found.groups)
      // Sums of tens of thousands of groups, with values of all magnitudes, may need more room than a query has.
      if (found.groups.partial) {
        partial += 1
        continue
      }
      const { measures, ...json } = groupsJson(group, found.groups)
      const ignored = (measures as { ignored?: number }[]).map(({ ignored = 0 }) => ignored)
      const actual = { total: found.total, groups: json['groups'], groupsTotal: json['groupsTotal'], ignored }
      assert.deepStrictEqual(
        actual,
        expected,
        `question ${number}, ${name}: ${JSON.stringify(question.input)}`,
      )
    }
    groups += expected.groups.length
  }
  t.diagnostic(
    `${QUESTIONS} questions, ${groups} groups, ${[...asked.keys()].join(', ')}, ${partial} partial`,
  )
  assert.ok(partial <= (QUESTIONS * asked.size) / 500, `${partial} partial answers`)
  assert.ok(groups > 5 * QUESTIONS, 'most questions have several groups')
})
