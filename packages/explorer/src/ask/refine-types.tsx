/** Links from search results across several types to each type's list, unfiltered or filtered by a frequent value. */

import { type Filter, NOTHING_ASKED, textOfValue } from '@worldwright/extensions/views'
import { useState } from 'preact/hooks'
import { PartFailure } from '../parts/failure-view.tsx'
import { To } from '../parts/link.tsx'
import { ShortText } from '../parts/text.tsx'
import { TypeTitle } from '../parts/type-mark.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { type Askable, askablesOf, isCounted } from '../question/askable.ts'
import type { Facet } from '../question/question.ts'
import { count, words } from '../words/words.ts'
import { sharedTitles, typeIn } from '../world/world-profile.ts'
import { useFacets } from './use-facets.ts'
import { isGrouping, ValueName } from './value-filter.tsx'

/** Maximum number of types shown, of properties counted and shown per type, and of values shown per property. */
const TYPES = 5
const COUNTED = 8
const PROPERTIES = 2
const VALUES = 6

/** Section that counts values only once the user opens it. `counts` maps each type to its number of matches for `text`. */
export function RefineTypes({ counts, text }: { counts: Readonly<Record<string, number>>; text: string }) {
  const [isOpen, setOpen] = useState(false)
  const { profile } = useOpenWorld()
  const most = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
  const shared = sharedTitles(most.map(([type]) => typeIn(profile, type)))
  return (
    <details class="refine" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.value.ask.refine}</summary>
      {isOpen && (
        <ul>
          {most.slice(0, TYPES).map(([type, number]) => (
            <li key={type}>
              <OfType type={type} number={number} text={text} shared={shared} />
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

function OfType(props: { type: string; number: number; text: string; shared: ReadonlySet<string> }) {
  const { type, number, text, shared } = props
  const { profile } = useOpenWorld()
  const known = typeIn(profile, type)
  const askables = askablesOf(profile, known).filter(isCounted).slice(0, COUNTED)
  const keys = askables.map(({ key }) => key)
  const facets = useFacets({ ...NOTHING_ASKED, type, text, askables, keys })
  const telling = askables.flatMap((askable) => {
    const facet = facets.value?.get(askable.key)
    return facet && facet.buckets.length > 1 && isGrouping(facet) ? [{ askable, facet }] : []
  })
  const route = (filters: readonly Filter[]) => ({
    page: 'list' as const,
    origin: profile.origin,
    type,
    asked: { ...NOTHING_ASKED, text, filters },
  })
  return (
    <>
      <To route={route([])}>
        <TypeTitle type={known} isShared={shared.has(known.title)} most={60} />{' '}
        <span class="count">{count(number)}</span>
      </To>
      <PartFailure of={facets} />
      {telling.slice(0, PROPERTIES).map((one) => (
        <Values key={one.askable.key} {...one} routeOf={(filter) => route([filter])} />
      ))}
    </>
  )
}

function Values(props: {
  askable: Askable
  facet: Facet
  routeOf: (filter: Filter) => Parameters<typeof To>[0]['route']
}) {
  const { askable, facet, routeOf } = props
  const { key, field } = askable
  return (
    <p class="soft">
      <ShortText text={field.label} most={40} />
      {': '}
      {facet.buckets.slice(0, VALUES).map(({ value, count: number }, at) => {
        const text = textOfValue(value)
        return (
          <span key={text}>
            {at > 0 && ' · '}
            <To route={routeOf({ is: 'any', key, values: [text] })}>
              <ValueName value={text} askable={askable} /> <span class="count">{count(number)}</span>
            </To>
          </span>
        )
      })}
    </p>
  )
}
