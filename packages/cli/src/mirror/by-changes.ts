/** Mirroring a world that says what changes in it: only that is asked for. */
import { isWorldError, type World, WorldError } from '@worldwright/client'
import { type Change, type ChangesPage, changesPage } from '@worldwright/client/changes'
import { isObject } from '@worldwright/client/protocol'
import { Journal } from './journal.ts'
import type { LineSorter } from './line-sorter.ts'
import { requireName, sortIn, type Taken } from './source.ts'

const EXTENSION = 'worldwright:changes'

/** Codes that say: this token leads nowhere, begin again. */
const EXPIRED = ['changes_expired', 'invalid_cursor']
/** A world whose tokens expire while it is read from the beginning cannot be mirrored. */
const MAX_STARTS = 3

/** What taking changes says on the way. */
export interface ChangesReport {
  /** So many changes so far. */
  progress(changes: number): void
  /** What the mirror knew leads nowhere any more: all of it is taken again. */
  startedOver(): void
}

/** Whether a world says what changes in it. */
export function saysChanges({ document: { extensions } }: World): boolean {
  return isObject(extensions) && isObject(extensions[EXTENSION])
}

/** What changes are taken from, and where they go. */
export interface ChangesWalk {
  readonly world: World
  /** The file that keeps what was taken until it is in place. */
  readonly journal: string
  /** The token of the mirror; undefined: it has nothing yet. */
  readonly since: string | undefined
  readonly sorter: LineSorter
  readonly report: ChangesReport
  readonly signal: AbortSignal
}

/**
 * Takes all changes up to a moment at which there are no more. What an earlier attempt took is not asked for again.
 * @throws WorldError as `changesPage`, `invalid_response`
 */
export async function takeChanges({ since, sorter, ...walk }: ChangesWalk): Promise<Taken> {
  const journal = await Journal.open(walk.journal, since)
  const { next, position } = await walkToEnd(walk, journal)
  for await (const { type, id, line } of journal.changes()) await sortIn(sorter, type, id, line)
  return { isAll: journal.state.base === undefined, changes: { position: position ?? '', next } }
}

async function walkToEnd(
  { world, report, signal }: Omit<ChangesWalk, 'since' | 'sorter'>,
  journal: Journal,
): Promise<ChangesPage> {
  for (let starts = 0; ; ) {
    const { next: since, changes } = journal.state
    report.progress(changes)
    try {
      const page = await changesPage(world, { since, entities: true, signal })
      for (const change of page.changes) requireWhole(change, world)
      await journal.add(page)
      if (!page.more) return page
    } catch (error) {
      const isExpired = isWorldError(error) && EXPIRED.includes(error.code) && since !== undefined
      if (!isExpired || ++starts > MAX_STARTS) throw error
      report.startedOver()
      await journal.begin(undefined)
    }
  }
}

/** @throws WorldError `invalid_response` for a change that does not hold what it says */
function requireWhole(change: Change, { origin: url }: World): void {
  requireName(change.type, change.id, url)
  if (change.op === 'delete') return
  const { type, id } = isObject(change.entity) ? change.entity : {}
  if (type === change.type && id === change.id) return
  throw new WorldError('invalid_response', 'A change comes with another entity than it names.', {
    url,
    details: { type: change.type, id: change.id },
  })
}
