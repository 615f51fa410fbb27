import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { moon } from '../../core/src/store/suite-data.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

test('a commit that is done succeeds even if the staged rows cannot be removed', async (t) => {
  const folder = temporaryFolder()
  const file = folder.file('a.db')
  const storage = openSqliteStore(file)
  t.after(async () => {
    await storage.close()
    folder.remove()
  })
  const load = await storage.bulk()
  await load.add([moon('io')])
  const other = new DatabaseSync(file)
  other.exec("CREATE TRIGGER full BEFORE DELETE ON staged BEGIN SELECT RAISE(ABORT, 'no room'); END")
  assert.equal((await load.commit()).created, 1)
  assert.ok(await storage.get('sol:moon', 'io'))
  other.exec('DROP TRIGGER full')
  other.close()
})
