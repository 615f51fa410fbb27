/** Mirroring a world that says what changes in it: only that is asked for. */
import type { World } from '@worldwright/client'
import { type ChangesPage, changesPage, isExpired } from '@worldwright/client/changes'
import { catchUp, type Sink } from '@worldwright/client/follow'
import { isObject } from '@worldwright/client/protocol'
import { Journal } from './journal.ts'
import type { LineSorter } from './line-sorter.ts'
import { requireName, sortIn, type Taken } from './source.ts'

const EXTENSION = 'worldwright:changes'

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
  const read = (since: string | undefined) => {
    report.progress(journal.state.changes)
    return changesPage(world, { since, entities: true, signal })
  }
  const sink: Sink<ChangesPage, ChangesPage> = {
    checkpoint: () => journal.state.next,
    async apply(page: ChangesPage) {
      for (const { type, id } of page.changes) requireName(type, id, world.origin)
      await journal.add(page)
      return [page]
    },
    async restart() {
      report.startedOver()
      await journal.begin(undefined)
    },
  }
  let last: ChangesPage | undefined
  for await (const page of catchUp({ read, isExpired }, sink, signal)) last = page
  signal.throwIfAborted()
  return last as ChangesPage
}
