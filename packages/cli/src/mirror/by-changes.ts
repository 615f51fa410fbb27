/** Mirrors a world by its change log, so that only changes are fetched. For worlds that publish their changes. */
import type { World } from '@worldwright/client'
import { type ChangesPage, changesPage, isExpired, latest } from '@worldwright/client/changes'
import { catchUp, type Sink } from '@worldwright/client/follow'
import { isObject } from '@worldwright/client/protocol'
import { requireName } from '@worldwright/extensions/list-reader'
import { Journal } from './journal.ts'
import type { LineSorter } from './line-sorter.ts'
import { sortIn, type Taken } from './source.ts'

const EXTENSION = 'worldwright:changes'

/** Receives progress while changes are fetched. */
export interface ChangesReport {
  /** Called with the number of changes so far. */
  progress(changes: number): void
  /** Called if the mirror's offset has expired, before everything is fetched again. */
  startedOver(): void
}

/** Reports whether a world publishes its changes. */
export function saysChanges({ document: { extensions } }: World): boolean {
  return isObject(extensions) && isObject(extensions[EXTENSION])
}

/** World to fetch changes from, and files to store them in. */
export interface ChangesWalk {
  readonly world: World
  /** Path of the journal, which stores fetched changes until the mirror is committed. */
  readonly journal: string
  /** Offset to resume from; undefined for a new mirror. */
  readonly since: string | undefined
  readonly sorter: LineSorter
  readonly report: ChangesReport
  readonly signal: AbortSignal
}

/**
 * Adds all new changes to the sorter. Changes fetched by an earlier attempt are not requested again.
 * @throws WorldError as `changesPage`, `invalid_response`
 */
export async function takeChanges({ since, sorter, ...walk }: ChangesWalk): Promise<Taken> {
  const journal = await Journal.open(walk.journal, since)
  const { last, ...told } = await walkToEnd(walk, journal)
  for await (const { type, id, line } of journal.changes()) await sortIn(sorter, type, id, line)
  return {
    isAll: journal.state.base === undefined,
    changes: { position: last.position ?? '', next: last.next },
    types: {},
    ...told,
  }
}

async function walkToEnd(
  { world, report, signal }: Omit<ChangesWalk, 'since' | 'sorter'>,
  journal: Journal,
): Promise<Pick<Taken, 'pages' | 'meanwhile'> & { last: ChangesPage }> {
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
  let pages = 0
  // A single page is a snapshot. Several pages are one if they end at the offset where the log ended after the first.
  let end: string | undefined
  for await (last of catchUp({ read, isExpired }, sink, signal)) {
    pages += 1
    if (pages === 1) end = last.more ? await latest(world, { signal }).catch(() => undefined) : last.next
  }
  signal.throwIfAborted()
  const { next } = last as ChangesPage
  const changed = end === undefined ? null : end !== next
  return { last: last as ChangesPage, pages, meanwhile: { changed, by: ['offset of changes'] } }
}
