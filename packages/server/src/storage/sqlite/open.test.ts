import { DatabaseSync } from 'node:sqlite'
import type { Storage } from '../contract.ts'
import { describeStorage } from '../suite.ts'
import { openSqliteStorage } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

const files = new WeakMap<Storage, string>()

describeStorage(
  'the SQLite engine',
  ({ now, after }) => {
    const folder = temporaryFolder()
    after(folder.remove)
    const file = folder.file('world.db')
    const storage = openSqliteStorage(file, { now })
    files.set(storage, file)
    return storage
  },
  {
    damage(storage, { type, id }) {
      const db = new DatabaseSync(files.get(storage) ?? '')
      // One character of the title, of the same length: still JSON, and no version moves.
      const damaged = `replace(replace(json, '"Io"', '"I0"'), '"attributes"', '"atTributes"')`
      db.prepare(`UPDATE entities SET json = ${damaged} WHERE type = ? AND id = ?`).run(type, id)
      db.close()
    },
  },
)
