/** Type filter of a search, with the number of matches per type. */
import { useState } from 'preact/hooks'
import { navigate } from '../navigation/navigation.ts'
import type { RouteTo } from '../navigation/route.ts'
import { toggled } from '../parts/toggled.ts'
import { TypeTitle } from '../parts/type-mark.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { count, counted, words } from '../words/words.ts'
import { sharedTitles, type TypeProfile, typeIn } from '../world/world-profile.ts'

/** Number of types shown initially: those with the most matches. */
const MOST_TYPES = 12

/** Check boxes for the types of the world. If no type is selected, all types are searched. */
export function TypeFilter(props: {
  route: RouteTo<'search'>
  counts: Readonly<Record<string, number>> | undefined
}) {
  const { route, counts } = props
  const { profile } = useOpenWorld()
  const { search } = words.value
  const [isWhole, setWhole] = useState(false)
  const names = new Set([
    ...profile.types.map(({ type }) => type),
    ...Object.keys(counts ?? {}),
    ...route.types,
  ])
  const numberOf = (type: string) =>
    counts !== undefined && Object.hasOwn(counts, type) ? (counts[type] ?? 0) : 0
  if (names.size < 2 && route.types.length === 0) return null
  const types = [...names].map((type) => typeIn(profile, type))
  const shared = sharedTitles(types)
  const common = [...names].toSorted((a, b) => numberOf(b) - numberOf(a)).slice(0, MOST_TYPES)
  const isShown = ({ type }: TypeProfile) => isWhole || common.includes(type) || route.types.includes(type)

  const choose = (types: readonly string[]) => navigate({ ...route, types, limit: undefined })

  return (
    <fieldset class="filter">
      <legend>{search.filters}</legend>
      <div class="filter-list">
        {types.filter(isShown).map((known) => {
          const { type } = known
          const isChosen = route.types.includes(type)
          const number = numberOf(type)
          return (
            <label key={type} class={counts !== undefined && number === 0 ? 'none' : ''} style={known.style}>
              <input type="checkbox" checked={isChosen} onChange={() => choose(toggled(route.types, type))} />
              <span class="dot" aria-hidden="true" />
              <span class="filter-name">
                <TypeTitle type={known} isShared={shared.has(known.title)} most={60} />
              </span>
              {counts !== undefined && <span class="count">{count(number)}</span>}
            </label>
          )
        })}
      </div>
      {!types.every(isShown) && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {search.allTypes(counted(names.size))}
        </button>
      )}
      {route.types.length > 0 && (
        <button type="button" class="link" onClick={() => choose([])}>
          {search.reset}
        </button>
      )}
    </fieldset>
  )
}
