/** Filters beside a list, one per queryable property, with counts of the property's values. */

import { type Asked, namesOf, withFilter } from '@worldwright/extensions/views'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Developers } from '../parts/developers.tsx'
import { PartFailure } from '../parts/failure-view.tsx'
import { ShortText } from '../parts/text.tsx'
import { type Askable, isCounted, isMeasured } from '../question/askable.ts'
import { count, unitText, words } from '../words/words.ts'
import { AskBox } from './ask-box.tsx'
import { CqlBox } from './cql-box.tsx'
import { NearBox } from './near-box.tsx'
import { RangeFilter } from './range-filter.tsx'
import { type Facets, useFacets } from './use-facets.ts'
import { type FilterProps, isGrouping, ValueFilter } from './value-filter.tsx'

/** Number of filters open initially. The values of any other filter are counted only once the user opens it. */
const OPEN = 8
/** Minimum page width in pixels at which the filters are beside the list. */
const WIDE = 1000

/** The filter panel of a list. Calls `onAsked` with the new question when the user changes a filter. */
export function AskPanel(props: {
  type: string
  askables: readonly Askable[]
  asked: Asked
  onAsked: (asked: Asked) => void
  /** Opens the summary by a property. Undefined if the world does not group. */
  onSummary?: ((key: string) => void) | undefined
}) {
  const { type, askables, asked, onAsked, onSummary } = props
  const { ask, list } = words.value
  const number = asked.filters.length + (asked.text === '' ? 0 : 1) + (asked.cql === '' ? 0 : 1)
  const place = askables.find(({ kind }) => kind === 'place')
  const isFiltered = (key: string) => asked.filters.some((filter) => filter.key === key)
  const shown = askables.filter(
    ({ kind, key, isBeside }) => kind !== 'place' && (isBeside !== true || isFiltered(key)),
  )
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => openAtFirst(shown, asked))
  const facets = useFacets({ ...asked, type, askables, keys: [...opened] })
  const toggle = (key: string, isOpen: boolean) =>
    setOpened(new Set(isOpen ? [...opened, key] : [...opened].filter((other) => other !== key)))

  const isTold = [...(facets.value ?? [])].some(([key, { present }]) => present > 0 && !isFiltered(key))

  const property = (askable: Askable): ComponentChildren => (
    <Property
      key={askable.key}
      type={type}
      askable={askable}
      facet={facets.value?.get(askable.key)}
      isTold={isTold}
      filter={asked.filters.find(({ key }) => key === askable.key)}
      isOpen={opened.has(askable.key)}
      onOpen={(isOpen) => toggle(askable.key, isOpen)}
      onSummary={onSummary}
      onFilter={(filter) => onAsked({ ...asked, filters: withFilter(asked.filters, askable.key, filter) })}
      beyond={askables.filter((one) => !shown.includes(one) && isBeyond(one, askable)).map(property)}
    />
  )

  return (
    <details class="ask-panel" open={innerWidth >= WIDE} data-asks="">
      <summary>
        {ask.filters}
        {number > 0 && <span class="count"> {count(number)}</span>}
      </summary>
      <div class="ask-inner">
        <AskBox
          type="search"
          dir="auto"
          maxLength={512}
          aria-label={list.search}
          placeholder={list.search}
          text={asked.text}
          onText={(text) => onAsked({ ...asked, text: text.trim() })}
        />
        {place !== undefined && (
          <NearBox
            place={asked.near?.place}
            onPlace={(point) => onAsked({ ...asked, near: point && { key: place.key, place: point } })}
          />
        )}
        {/* If the world refuses this question, it also refuses the list, which then shows the reason. */}
        {facets.failure?.cause !== 'refused' && <PartFailure of={facets} />}
        <div class={facets.isBusy && facets.value === undefined ? 'uncounted' : ''}>
          {shown.map(property)}
        </div>
        <Developers isOpen={asked.cql !== ''}>
          <CqlBox
            text={asked.cql}
            example={exampleOf(shown, facets.value)}
            onText={(cql) => onAsked({ ...asked, cql })}
          />
        </Developers>
      </div>
    </details>
  )
}

/** Reports whether a property is one of the entities to which `reference` refers. */
function isBeyond({ key }: Askable, reference: Askable): boolean {
  const names = namesOf(reference.key)
  const path = namesOf(key)
  return (
    reference.refersTo !== undefined &&
    path.length > names.length &&
    names.every((name, at) => name === path[at])
  )
}

/** Returns a condition that some of the entities fulfil: up to two properties, compared with values that they have. */
function exampleOf(askables: readonly Askable[], facets: Facets | undefined): string {
  const conditions = askables.flatMap(({ key, kind }) => {
    const buckets = facets?.get(key)?.buckets ?? []
    const { from, value } = buckets[Math.floor(buckets.length / 2)] ?? {}
    if (!/^[A-Za-z_][\w.]*$/.test(key)) return []
    if (kind === 'number' && typeof from === 'number') return [`${key} > ${Number(from.toPrecision(2))}`]
    if (kind === 'instant' && typeof from === 'string') return [`${key} > DATE('${from.slice(0, 10)}')`]
    if (kind === 'text' && typeof value === 'string') return [`${key} = '${value.replaceAll("'", "''")}'`]
    return []
  })
  return conditions.slice(0, 2).join(' AND ') || "title LIKE 'A%'"
}

/** Returns the keys of the filters to open initially: a mix of value and range filters, and all active filters. */
function openAtFirst(askables: readonly Askable[], { filters }: Asked): Set<string> {
  const [groups, measures] = [askables.filter(isCounted), askables.filter(isMeasured)]
  const telling = [...groups.slice(0, OPEN / 2), ...measures.slice(0, OPEN / 2), ...groups, ...measures]
  const opened = [...new Set(telling)].slice(0, OPEN)
  return new Set([...filters, ...opened].map(({ key }) => key))
}

function Property(
  props: FilterProps & {
    /** True if some match has a value for an unfiltered property. Properties without values are hidden only in that case. */
    isTold: boolean
    isOpen: boolean
    onOpen: (isOpen: boolean) => void
    onSummary: ((key: string) => void) | undefined
    /** Filters by the properties of the entities to which the property refers. */
    beyond: readonly ComponentChildren[]
  },
) {
  const { type, askable, facet, isTold, filter, isOpen, onOpen, onSummary, onFilter, beyond } = props
  const { field } = askable
  const isRange = filter?.is === 'range' || (filter === undefined && !isCounted(askable))
  const Filtering = isRange ? RangeFilter : ValueFilter
  // Hide the filter for a property with no values, or with a different value for each entity, such as a title.
  if (
    facet !== undefined &&
    filter === undefined &&
    (facet.present === 0 ? isTold : !isRange && !isGrouping(facet) && facet.buckets.length > 0)
  )
    return null
  return (
    <details class="ask-property" open={isOpen} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>
        <ShortText text={field.label} most={60} />
        {field.unit !== undefined && <span class="unit"> {unitText(field.unit)}</span>}
      </summary>
      {isOpen && (
        <Filtering type={type} askable={askable} facet={facet} filter={filter} onFilter={onFilter} />
      )}
      {isOpen && onSummary !== undefined && (
        <button type="button" class="link hint" onClick={() => onSummary(askable.key)}>
          {words.value.views.summarise}
        </button>
      )}
      {isOpen && beyond.length > 0 && (
        <details class="ask-property">
          <summary>
            <ShortText text={field.label} most={60} />: …
          </summary>
          {beyond}
        </details>
      )}
    </details>
  )
}
