import { describeStorage } from '../suite.ts'
import { openSqliteStorage } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

describeStorage('the SQLite engine', ({ now, after }) => {
  const folder = temporaryFolder()
  after(folder.remove)
  return openSqliteStorage(folder.file('world.db'), { now })
})
