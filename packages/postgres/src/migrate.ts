/** Migrates a store in PostgreSQL, and dumps it before with `pg_dump`. */
import { execFile } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { StoreFault } from '@worldwright/core/store'
import { postgresAddress } from './address.ts'
import { migrateStore, plannedMigration } from './format.ts'
import { asked } from './whole-store.ts'

/** Operations that bring a store to the format of this version, which no start of a node does. */
export type StoreMigration = ReturnType<typeof migrationOf>

/** Returns the migration of the store that a URL names. */
export function migrationOf(url: string) {
  return {
    /** Returns the formats before and after a migration, which are equal if nothing is to be done; undefined without a store. */
    planned: () => asked(url, plannedMigration),
    /** Dumps the store to a new file for `pg_restore`. @throws StoreFault `unsupported` without `pg_dump` */
    dump: (file: string, signal: AbortSignal) => dumpStore(url, file, signal),
    /** Migrates the store, completely or not at all. @throws StoreFault `busy` if readers or writers hold it too long */
    run: () => asked(url, (database) => migrateStore(database)),
  }
}

async function dumpStore(url: string, file: string, signal: AbortSignal): Promise<void> {
  const { servers, schema, name } = postgresAddress(url)
  const [{ password } = {}] = servers
  const root = new URLSearchParams(url.split('?')[1]).get('sslrootcert') ?? 'system'
  const parameters = new URLSearchParams({
    ...(servers.some(({ ssl }) => ssl)
      ? { sslmode: 'verify-full', sslrootcert: root }
      : { sslmode: 'disable' }),
    target_session_attrs: 'read-write',
  })
  const address = `${name.split('?')[0]}?${parameters}`
  // The dump has the digests of tokens, so nobody else may read it.
  closeSync(openSync(file, 'wx', 0o600))
  try {
    // The environment shows the password to no other user, unlike an argument.
    const env = { ...process.env, ...(typeof password === 'string' && { PGPASSWORD: password }) }
    // They would name another server than the address does.
    for (const name of ['PGHOSTADDR', 'PGPORT', 'PGSERVICE']) delete env[name as keyof typeof env]
    const args = [
      '--no-password',
      '--format=custom',
      `--schema=${schema}`,
      `--file=${file}`,
      `--dbname=${address}`,
    ]
    await promisify(execFile)('pg_dump', args, { env, signal })
  } catch (cause) {
    rmSync(file, { force: true })
    const { code, stderr = '' } = cause as NodeJS.ErrnoException & { stderr?: string }
    if (signal.aborted) throw cause
    if (code === 'ENOENT')
      throw new StoreFault(
        'unsupported',
        'There is no pg_dump on this machine to dump the store before. Install it, or add --no-dump after a backup of your own.',
        { cause },
      )
    throw new StoreFault(
      'io',
      `pg_dump made no dump, so nothing was migrated: ${stderr.trim() || (cause as Error).message}`,
      { cause },
    )
  }
}
