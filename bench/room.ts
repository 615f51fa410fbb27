/**
 * Reports the disk space per entity of a store in a file: `node --conditions=@worldwright/source bench/room.ts
 * world.db…`, for example a store created by `world import`. Free pages stay in the file, and later writes reuse them.
 */
import { DatabaseSync } from 'node:sqlite'

/** Counts pages by owner. Every page belongs to a table or an index, or is free. */
const ROOM = `
  SELECT (SELECT count(*) FROM entities) AS entities,
    (SELECT sum(pgsize) FROM dbstat('main', 1) JOIN sqlite_master USING (name) WHERE tbl_name LIKE 'search%') AS search,
    (SELECT sum(pgsize) FROM dbstat('main', 1)) AS used,
    (SELECT freelist_count FROM pragma_freelist_count) * (SELECT page_size FROM pragma_page_size) AS free`

process.stdout.write(
  '| bytes for each entity | entities | rows | search index | free pages |\n|---|---|---|---|---|\n',
)
for (const file of process.argv.slice(2)) {
  const database = new DatabaseSync(file, { readOnly: true })
  const found = database.prepare(ROOM).get() ?? {}
  const [entities = 0, search = 0, used = 0, free = 0] = ['entities', 'search', 'used', 'free'].map((name) =>
    Number(found[name]),
  )
  const each = (bytes: number) => (bytes / entities).toFixed(0)
  const cells = [file, entities, each(used - search), each(search), each(free)]
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
  database.close()
}
