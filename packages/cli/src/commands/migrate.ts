import { resolve } from 'node:path'
import { storeAt } from '@worldwright/engines'
import { workspaceToFill } from '@worldwright/serve/open'
import { FAILED, type Io, say, UsageFault } from '@worldwright/serve/terminal'

/** Command-line flags of `world migrate`. */
export interface MigrateOptions {
  readonly store?: string
  readonly check?: boolean
  readonly dump: boolean
}

/** Dumps and migrates a store. With `check`, only says what would be done, and returns 1 if that is anything. */
export async function migrateCommand({ store, check, dump }: MigrateOptions, io: Io): Promise<number> {
  const { name, migration } = await storeAt((await workspaceToFill(store, io)).store)
  if (!migration)
    throw new UsageFault(
      `The store ${name} is migrated by the first start of a newer version, which keeps a copy of it. This command is for postgres://…`,
    )
  const planned = await migration.planned()
  if (!planned) {
    say(io, `There is no store ${name} yet: the first node creates it. Nothing to do.`)
    return 0
  }
  const { from, to } = planned
  if (from.format === to.format) {
    say(
      io,
      `The store has format ${from.format} already, for nodes of format ${from.least} or newer. Nothing to do.`,
    )
    return 0
  }
  const refusal =
    to.least > from.least ? 'older ones are refused: stop them before' : 'older ones are refused'
  const what = `from format ${from.format} to ${to.format}. Nodes of format ${to.least} or newer work with that, ${refusal}.`
  if (check) {
    say(io, `The store ${name} would be migrated ${what}`)
    return FAILED
  }
  if (dump) {
    const time = new Date().toISOString().replace(/\.\d+|:/g, '')
    const file = resolve(io.cwd, `store.format-${from.format}.${time}.dump`)
    await migration.dump(file, io.signal)
    say(io, `Dumped the store to ${file}. To restore it: pg_restore.`)
  }
  await migration.run()
  say(io, `Migrated the store ${name} ${what}`)
  return 0
}
