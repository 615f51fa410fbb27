/** Replicates the database into a node's local store, one snapshot at a time. */
import { tracingChannel } from 'node:diagnostics_channel'
import type {
  FollowedChange,
  Following,
  MaybePromise,
  NamedValues,
  Position,
  Store,
} from '@worldwright/core/store'
import {
  beginToFollow,
  epochOf,
  isBeside,
  isReached,
  namedValue,
  positionNow,
  positionOf,
  type Reach,
  RULES_KEY,
  reachOf,
  rulesOfText,
  setIndexRules,
} from '@worldwright/core/store'
import type { Database } from './database.ts'
import { type DatabaseState, mend, refuseOther, stateOf } from './database-state.ts'
import type { View } from './follower.ts'
import type { Life } from './life.ts'
import type { LogRow } from './log.ts'
import { PAGE, pages } from './pages.ts'
import { type Room, text } from './rows.ts'
import type { Session } from './session.ts'

/** Publishes each snapshot that is applied to tracers in this process. */
const batches = tracingChannel('worldwright:follow')

/** Key in the local store under which the names of the replicated values are kept. */
const COPIED = 'copied-values'

/** Key in the local store under which the last observation of the database is kept. */
export const SEEN = 'database-seen'

/** The node's last observation of its database. */
interface Seen {
  readonly life: Life | undefined
  /** Last time the local store was current, in milliseconds since 1970. */
  readonly at: number
}

/** Keeps a node's local store up to date with the database. `look` must not be called concurrently. */
export class Replica implements View {
  readonly #database: Database
  readonly #store: Store
  /** Each room's last write number when its values were last replicated. */
  #rooms: Readonly<Record<Room, number>> = { metadata: -1, beside: -1, apart: -1 }
  #seen: Seen = { life: undefined, at: 0 }

  /** Creates a replica in `store`, which must have no other writer. */
  constructor(database: Database, store: Store) {
    this.#database = database
    this.#store = store
  }

  get currentAt(): number {
    return this.#seen.at
  }

  hasReached(position: Position): MaybePromise<boolean | undefined> {
    return isReached(this.#store, position)
  }

  /** Restores the last observation, so that a former primary is refused. Must be called before the first connection. */
  async recall(): Promise<void> {
    const kept = (await namedValue(this.#store, SEEN))?.value
    if (kept !== undefined) this.#seen = JSON.parse(kept) as Seen
    if (this.#seen.life) this.#database.primary.remember(this.#seen.life)
  }

  /**
   * Replicates everything committed before the call. Transactions still in progress are recorded as pending in the position,
   * and a later call replicates them.
   * @throws StoreFault
   */
  async look(): Promise<void> {
    const mine = await positionNow(this.#store)
    const at = Date.now()
    try {
      await this.#database.reading((session) => this.#take(session, mine, at))
    } catch (error) {
      await mend(this.#database, error)
      await this.look()
    }
  }

  async #take(session: Session, mine: string, at: number): Promise<void> {
    // Pipelined with the state query. The result is used only if the database still has the same history.
    const last = reachOf(epochOf(mine), mine)
    const looking = stateOf(session)
    const changing = last && firstChanges(session, last)
    // Refused before, if the format is another one.
    changing?.catch(() => {})
    const state = await looking
    const changed = await changing
    const { epoch, number, pending } = state.reach
    const known = reachOf(epoch, mine)
    refuseOther(state, known)
    // Deletions that this node never saw may have been trimmed.
    const isNew = known === undefined || state.trimmed > known.number
    if (state.rooms.beside !== this.#rooms.beside) await keepBeside(this.#store, await valuesIn(session))
    const isSame = known?.number === number && known.pending.join() === pending.join()
    const hasValues = state.rooms.metadata !== this.#rooms.metadata
    const { life } = this.#database.primary
    if (isNew || !isSame || hasValues || life?.timeline !== this.#seen.life?.timeline) {
      const named = hasValues ? await valuesIn(session) : undefined
      // Set first, since the entities must be indexed with the index rules of the same snapshot.
      if (named) await setIndexRules(this.#store, rulesOfText(named.get(RULES_KEY)))
      const values = {
        ...(named && (await this.#valuesFrom(named))),
        [SEEN]: JSON.stringify({ life, at } satisfies Seen),
      }
      const everything = () => pages<LogRow>(session, `${COLUMNS} UNION ALL ${DELETIONS}`)
      const rows = isNew || !changed ? everything() : changedSince(session, known, changed)
      const batch = { changes: 0 }
      await batches.tracePromise(() => this.#follow(rows, isNew, state, values, batch), batch)
    }
    this.#rooms = state.rooms
    this.#seen = { life, at }
  }

  async #follow(
    pages: AsyncIterable<readonly LogRow[]>,
    isNew: boolean,
    { reach, trimmed, types }: DatabaseState,
    values: NamedValues,
    batch: { changes: number },
  ): Promise<void> {
    const following = await beginToFollow(this.#store)
    try {
      for await (const page of pages) {
        batch.changes += page.length
        await following.add(page.map((row) => changeOf(row, reach.epoch)))
      }
      await following.commit({
        fromBeginning: isNew,
        position: positionOf(reach.epoch, reach.number, reach.pending),
        earliest: positionOf(reach.epoch, trimmed),
        versions: new Map([...types].map(([type, { number }]) => [type, positionOf(reach.epoch, number)])),
        values,
      })
    } catch (error) {
      await abandon(following)
      throw error
    }
  }

  /** Returns the values to store, with undefined for those that the database no longer has. */
  async #valuesFrom(named: ReadonlyMap<string, string>): Promise<NamedValues> {
    const before = JSON.parse((await namedValue(this.#store, COPIED))?.value ?? '[]') as string[]
    const now = [...named].filter(([name]) => name !== RULES_KEY && !isBeside(name))
    return {
      ...Object.fromEntries(before.map((name) => [name, undefined])),
      ...Object.fromEntries(now),
      [COPIED]: JSON.stringify(now.map(([name]) => name)),
    }
  }
}

const COLUMNS = `SELECT number, type, id, revision, json FROM entities`
const DELETIONS = `SELECT number, type, id, NULL, NULL FROM deletions`

const IS_NEW = '(number > $1 OR number = ANY($2::bigint[]))'

/** Selects the changes after a reach and the changes that were pending at that reach. */
const CHANGED = `${COLUMNS} WHERE ${IS_NEW} UNION ALL ${DELETIONS} WHERE ${IS_NEW}`

/** Returns the first page of changes after a reach, plus one row if there are more. */
function firstChanges(session: Session, { number, pending }: Reach): Promise<LogRow[]> {
  return session.query(`${CHANGED} LIMIT ${PAGE + 1}`, [number, pending])
}

/** Yields the changes after a reach. `first` is the result of `firstChanges`. */
async function* changedSince(
  session: Session,
  { number, pending }: Reach,
  first: LogRow[],
): AsyncGenerator<LogRow[]> {
  if (first.length <= PAGE) yield first
  else yield* pages(session, CHANGED, [number, pending])
}

function changeOf({ number, type, id, revision, json }: LogRow, epoch: string): FollowedChange {
  const key = { type: text(type), id: text(id) }
  const entity = revision === null || json === null ? undefined : { ...key, revision, json }
  return { ...key, ...(entity && { entity }), position: positionOf(epoch, number) }
}

/** Returns the values to replicate: all except those named `~~…`, of which there may be very many. */
async function valuesIn(session: Session): Promise<Map<string, string>> {
  const rows = await session.query<{ key: string; value: string }>(
    `SELECT key, value FROM metadata WHERE key COLLATE "C" < '~~' OR key COLLATE "C" >= E'~\\x7F'`,
  )
  return new Map(rows.map(({ key, value }) => [key, value]))
}

/** Replaces the local values beside the content with those of the database. */
async function keepBeside(store: Store, named: ReadonlyMap<string, string>): Promise<void> {
  const beside = [...named].filter(([name]) => isBeside(name))
  const before = [...(await store.values('')).keys()].filter(isBeside)
  const values = {
    ...Object.fromEntries(before.map((name) => [name, undefined])),
    ...Object.fromEntries(beside),
  }
  await store.write([], { values })
}

/** Aborts, ignoring any failure so that it does not hide the original error. */
async function abandon(following: Following): Promise<void> {
  try {
    await following.abort()
  } catch {}
}
