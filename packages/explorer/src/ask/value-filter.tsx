/** A filter by individual values, each with its count. */

import { type Filter, textOfValue } from '@worldwright/extensions/views'
import { ReferenceName } from '../parts/reference.tsx'
import { ShortText } from '../parts/text.tsx'
import { toggled } from '../parts/toggled.ts'
import type { Askable } from '../question/askable.ts'
import type { Facet } from '../question/question.ts'
import { count, words } from '../words/words.ts'
import { ValueSearch } from './value-search.tsx'
import { shareText, valueText } from './value-text.ts'

/** Props of a filter component for a single property. */
export interface FilterProps {
  readonly type: string
  readonly askable: Askable
  /** Counts of the property's values, or undefined until they arrive. */
  readonly facet: Facet | undefined
  readonly filter: Filter | undefined
  readonly onFilter: (filter: Filter) => void
}

/** Check boxes for the most frequent values and the selected values. If none is selected, all values match. */
export function ValueFilter(props: FilterProps) {
  const { type, askable, facet, filter, onFilter } = props
  const { ask } = words.value
  const chosen = filter?.is === 'any' ? filter.values : []
  const counts = new Map(facet?.buckets.map(({ value, count }) => [textOfValue(value), count]))
  const values = [...new Set([...counts.keys(), ...chosen])]
  const most = Math.max(...counts.values(), 1)

  function toggle(value: string) {
    onFilter({ is: 'any', key: askable.key, values: toggled(chosen, value) })
  }

  return (
    <>
      {facet !== undefined && values.length === 0 && <p class="soft hint">{ask.noValues}</p>}
      <ul class="values">
        {values.map((value) => (
          <li key={value}>
            <label>
              <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
              <span class="value-name">
                <ValueName value={value} askable={askable} />
              </span>
              {counts.has(value) && (
                <span class="count">
                  {count(counts.get(value) ?? 0)}{' '}
                  <small class="share">{shareText(counts.get(value) ?? 0, facet?.present ?? 0)}</small>
                </span>
              )}
              <meter aria-hidden="true" min={0} max={most} value={counts.get(value) ?? 0} />
            </label>
          </li>
        ))}
      </ul>
      {counts.size > 0 && <p class="soft hint">{ask.shares}</p>}
      {facet?.more === true &&
        (askable.kind === 'text' ? (
          <ValueSearch
            type={type}
            askable={askable}
            onValue={(value) => !chosen.includes(value) && toggle(value)}
          />
        ) : (
          <p class="soft hint">{ask.moreValues}</p>
        ))}
    </>
  )
}

/** A value of a property. If it is a reference, the title of its target is shown. */
export function ValueName({ value, askable }: { value: string; askable: Askable }) {
  const [, type, id] = /^([^/]+)\/(.+)$/s.exec(value) ?? []
  if (askable.kind === 'reference' && type !== undefined && id !== undefined)
    return <ReferenceName to={{ type, id }} />
  return <ShortText text={valueText(value, askable) || '""'} most={60} />
}

/** Minimum fraction of the entities with a value that the listed values must cover to be useful as choices. */
const TELLING = 0.03

/** Reports whether a facet's values divide entities into groups. False if nearly every entity has a value of its own. */
export function isGrouping({ buckets, present }: Facet): boolean {
  return (
    buckets.reduce((sum, { count }) => sum + count, 0) >= TELLING * present &&
    buckets.some(({ count }) => count > 1)
  )
}
