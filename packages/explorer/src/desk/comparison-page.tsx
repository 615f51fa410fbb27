/** Page that compares entities: a column for each, and a row for each attribute. */
import '../summary/summary.css'
import './desk.css'
import type { World } from '@worldwright/client'
import { useEffect, useState } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import type { RouteTo } from '../navigation/route.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { PartFailure } from '../parts/failure-view.tsx'
import { MoreItems } from '../parts/more-items.tsx'
import { ShortText } from '../parts/text.tsx'
import { TypeMark } from '../parts/type-mark.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { Value } from '../parts/value.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { words } from '../words/words.ts'
import { failureFrom, isAborted } from '../world/failure.ts'
import { typeIn } from '../world/world-profile.ts'
import { type Row, rowsOf } from './comparison.ts'
import { deskWords } from './desk-words.ts'

/** Maximum number of rows shown initially. */
const MOST_ROWS = 80

/** Comparison of the entities that the route names. Failed reads leave their columns empty, and the first one is shown. */
export function ComparisonPage(props: { route: RouteTo<'compare'>; onTitle: (title: string) => void }) {
  const { world, profile, titles } = useOpenWorld()
  const [most, setMost] = useState(MOST_ROWS)
  const read = useRemote(JSON.stringify(props.route), (signal) => columnsOf(world, props.route.of, signal))
  const columns = read.value ?? []
  const label = deskWords().compare
  const names = columns.map(({ id, entity }) => (entity ? nameOf(entity) : id))
  for (const { entity } of columns) if (entity) titles.note(entity)
  useEffect(() => props.onTitle(`${label}: ${names.join(', ')}`), [read.value, label])
  const rows = rowsOf(
    columns.map(({ entity }) => entity),
    (type) => typeIn(profile, type).schema,
  )
  // A sign on every row would say nothing.
  const isMarked = rows.some(({ isDifferent }) => !isDifferent)
  const failure = columns.find((one) => one.failure && one.failure.cause !== 'notFound')?.failure
  return (
    <div class="page">
      <h1 class="arrival" tabIndex={-1}>
        {label}
      </h1>
      <PartFailure of={{ failure, retry: read.retry }} />
      {read.value === undefined && <Waiting host={profile.host} read={read} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section class="scroller comparison" tabIndex={0} aria-label={label}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.value.entity.attributes}</th>
              {columns.map(({ entity, failure, type, id }, at) => (
                <th key={at} scope="col">
                  {entity ? <EntityLink entity={entity} most={120} /> : <ShortText text={id} most={120} />}{' '}
                  <TypeMark type={typeIn(profile, type)} />
                  {failure && <p class="wrong">{words.value.failures[failure.cause].title}</p>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row) => (
              <Line key={row.key} row={row} isMarked={isMarked && row.isDifferent} />
            ))}
          </tbody>
        </table>
      </section>
      <MoreItems left={rows.length - most} onMore={() => setMost(most + 400)} />
    </div>
  )
}

/** Row of a table that compares entities: the label of an attribute, and its values. Marks it if `isMarked`. */
export function Line({ row: { label, cells, most }, isMarked }: { row: Row; isMarked: boolean }) {
  return (
    <tr>
      <th scope="row">
        <ShortText text={label} most={120} /> {isMarked && <b title={deskWords().differs}>≠</b>}
        {isMarked && <span class="hidden">({deskWords().differs})</span>}
      </th>
      {cells.map((cell, at) => (
        <td key={at} class={most > 0 ? 'right drawn' : undefined}>
          {most > 0 && cell && (
            <i style={{ '--part': Number(cell[1]) / most, '--series': 'var(--accent)' }} />
          )}
          {cell && <Value value={cell[1]} field={cell[0]} />}
          {cell === undefined && <span class="soft">{words.value.views.noValue}</span>}
        </td>
      ))}
    </tr>
  )
}

/** Reads entities, given by type and id in turn. Resolves with the failure of each one that cannot be read. */
function columnsOf(world: World, names: readonly string[], signal: AbortSignal) {
  const refs = names.flatMap((id, at) => (at % 2 ? [{ type: names[at - 1] ?? '', id }] : []))
  return Promise.all(
    refs.map((ref) =>
      world.get(ref.type, ref.id, { signal }).then(
        (entity) => ({ ...ref, entity: { ...entity, ...ref }, failure: undefined }),
        (error) => {
          if (isAborted(error)) throw error
          return { ...ref, entity: undefined, failure: failureFrom(error) }
        },
      ),
    ),
  )
}
