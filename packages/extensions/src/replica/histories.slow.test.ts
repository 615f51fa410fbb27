import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { WorldHandler } from '../../../core/src/handler/handler.ts'
import type { Store } from '../../../core/src/store/contract.ts'
import { dice } from '../../../core/src/store/suite-data.ts'
import { backupStore, restoreStore } from '../../../sqlite/src/backup.ts'
import { openSqliteStore } from '../../../sqlite/src/open.ts'
import { temporaryFolder } from '../../../sqlite/src/temporary-folder.fixture.ts'
import { verifySearchIndex } from '../../../sqlite/src/verify-index.ts'
import { verifyStore } from '../../../sqlite/src/verify-store.ts'
import { describeUpstream } from './index.ts'
import {
  assertSameAnswers,
  following,
  ORIGIN,
  replicaOver,
  scribbler,
  upstreamOver,
  Wire,
} from './replica.fixture.ts'

/** Total number of writes, deletions and imports at the upstream. */
const OPERATIONS = Number(process.env['HISTORY_OPERATIONS'] ?? 10_000)
const DAY_MS = 24 * 60 * 60 * 1_000

/** Upstream and replica, both stored in files, with methods that simulate restarts, restores and outages. */
class History {
  readonly #t: TestContext
  readonly #folder = temporaryFolder()
  readonly #wire: Wire
  readonly #replica: Store
  readonly #clock = { time: Date.parse('2026-03-01T09:00:00Z') }
  #follower: ReturnType<typeof following>
  #file: string
  #upstream: Store
  #handler: WorldHandler
  #scribble: () => Promise<void>
  #backup: string | undefined
  #count = 0

  private constructor(t: TestContext, file: string, upstream: Store, handler: WorldHandler) {
    this.#t = t
    this.#file = file
    this.#upstream = upstream
    this.#handler = handler
    this.#scribble = scribbler(upstream, 1)
    this.#wire = new Wire(handler)
    this.#replica = openSqliteStore(this.#folder.file('copy.db'), { now: this.#now })
    this.#follower = following(t, this.#replica, this.#wire.fetch)
  }

  static async begin(t: TestContext): Promise<History> {
    const folder = temporaryFolder()
    t.after(folder.remove)
    const file = folder.file('upstream.db')
    const upstream = openSqliteStore(file)
    const history = new History(t, file, upstream, await upstreamOver(upstream))
    t.after(() => history.#close())
    await history.restart()
    return history
  }

  readonly #now = () => new Date(this.#clock.time)

  async write(): Promise<void> {
    await this.#scribble()
  }

  /** Backs up the upstream for `restore`. */
  async backUp(): Promise<void> {
    if (this.#backup !== undefined) rmSync(this.#backup)
    this.#backup = this.#folder.file(`${++this.#count}.backup`)
    await backupStore(this.#file, this.#backup)
  }

  /** Replaces the upstream with one restored from the backup. */
  async restore(): Promise<void> {
    if (this.#backup === undefined) return
    const file = this.#folder.file(`${++this.#count}.db`)
    await restoreStore(this.#backup, file)
    await this.#upstream.close()
    await this.#serve(file)
  }

  async restart(): Promise<void> {
    await this.#upstream.close()
    await this.#serve(this.#file)
  }

  /** Restarts the replica after `days` days, during which the upstream may trim deletions. */
  async leave(days: number, meanwhile: () => Promise<void>): Promise<void> {
    await this.#follower.stop()
    await meanwhile()
    this.#clock.time += days * DAY_MS
    await meanwhile()
    // The upstream trims its log in the background while it is idle.
    for (let turns = 0; turns < 300; turns++) await turn()
    this.#follower = following(this.#t, this.#replica, this.#wire.fetch)
  }

  cut(): void {
    this.#wire.handler = this.#handler
  }

  async assertSame(): Promise<void> {
    await this.#follower.reached(this.#upstream)
    const [mine, theirs] = [verifyStore(this.#folder.file('copy.db')), verifyStore(this.#file)]
    assert.deepEqual([mine.problems, mine.contentHash], [[], theirs.contentHash])
    assert.ok(verifySearchIndex(this.#folder.file('copy.db')).agrees)
    assert.deepEqual(await this.#replica.types(), await this.#upstream.types())
    const asked = { origin: ORIGIN, store: this.#replica, signal: this.#t.signal }
    await assertSameAnswers(replicaOver(this.#replica, await describeUpstream(asked)), this.#handler)
  }

  async #serve(file: string): Promise<void> {
    this.#file = file
    this.#upstream = openSqliteStore(file, { now: this.#now })
    this.#handler = await upstreamOver(this.#upstream)
    this.#scribble = scribbler(this.#upstream, ++this.#count)
    this.#wire.handler = this.#handler
  }

  async #close(): Promise<void> {
    await this.#follower.stop()
    await this.#upstream.close()
    await this.#replica.close()
    this.#folder.remove()
  }
}

test(`a replica matches its upstream after ${OPERATIONS} writes, restores, trims and restarts`, async (t) => {
  const history = await History.begin(t)
  const roll = dice(11)
  const write = async (most: number) => {
    for (let left = roll(most); left > 0; left--, written++) await history.write()
  }
  let written = 0
  let compared = 0
  while (written < OPERATIONS) {
    await write(100)
    const kind = roll(30)
    if (kind < 3) await history.backUp()
    else if (kind === 3) await history.restore()
    else if (kind === 4) await history.restart()
    else if (kind < 9) await history.leave(roll(3) * 91, () => write(50))
    else if (kind === 9) history.cut()
    if (roll(5) > 0) continue
    await history.assertSame()
    compared += 1
  }
  await history.assertSame()
  t.diagnostic(`${written} writes, compared ${compared} times`)
})
