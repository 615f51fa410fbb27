/** What the entities of a type are like, at a glance: where they are, how a number of theirs is spread, or their kinds. */
import type { Entity, World } from '@worldwright/client'
import { bodyOf, isEarth, placeOf } from '../data/values.ts'
import { PlaceMap } from '../parts/place-map.tsx'
import { ShortText } from '../parts/text.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { type Askable, askablesOf, isCounted, isMeasured, propertyOf } from '../question/askable.ts'
import { textOfValue } from '../question/filters.ts'
import { ask, type Facet } from '../question/question.ts'
import { count, counted, unitText, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import type { TypeOutlook } from '../world/outlook.ts'
import { Bars } from './bars.tsx'
import { isGrouping, ValueName } from './value-filter.tsx'
import { valueText } from './value-text.ts'

/** What is drawn. */
type Picture =
  | { readonly draws: 'map'; readonly entities: readonly Entity[] }
  | { readonly draws: 'bars' | 'kinds'; readonly askable: Askable; readonly facet: Facet }

/** Numbers and kinds that are looked at before one is drawn. */
const MOST_MEASURES = 8
const MOST_KINDS = 8
const BARS = 32
/** Bars that must stand for a histogram to say anything. */
const FEWEST_BARS = 5
const PLACES = 150
const KINDS = 4

const pictures = createMemory<Picture | undefined>(100)

/** The picture of a type, with a caption; nothing where nothing of it can be drawn. */
export function TypePicture({ type }: { type: TypeOutlook }) {
  const { world, outlook } = useOpenWorld()
  const askables = askablesOf(outlook, type)
  const key = askables.length === 0 ? undefined : `${world.origin} ${type.type}`
  const { value } = useRemote(key, (signal) => pictureOf(world, type.type, askables, signal), {
    memory: pictures,
  })
  if (value === undefined) return null
  if (value.draws === 'map') return <Places entities={value.entities} />
  const { askable, facet } = value
  return value.draws === 'bars' ? (
    <Spread askable={askable} facet={facet} />
  ) : (
    <Kinds askable={askable} facet={facet} />
  )
}

async function pictureOf(
  world: World,
  type: string,
  askables: readonly Askable[],
  signal: AbortSignal,
): Promise<Picture | undefined> {
  if (askables.some(({ kind }) => kind === 'place')) {
    const { entities } = await ask(world, { types: [type], limit: PLACES }, { signal })
    const bodies = new Set(entities.map(({ attributes }) => JSON.stringify(bodyOf(attributes) ?? '')))
    // Places on several bodies make no map.
    if (bodies.size === 1 && entities.filter(({ attributes }) => placeOf(attributes)).length > 2)
      return { draws: 'map', entities }
  }
  const measured = askables.filter(isMeasured).toSorted((a, b) => Number(isTime(b)) - Number(isTime(a)))
  const asked = [...measured.slice(0, MOST_MEASURES), ...askables.filter(isCounted).slice(0, MOST_KINDS)]
  if (asked.length === 0) return undefined
  const facets = asked.map((askable) => ({
    property: propertyOf(askable.key),
    kind: askable.kind,
    ...(isMeasured(askable) ? { histogram: BARS } : { limit: KINDS }),
  }))
  const answer = await ask(world, { types: [type], facets, limit: 0 }, { signal })
  const found = asked.flatMap((askable, index) => {
    const facet = answer.facets[index]
    return facet === undefined ? [] : [{ askable, facet }]
  })
  const spreads = found
    .filter(({ askable, facet }) => isMeasured(askable) && barsIn(facet) >= FEWEST_BARS)
    .toSorted((a, b) => barsIn(b.facet) - barsIn(a.facet))
  const spread = spreads.find(({ askable }) => isTime(askable)) ?? spreads[0]
  const kinds = found.find(
    ({ askable, facet }) => isCounted(askable) && isGrouping(facet) && facet.buckets.length > 1,
  )
  if (spread !== undefined) return { draws: 'bars', ...spread }
  return kinds && { draws: 'kinds', ...kinds }
}

function barsIn({ buckets }: Facet): number {
  const most = Math.max(...buckets.map(({ count }) => count), 0)
  // Where each has a bar of its own nothing gathers anywhere.
  if (most < 2) return 0
  // A handful of stragglers far out make no shape.
  return buckets.filter(({ count }) => count * 200 > most).length
}

function isTime({ kind, field }: Askable): boolean {
  return kind === 'instant' || /year$/i.test(field.name)
}

function Places({ entities }: { entities: readonly Entity[] }) {
  const places = entities.flatMap(({ attributes }) => placeOf(attributes) ?? [])
  const hasLand = entities.every(({ attributes }) => isEarth(bodyOf(attributes)))
  return (
    <figure class="type-picture">
      <PlaceMap places={places} hasLand={hasLand} label={words.value.home.map(counted(places.length))} />
    </figure>
  )
}

function Spread({ askable, facet }: { askable: Askable; facet: Facet }) {
  const { ask } = words.value
  const { field } = askable
  const [from, to] = [facet.minimum, facet.maximum].map((bound) => valueText(String(bound ?? ''), askable))
  const unit = field.unit === undefined ? '' : ` ${unitText(field.unit)}`
  return (
    <figure class="type-picture">
      <Bars buckets={facet.buckets} label={ask.histogram(field.label, from ?? '', to ?? '')} />
      <figcaption>
        <span>{from}</span>
        <span>
          <ShortText text={field.label} most={40} />
          {unit}
        </span>
        <span>{to}</span>
      </figcaption>
    </figure>
  )
}

function Kinds({ askable, facet }: { askable: Askable; facet: Facet }) {
  return (
    <figure class="type-picture kinds">
      <div class="kind-bar" aria-hidden="true">
        {facet.buckets.map(({ value, count: number }) => (
          <span key={textOfValue(value)} style={{ flexGrow: number }} />
        ))}
      </div>
      <figcaption>
        {facet.buckets.map(({ value, count: number }) => (
          <span key={textOfValue(value)}>
            <ValueName value={textOfValue(value)} askable={askable} />{' '}
            <span class="count">{count(number)}</span>
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
