/** A type at a glance: pictures of its entities, a map of them, a histogram of a number, or the shares of a category. */
import type { Entity, JsonObject } from '@worldwright/client'
import {
  bodyOf,
  declaredFields,
  isCoordinate,
  type Outlined,
  outlineOf,
  placeOf,
} from '@worldwright/extensions/shown'
import { propertyOf, textOfValue } from '@worldwright/extensions/views'
import { ShortText } from '../parts/text.tsx'
import { Thumb } from '../parts/thumb.tsx'
import { useRemote } from '../parts/use-remote.ts'
import { type OpenWorld, useOpenWorld } from '../parts/world-context.ts'
import { type Askable, askablesOf, isCounted, isMeasured } from '../question/askable.ts'
import { type Answer, ask, type Facet } from '../question/question.ts'
import { sampled } from '../question/sample.ts'
import { initialOf } from '../text/visible.ts'
import { count, counted, unitAfter, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import { allowedHosts } from '../world/picture-hosts.ts'
import { pictureOf } from '../world/pictures.ts'
import type { TypeProfile } from '../world/world-profile.ts'
import { Bars } from './bars.tsx'
import { isGrouping, ValueName } from './value-filter.tsx'
import { extremeText } from './value-text.ts'

type Picture =
  | {
      readonly draws: 'map'
      readonly entities: readonly Entity[]
      readonly outline: Outlined | undefined
      /** Background of the map, as an SVG path. */
      readonly ground: string | undefined
      /** Number of entities of the type, of which these are a sample, or else the first ones by id. */
      readonly of: number | undefined
      readonly isSample: boolean
    }
  | { readonly draws: 'pictures'; readonly entities: readonly Entity[] }
  | { readonly draws: 'bars' | 'kinds'; readonly askable: Askable; readonly facet: Facet }

/** Maximum number of numeric and of categorical properties to count. */
const MOST_MEASURES = 8
const MOST_KINDS = 8
const BARS = 32
/** Minimum number of bars in a meaningful histogram. */
const FEWEST_BARS = 5
/** Number of entities below which categories are preferred to bars. */
const FEW = 50
const KINDS = 4
/** Number of entities sampled, maximum pictures shown, and minimum pictures or locations required to show any. */
const LOOKED_AT = 150
const PICTURES = 6
const FEWEST = 3

const pictures = createMemory<readonly Picture[]>(100)

/** Shows up to `most` pictures of a type, or its initial if there is nothing to draw. Says if they could not be read. */
export function TypePicture({ type, most }: { type: TypeProfile; most: number }) {
  const open = useOpenWorld()
  const { world } = open
  const askables = askablesOf(open.profile, type)
  // The key includes the allowed hosts, because allowing a host makes its pictures available.
  const key = askables.length === 0 ? undefined : [world.origin, type.type, ...allowedHosts.value].join(' ')
  const { value, failure } = useRemote(key, (signal) => picturesOf(open, type, signal), {
    memory: pictures,
  })
  if (value === undefined && failure) return <p class="soft">{words.value.entity.pictureFailed}</p>
  if (value?.length === 0) return <div class="frame" data-initial={initialOf(type.title)} />
  return value?.slice(0, most).map((picture, index) => <Drawn key={index} {...picture} />)
}

function Drawn(picture: Picture) {
  if (picture.draws === 'map') return <Places {...picture} />
  if (picture.draws === 'pictures') return <Pictures {...picture} />
  return picture.draws === 'bars' ? <Spread {...picture} /> : <Kinds {...picture} />
}

/** Returns the pictures of a type, most informative first, from the answer to one question. */
async function picturesOf(open: OpenWorld, described: TypeProfile, signal: AbortSignal) {
  const { world, profile } = open
  const { type, schema } = described
  const askables = askablesOf(profile, described)
  const hasPictures = declaredFields(schema).some(({ format }) => format === 'picture' || format === 'uri')
  const isSeen = hasPictures || askables.some(({ kind }) => kind === 'place')
  const counted = countable(askables)
  if (!isSeen && counted.length === 0) return []
  const facets = counted.map((askable) => ({
    property: propertyOf(askable.key),
    kind: askable.kind,
    ...(isMeasured(askable) ? { histogram: BARS } : { limit: KINDS }),
  }))
  const question = { types: [type], ...(facets.length > 0 && { facets }), limit: isSeen ? LOOKED_AT : 0 }
  const read = async (one: JsonObject, isSample: boolean) => ({
    ...(await ask(world, one, { signal })),
    isSample,
  })
  const answer = await (isSeen ? sampled(profile, question, read) : read(question, false))
  return [...(await seenOf(open, described, answer)), ...countedOf(counted, answer)]
}

/** Returns the properties to count: numbers and times, times first, and categories. */
function countable(askables: readonly Askable[]): Askable[] {
  const measured = askables
    .filter((askable) => isMeasured(askable) && !isCoordinate(askable.field.name))
    .toSorted((a, b) => Number(isTime(b)) - Number(isTime(a)))
  return [...measured.slice(0, MOST_MEASURES), ...askables.filter(isCounted).slice(0, MOST_KINDS)]
}

async function seenOf(
  { profile }: OpenWorld,
  { schema }: TypeProfile,
  { entities, total, isSample }: Answer & { readonly isSample: boolean },
): Promise<readonly Picture[]> {
  const shown = entities.filter((entity) => {
    const picture = pictureOf(entity, profile)
    return picture !== undefined && (picture.isOwn || allowedHosts.value.has(picture.host))
  })
  const placed = entities.filter(({ attributes }) => placeOf(attributes) !== undefined)
  const bodies = Map.groupBy(placed, ({ attributes }) => JSON.stringify(bodyOf(attributes, schema) ?? ''))
  // If the locations are on several bodies, map the body with the most locations.
  const [most = []] = [...bodies.values()].toSorted((a, b) => b.length - a.length)
  const isMapped = most.length >= FEWEST && most.length * 2 > placed.length
  const outline = isMapped ? outlineOf(bodyOf(most[0]?.attributes, schema)) : undefined
  const ground = outline && (await import('../parts/ground.ts')).groundOf(outline)
  return [
    ...(shown.length >= FEWEST ? [{ draws: 'pictures', entities: shown.slice(0, PICTURES) } as const] : []),
    ...(isMapped ? [{ draws: 'map', entities: most, outline, ground, of: total, isSample } as const] : []),
  ]
}

/** Returns the histograms and category shares that are worth drawing, most informative first. */
function countedOf(asked: readonly Askable[], answer: Answer): readonly Picture[] {
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
  // With few entities, categories say more than a handful of bars, unless the bars show times.
  const [first] = spreads
  const isFew = first !== undefined && !isTime(first.askable) && first.facet.present < FEW
  return isFew
    ? [...kinds, ...spreads]
    : [...spreads.slice(0, 1), ...kinds.slice(0, 1), ...spreads.slice(1), ...kinds.slice(1)]
}

function barsIn({ buckets }: Facet): number {
  const most = Math.max(...buckets.map(({ count }) => count), 0)
  // If every bar counts at most one entity, the histogram has no shape.
  if (most < 2) return 0
  // Bars below 0.5 % of the tallest are outliers and do not count.
  return buckets.filter(({ count }) => count * 200 > most).length
}

/** Reports whether at least two values are shared by several entities each, and no value is a URL. */
function areKinds({ buckets }: Facet): boolean {
  return (
    buckets.filter(({ count }) => count > 1).length > 1 &&
    !buckets.some(({ value }) => /^https?:/.test(textOfValue(value)))
  )
}

function isTime({ kind, field }: Askable): boolean {
  return kind === 'instant' || field.isYear
}

const MERIDIANS = [-120, -60, 0, 60, 120]
const PARALLELS = [-60, -30, 0, 30, 60]

/** Map with the outline of the body and a point for each entity. Coordinates are in degrees, with south at the bottom. */
function Places({ entities, outline, ground, of = 0, isSample }: Extract<Picture, { draws: 'map' }>) {
  const places = entities.flatMap(({ attributes }) => placeOf(attributes) ?? [])
  const { home, views } = words.value
  const label = home.map(counted(places.length))
  const sampleText = isSample ? views.sampleOf : views.firstOf
  return (
    <figure class="type-picture">
      <svg class="map" viewBox="-180 -90 360 180" role="img" aria-label={label}>
        <rect class="sea" x="-180" y="-90" width="360" height="180" />
        <path
          class="degrees"
          d={MERIDIANS.map((x) => `M${x} -90V90`).join('') + PARALLELS.map((y) => `M-180 ${y}H180`).join('')}
        />
        {ground !== undefined && <path class={`land ${outline}`} d={ground} />}
        {places.map(({ latitude, longitude }, index) => (
          <circle key={index} class="point" cx={longitude} cy={-latitude} r="3.4" />
        ))}
      </svg>
      {of > LOOKED_AT && <figcaption>{sampleText(count(LOOKED_AT), count(of))}</figcaption>}
    </figure>
  )
}

/** Decorative thumbnails: the names below them carry the same information. */
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
  const [from, to] = [facet.minimum, facet.maximum].map((bound) => extremeText(bound, askable))
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

/** Opacities of the parts of a bar, the most frequent value first. Those of further values are lower. */
const OPACITIES = [1, 0.75, 0.55]

/** Shares of the most frequent values. The end of the bar is left to the others. */
function Kinds({ askable, facet }: { askable: Askable; facet: Facet }) {
  const others = facet.present - facet.buckets.reduce((sum, bucket) => sum + bucket.count, 0)
  return (
    <figure class="type-picture kinds">
      <div class="kind-bar" aria-hidden="true">
        {facet.buckets.map(({ value, count: number }, at) => (
          <span key={textOfValue(value)} style={{ flexGrow: number, opacity: OPACITIES[at] ?? 0.4 }} />
        ))}
        {others > 0 && <i style={{ flexGrow: others }} />}
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
