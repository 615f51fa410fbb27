/** A type at a glance: pictures of its entities, their map, the distribution of a number, or their kinds. */
import type { Entity } from '@worldwright/client'
import { declaredFields } from '../data/fields.ts'
import { bodyOf, type Outlined, outlineOf, placeOf } from '../data/values.ts'
import { groundOf } from '../parts/ground.ts'
import { ShortText } from '../parts/text.tsx'
import { Thumb } from '../parts/thumb.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { type OpenWorld, useOpenWorld } from '../parts/world-context.ts'
import { type Askable, askablesOf, isCounted, isMeasured, propertyOf } from '../question/askable.ts'
import { textOfValue } from '../question/filters.ts'
import { ask, type Facet } from '../question/question.ts'
import { isCoordinate } from '../text/units.ts'
import { count, counted, unitAfter, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import { allowedHosts } from '../world/picture-hosts.ts'
import { pictureOf } from '../world/pictures.ts'
import type { TypeProfile } from '../world/world-profile.ts'
import { Bars } from './bars.tsx'
import { isGrouping, ValueName } from './value-filter.tsx'
import { valueText } from './value-text.ts'

type Picture =
  | { readonly draws: 'map'; readonly entities: readonly Entity[]; readonly outline: Outlined | undefined }
  | { readonly draws: 'pictures'; readonly entities: readonly Entity[] }
  | { readonly draws: 'bars' | 'kinds'; readonly askable: Askable; readonly facet: Facet }

/** Maximum numbers and kinds examined before one is drawn. */
const MOST_MEASURES = 8
const MOST_KINDS = 8
const BARS = 32
/** Minimum bars of a meaningful histogram. */
const FEWEST_BARS = 5
/** Below this number of entities, kinds say more than bars. */
const FEW = 50
const KINDS = 4
/** Entities examined for pictures and locations; maximum pictures shown; minimum pictures or locations worth showing. */
const LOOKED_AT = 150
const PICTURES = 6
const FEWEST = 3

const pictures = createMemory<readonly Picture[]>(100)

/** Up to `most` pictures of a type, each with a caption; nothing if nothing can be drawn. */
export function TypePicture({ type, most }: { type: TypeProfile; most: number }) {
  const open = useOpenWorld()
  const { world } = open
  const askables = askablesOf(open.profile, type)
  // Pictures from other hosts are shown once the hosts are allowed.
  const key = askables.length === 0 ? undefined : [world.origin, type.type, ...allowedHosts.value].join(' ')
  const { value = [] } = useRemote(key, (signal) => picturesOf(open, type, most, signal), {
    memory: pictures,
  })
  return value.slice(0, most).map((picture, index) => <Drawn key={index} {...picture} />)
}

function Drawn(picture: Picture) {
  if (picture.draws === 'map') return <Places {...picture} />
  if (picture.draws === 'pictures') return <Pictures {...picture} />
  return picture.draws === 'bars' ? <Spread {...picture} /> : <Kinds {...picture} />
}

/** Returns the pictures of a type, most telling first; counts nothing if the sample is enough. */
async function picturesOf(open: OpenWorld, type: TypeProfile, most: number, signal: AbortSignal) {
  const seen = await seenOf(open, type, signal)
  return seen.length >= most ? seen : [...seen, ...(await countedOf(open, type, signal))]
}

async function seenOf(
  { world, profile }: OpenWorld,
  described: TypeProfile,
  signal: AbortSignal,
): Promise<readonly Picture[]> {
  const { type, schema } = described
  const hasPictures = declaredFields(schema).some(({ format }) => format === 'picture' || format === 'uri')
  const hasPlaces = askablesOf(profile, described).some(({ kind }) => kind === 'place')
  if (!hasPictures && !hasPlaces) return []
  const { entities } = await ask(world, { types: [type], limit: LOOKED_AT }, { signal })
  const shown = entities.filter((entity) => {
    const picture = pictureOf(entity, profile)
    return picture !== undefined && (picture.isOwn || allowedHosts.value.has(picture.host))
  })
  const placed = entities.filter(({ attributes }) => placeOf(attributes) !== undefined)
  const bodies = Map.groupBy(placed, ({ attributes }) => JSON.stringify(bodyOf(attributes, schema) ?? ''))
  // If locations are on several bodies, map the body that most of them are on.
  const [most = []] = [...bodies.values()].toSorted((a, b) => b.length - a.length)
  const outline = outlineOf(bodyOf(most[0]?.attributes, schema))
  return [
    ...(shown.length >= FEWEST ? [{ draws: 'pictures', entities: shown.slice(0, PICTURES) } as const] : []),
    ...(most.length >= FEWEST && most.length * 2 > placed.length
      ? [{ draws: 'map', entities: most, outline } as const]
      : []),
  ]
}

/** Returns the distributions of its numbers, times first, and its kinds. */
async function countedOf(
  { world, profile }: OpenWorld,
  described: TypeProfile,
  signal: AbortSignal,
): Promise<readonly Picture[]> {
  const askables = askablesOf(profile, described)
  const measured = askables
    .filter((askable) => isMeasured(askable) && !isCoordinate(askable.field.name))
    .toSorted((a, b) => Number(isTime(b)) - Number(isTime(a)))
  const asked = [...measured.slice(0, MOST_MEASURES), ...askables.filter(isCounted).slice(0, MOST_KINDS)]
  if (asked.length === 0) return []
  const facets = asked.map((askable) => ({
    property: propertyOf(askable.key),
    kind: askable.kind,
    ...(isMeasured(askable) ? { histogram: BARS } : { limit: KINDS }),
  }))
  const answer = await ask(world, { types: [described.type], facets, limit: 0 }, { signal })
  const found = asked.flatMap((askable, index) => {
    const facet = answer.facets[index]
    return facet === undefined ? [] : [{ askable, facet }]
  })
  const spreads = found
    .filter(({ askable, facet }) => isMeasured(askable) && barsIn(facet) >= FEWEST_BARS)
    .toSorted(
      (a, b) => Number(isTime(b.askable)) - Number(isTime(a.askable)) || barsIn(b.facet) - barsIn(a.facet),
    )
    .map((one) => ({ draws: 'bars', ...one }) as const)
  const kinds = found
    .filter(({ askable, facet }) => isCounted(askable) && isGrouping(facet) && areKinds(facet))
    .map((one) => ({ draws: 'kinds', ...one }) as const)
  // With few entities, kinds say more than a handful of bars, unless the bars are along time.
  const [first] = spreads
  const isFew = first !== undefined && !isTime(first.askable) && first.facet.present < FEW
  return isFew
    ? [...kinds, ...spreads]
    : [...spreads.slice(0, 1), ...kinds.slice(0, 1), ...spreads.slice(1), ...kinds.slice(1)]
}

function barsIn({ buckets }: Facet): number {
  const most = Math.max(...buckets.map(({ count }) => count), 0)
  // If each entity has its own bar, there are no clusters.
  if (most < 2) return 0
  // A few outliers make no shape.
  return buckets.filter(({ count }) => count * 200 > most).length
}

/** Reports whether several values are shared by entities, and no value is a URL. */
function areKinds({ buckets }: Facet): boolean {
  return (
    buckets.filter(({ count }) => count > 1).length > 1 &&
    !buckets.some(({ value }) => /^https?:/.test(textOfValue(value)))
  )
}

function isTime({ kind, field }: Askable): boolean {
  return kind === 'instant' || /year$/i.test(field.name)
}

const MERIDIANS = [-120, -60, 0, 60, 120]
const PARALLELS = [-60, -30, 0, 30, 60]

/** A map in degrees with south downwards: the background of the body, and the points of the entities. */
function Places({ entities, outline }: { entities: readonly Entity[]; outline: Outlined | undefined }) {
  const places = entities.flatMap(({ attributes }) => placeOf(attributes) ?? [])
  const label = words.value.home.map(counted(places.length))
  return (
    <figure class="type-picture">
      <svg class="map" viewBox="-180 -90 360 180" role="img" aria-label={label}>
        <rect class="sea" x="-180" y="-90" width="360" height="180" />
        <path
          class="degrees"
          d={MERIDIANS.map((x) => `M${x} -90V90`).join('') + PARALLELS.map((y) => `M-180 ${y}H180`).join('')}
        />
        {outline !== undefined && <path class={`land ${outline}`} d={groundOf(outline)} />}
        {places.map(({ latitude, longitude }, index) => (
          <circle key={index} class="point" cx={longitude} cy={-latitude} r="3.4" />
        ))}
      </svg>
    </figure>
  )
}

/** The pictures repeat what the names below them say. */
function Pictures({ entities }: { entities: readonly Entity[] }) {
  return (
    <figure class="type-picture pictures">
      {entities.map((entity) => (
        <Thumb key={entity.id} entity={entity} />
      ))}
    </figure>
  )
}

function Spread({ askable, facet }: { askable: Askable; facet: Facet }) {
  const { ask } = words.value
  const { field } = askable
  const [from, to] = [facet.minimum, facet.maximum].map((bound) => valueText(String(bound ?? ''), askable))
  return (
    <figure class="type-picture">
      <Bars buckets={facet.buckets} label={ask.histogram(field.label, from ?? '', to ?? '')} />
      <figcaption>
        <span>{from}</span>
        <span>
          <ShortText text={field.label} most={40} />
          {unitAfter(field)}
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
        <b>
          <ShortText text={askable.field.label} most={40} />
        </b>
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
