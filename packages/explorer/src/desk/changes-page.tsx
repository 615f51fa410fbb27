/**
 * Page of the last changes of a world or of a type. A change log is read only forwards: one of a single page is read whole,
 * and of a longer one a query names the entities that changed last. Either is then followed while the page is visible.
 */
import './desk.css'
import type { Entity } from '@worldwright/client'
import { type Change, changesPage, latest } from '@worldwright/client/changes'
import { useState } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { editWords } from '../edit/edit-words.ts'
import type { RouteTo } from '../navigation/route.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { PartFailure } from '../parts/failure-view.tsx'
import { MoreItems } from '../parts/more-items.tsx'
import { useListening } from '../parts/news.tsx'
import { ShortText } from '../parts/text.tsx'
import { TypeMark } from '../parts/type-mark.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { Waiting } from '../parts/waiting.tsx'
import { type OpenWorld, useOpenWorld } from '../parts/world-context.ts'
import { answersQuestions } from '../question/askable.ts'
import { ask } from '../question/question.ts'
import { timeWords, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import { typeIn, type WorldProfile } from '../world/world-profile.ts'
import { rowsOf } from './comparison.ts'
import { Line } from './comparison-page.tsx'
import { deskWords } from './desk-words.ts'

/** Maximum number of changes that are kept, and that are followed before the end of the log is read again. */
const MOST_KEPT = 100
const MOST_FOLLOWED = 1_000
/** Delay until followed changes are shown, in milliseconds, so that many are shown at once. */
const SHOW_MS = 250
/** Maximum number of values shown initially for each change. */
const MOST_ROWS = 40

/** The last changes, newest first, each with the state before if it was received, and the offset in the log after them. */
interface Recent {
  readonly items: readonly { readonly change: Change; readonly before: Entity | undefined }[]
  readonly since: string
  /** True if the log is longer than what was read of it, so that there may have been other changes. */
  readonly isCut: boolean
}

/** The last changes by world and type, so that going back to the page shows also what it had followed. */
const recents = createMemory<Recent>(20)

/** Page of the changes that the route names. */
export function ChangesPage({ route: { origin, type } }: { route: RouteTo<'changes'> }) {
  const { profile } = useOpenWorld()
  const read = useRecent(JSON.stringify([origin, type]), type === undefined ? undefined : [type])
  const { items = [], isCut } = read.value ?? {}
  const log = profile.extensions.find(([name]) => name === 'worldwright:changes')?.[1]
  return (
    <div class="page about">
      <header>
        <h1 class="display arrival" tabIndex={-1}>
          {words.value.home.changes} {type !== undefined && <TypeMark type={typeIn(profile, type)} />}
        </h1>
        <p class="soft">
          {isCut && deskWords().cut} {deskWords().log} {Number(Object(log).retentionDays) || '?'}.
        </p>
      </header>
      <PartFailure of={read} />
      {read.value === undefined && <Waiting host={profile.host} read={read} />}
      {read.value && items.length === 0 && <p class="soft">{words.value.home.empty}</p>}
      <ol class="plain-list changes">
        {items.map((item) => (
          <Item key={`${item.change.next} ${item.change.type} ${item.change.id}`} {...item} />
        ))}
      </ol>
    </div>
  )
}

/** Reads the last changes and follows the log from there. */
function useRecent(key: string, types: string[] | undefined) {
  const open = useOpenWorld()
  const [isFollowing, setFollowing] = useState(false)
  useListening(async (signal) => {
    setFollowing(true)
    signal.onabort = () => setFollowing(false)
  }, [])
  async function load(signal: AbortSignal, show: (recent: Recent) => void): Promise<Recent> {
    let recent = recents.get(key) ?? (await readRecent(open, types, signal))
    signal.throwIfAborted()
    recents.set(key, recent)
    if (!isFollowing) return recent
    let left = MOST_FOLLOWED
    let isDue = false
    show(recent)
    try {
      for await (const change of open.world.changes({ since: recent.since, types, entities: true, signal })) {
        // The token may have been forgotten, with all that it may read.
        signal.throwIfAborted()
        recent = withChange(recent, change)
        recents.set(key, recent)
        if (!isDue)
          setTimeout(() => {
            isDue = false
            show(recent)
          }, SHOW_MS)
        isDue = true
        if (--left === 0) break
      }
    } finally {
      // After a failure, the offset may be of no use.
      if (!signal.aborted) recents.delete(key)
    }
    return load(signal, show)
  }
  return useRemote(`${isFollowing} ${key}`, load, { keep: true })
}

async function readRecent({ world, profile }: OpenWorld, types: string[] | undefined, signal: AbortSignal) {
  const log = await changesPage(world, { types, signal })
  if (!log.more) {
    const since = log.changes.at(-MOST_KEPT - 1)?.next
    const { changes, next } = await changesPage(world, { since, types, entities: true, signal })
    return changes.reduce<Recent>(withChange, { items: [], since: next, isCut: since !== undefined })
  }
  // Read before the query, so that no change is missed.
  const next = await latest(world, { types, signal })
  const question = { ...(types && { types }), sort: ['-updatedAt'], limit: MOST_KEPT }
  const { entities = [] } = answersQuestions(profile) ? await ask(world, question, { signal }) : {}
  const puts = entities.map((entity) => ({ ...entity, op: 'put', entity, next }) as unknown as Change)
  return puts.reduceRight<Recent>(withChange, { items: [], since: next, isCut: true })
}

/** Adds a later change, unless its state was read already. */
function withChange({ items, isCut }: Recent, change: Change): Recent {
  const { op, type, id, next } = change
  const last = items.find((one) => one.change.type === type && one.change.id === id)?.change
  const known = last?.op === 'put' ? last.entity : undefined
  const entity = op === 'put' ? change.entity : undefined
  if (op === 'leave' || (entity && entity.revision === known?.revision)) return { items, isCut, since: next }
  // An entity that was removed and added again is another one.
  const before = entity === undefined || known?.createdAt === entity.createdAt ? known : undefined
  return { items: [{ change, before }, ...items].slice(0, MOST_KEPT), isCut, since: next }
}

function Item({ change, before }: Recent['items'][number]) {
  const { profile } = useOpenWorld()
  const [most, setMost] = useState(MOST_ROWS)
  const { type, id } = change
  const after = change.op === 'put' ? change.entity : undefined
  const { createdAt, updatedAt } = after ?? {}
  const time = typeof updatedAt === 'string' ? updatedAt : undefined
  const kind = !after ? 'removed' : !before && createdAt === updatedAt ? 'added' : 'changed'
  const rows = before && after ? differences([before, after], profile) : []
  return (
    <li>
      <p class="action-row">
        <span>
          {/* Without times, an addition and a change look the same. */}
          <span class="soft">{((time && createdAt) || before || !after) && deskWords()[kind]}</span>{' '}
          {after && <EntityLink entity={{ ...after, type, id }} most={120} />}
          {!after && <ShortText text={before ? nameOf(before) : id} most={120} />}{' '}
          <TypeMark type={typeIn(profile, type)} />
        </span>
        {time && <time class="soft">{timeWords(time) ?? time}</time>}
      </p>
      <table>
        <tbody>
          {rows.slice(0, most).map((row) => (
            <Line key={row.key} row={{ ...row, most: 0 }} isMarked={false} />
          ))}
        </tbody>
      </table>
      <MoreItems left={rows.length - most} onMore={() => setMost(most + 400)} />
    </li>
  )
}

/** Returns the rows of the values that differ between two states of an entity, the earlier one first. */
function differences(pair: readonly [Entity, Entity], profile: WorldProfile) {
  const [titled, summarized] = [words.value.list.title, editWords().summary]
  const own = pair.map(({ title = '', summary = '', ...rest }) => {
    return { ...rest, attributes: { [titled]: title, [summarized]: summary } }
  })
  const rows = [...rowsOf(own, () => undefined), ...rowsOf(pair, (type) => typeIn(profile, type).schema)]
  return rows.filter(({ isDifferent }) => isDifferent)
}
