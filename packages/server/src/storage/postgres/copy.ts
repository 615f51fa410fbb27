/** What the database holds, taken over into a node's own store: one snapshot at a time. */
import type {
  FollowedChange,
  Following,
  MaybePromise,
  MetadataRecord,
  Position,
  Storage,
  StoredToken,
} from '../contract.ts'
import { epochOf, positionOf, type Reach, reachOf } from '../history.ts'
import { RULES_KEY, rulesOfText } from '../index-rules.ts'
import type { Database } from './database.ts'
import { type DatabaseState, mend, refuseOther, stateOf } from './database-state.ts'
import type { View } from './follower.ts'
import type { Life } from './life.ts'
import { PAGE, pages } from './pages.ts'
import { type Room, text } from './rows.ts'
import type { Session } from './session.ts'

/** The names of the values that were taken over, in the node's own store. */
const COPIED = 'copied-values'

/** The name of what the node has seen of its database, in the node's own store. */
const SEEN = 'database-seen'

/** What a node has seen of its database. */
interface Seen {
  readonly life: Life | undefined
  /** When what it holds was all there was, in milliseconds since 1970. */
  readonly at: number
}

interface ChangedRow {
  readonly number: number
  readonly type: Buffer
  readonly id: Buffer
  readonly revision: string | null
  readonly json: string | null
}

/** Keeps a node's own store what the database holds. One look at a time. */
export class Copy implements View {
  readonly #database: Database
  readonly #storage: Storage
  /** Of the values and tokens that were taken over last. */
  #rooms: Readonly<Record<Room, number>> = { metadata: -1, tokens: -1 }
  #seen: Seen = { life: undefined, at: 0 }

  /** `storage`: the node's own, which nobody else writes. */
  constructor(database: Database, storage: Storage) {
    this.#database = database
    this.#storage = storage
  }

  get currentAt(): number {
    return this.#seen.at
  }

  hasReached(position: Position): MaybePromise<boolean | undefined> {
    return this.#storage.hasReached(position)
  }

  /** Reads what this node has seen of its database, so that no former primary is taken for one: before the first connection. */
  async recall(): Promise<void> {
    const kept = (await this.#storage.metadata(SEEN))?.value
    if (kept !== undefined) this.#seen = JSON.parse(kept) as Seen
    if (this.#seen.life) this.#database.primary.remember(this.#seen.life)
  }

  /**
   * Takes over all that was committed before the call. What other transactions were writing meanwhile is pending in the
   * position, and comes with a later look.
   * @throws StorageFault
   */
  async look(): Promise<void> {
    const mine = await this.#storage.position()
    const at = Date.now()
    try {
      await this.#database.reading((session) => this.#take(session, mine, at))
    } catch (error) {
      await mend(this.#database, error)
      await this.look()
    }
  }

  async #take(session: Session, mine: string, at: number): Promise<void> {
    // Asked with the first question: only where the histories are the same, it was the right one.
    const last = reachOf(epochOf(mine), mine)
    const [state, changed] = await Promise.all([stateOf(session), last && firstChanges(session, last)])
    const { epoch, number, pending } = state.reach
    const known = reachOf(epoch, mine)
    refuseOther(state, known)
    // Deletions that this node never saw may be forgotten.
    const isNew = known === undefined || state.trimmed > known.number
    if (state.rooms.tokens !== this.#rooms.tokens) await keepTokens(this.#storage, await tokensIn(session))
    const isSame = known?.number === number && known.pending.join() === pending.join()
    const hasValues = state.rooms.metadata !== this.#rooms.metadata
    const { life } = this.#database.primary
    if (isNew || !isSame || hasValues || life?.timeline !== this.#seen.life?.timeline) {
      const named = hasValues ? await valuesIn(session) : undefined
      // The index of what comes has to be built by the rules that come with it.
      if (named) await this.#storage.setIndexRules(rulesOfText(named.get(RULES_KEY)))
      const metadata = {
        ...(named && (await this.#metadataFrom(named))),
        [SEEN]: JSON.stringify({ life, at } satisfies Seen),
      }
      const pages = isNew || !changed ? everything(session) : changedSince(session, known, changed)
      await this.#follow(pages, isNew, state, metadata)
    }
    this.#rooms = state.rooms
    this.#seen = { life, at }
  }

  async #follow(
    pages: AsyncIterable<readonly ChangedRow[]>,
    isNew: boolean,
    { reach, trimmed, types }: DatabaseState,
    metadata: MetadataRecord,
  ): Promise<void> {
    const following = await this.#storage.follow()
    try {
      for await (const page of pages) await following.add(page.map((row) => changeOf(row, reach.epoch)))
      await following.commit({
        fromBeginning: isNew,
        position: positionOf(reach.epoch, reach.number, reach.pending),
        earliest: positionOf(reach.epoch, trimmed),
        versions: new Map([...types].map(([type, { number }]) => [type, positionOf(reach.epoch, number)])),
        metadata,
      })
    } catch (error) {
      await abandon(following)
      throw error
    }
  }

  /** The values to keep; those that the database has no more are undefined. */
  async #metadataFrom(named: ReadonlyMap<string, string>): Promise<MetadataRecord> {
    const before = JSON.parse((await this.#storage.metadata(COPIED))?.value ?? '[]') as string[]
    const now = [...named].filter(([name]) => name !== RULES_KEY)
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

/** Those that changed behind a reach, and those that were pending there. */
const CHANGED = `${COLUMNS} WHERE ${IS_NEW} UNION ALL ${DELETIONS} WHERE ${IS_NEW}`

/** The first page of what changed behind a reach, and one more where that is not all. */
function firstChanges(session: Session, { number, pending }: Reach): Promise<ChangedRow[]> {
  return session.query(`${CHANGED} LIMIT ${PAGE + 1}`, [number, pending])
}

/** What changed behind a reach; `first`: as `firstChanges` says. */
async function* changedSince(
  session: Session,
  { number, pending }: Reach,
  first: ChangedRow[],
): AsyncGenerator<ChangedRow[]> {
  if (first.length <= PAGE) yield first
  else yield* pages(session, CHANGED, [number, pending])
}

async function* everything(session: Session): AsyncGenerator<ChangedRow[]> {
  yield* pages(session, `${COLUMNS} UNION ALL ${DELETIONS}`)
}

function changeOf({ number, type, id, revision, json }: ChangedRow, epoch: string): FollowedChange {
  const key = { type: text(type), id: text(id) }
  const entity = revision === null || json === null ? undefined : { ...key, revision, json }
  return { ...key, ...(entity && { entity }), position: positionOf(epoch, number) }
}

async function valuesIn(session: Session): Promise<Map<string, string>> {
  const rows = await session.query<{ key: string; value: string }>('SELECT key, value FROM metadata')
  return new Map(rows.map(({ key, value }) => [key, value]))
}

async function tokensIn(session: Session): Promise<StoredToken[]> {
  const rows = await session.query<{ id: string; value: string; lastUsed: string | null }>(
    'SELECT id, value, last_used AS "lastUsed" FROM tokens',
  )
  return rows.map(({ id, value, lastUsed }) => ({ id, value, ...(lastUsed !== null && { lastUsed }) }))
}

async function keepTokens({ tokens }: Storage, now: readonly StoredToken[]): Promise<void> {
  const ids = new Set(now.map(({ id }) => id))
  for (const { id } of await tokens.list()) if (!ids.has(id)) await tokens.remove(id)
  for (const { id, value, lastUsed } of now) {
    const mine = await tokens.get(id)
    if (mine?.value !== value) await tokens.put(id, value)
    if (lastUsed !== undefined && mine?.lastUsed !== lastUsed) await tokens.noteUse(id, lastUsed)
  }
}

/** A failure must not hide the one before it. */
async function abandon(following: Following): Promise<void> {
  try {
    await following.abort()
  } catch {}
}
