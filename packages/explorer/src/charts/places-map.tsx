/** Map of locations. Nearby ones are clustered into one mark. */
import type { Entity } from '@worldwright/client'
import type { Outlined } from '@worldwright/extensions/shown'
import { useMemo, useState } from 'preact/hooks'
import type { Placed } from '../data/by-body.ts'
import { nameOf } from '../data/entity-name.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { plainText } from '../text/visible.ts'
import { count, words } from '../words/words.ts'
import type { ChartProps } from './chart-props.ts'
import { type Cluster, clustersOf } from './clusters.ts'
import { MapBox, useMapFrame } from './map-box.tsx'
import { frameAround, hasLatitude, type MapFrame, spotOf } from './map-frame.ts'
import { signOf } from './signs.ts'
import { Tip } from './tip.tsx'
import type { Look } from './use-look.tsx'

type Marked = Cluster<Placed & { x: number; y: number }>

/** Clustering radius in pixels, and maximum number of marks that are shown with names. */
const RADIUS = 24
const MOST_NAMED = 14
/** Minimum width of a map with names, in pixels. */
const NAMED_WIDTH = 560
/** Width reserved for a name, in pixels. If a mark is closer to the edge than this, the name precedes the mark. */
const NAME_WIDTH = 180
/** Maximum number of entities named in the tooltip of a mark. */
const MOST_LISTED = 12

/** Map of locations. Until the user moves it, the map shows all locations loaded so far. */
export function PlacesMap(
  props: Pick<ChartProps, 'plot' | 'onMoved'> &
    Omit<Parameters<typeof MapBox>[0], 'view' | 'children'> & {
      outline: Outlined | undefined
      placed: readonly Placed[]
      isWhole: boolean
      lookOf?: (entity: Entity) => Look
    },
) {
  const { placed, lookOf = () => ({}) } = props
  const places = useMemo(() => placed.map(({ place }) => place), [placed])
  const view = useMapFrame(props, props.outline, places)
  const { frame, width, go } = view
  const [opened, setOpen] = useState<Marked>()
  const marks = useMemo(() => marksOf(placed, frame, width), [placed, frame, width])
  const open = opened && marks.includes(opened) ? opened : undefined

  function press(mark: Marked) {
    const places = mark.spots.map(({ place }) => place)
    const around = frameAround(places, frame.isMercator)
    // Zooming cannot separate entities at the same location.
    if (around.zoom > frame.zoom * 1.2 && isApart(mark)) go(around)
    else setOpen(open === mark ? undefined : mark)
  }

  return (
    <MapBox {...props} view={view}>
      <ul class="marks">
        {marks.map((mark) => (
          <Mark
            key={`${mark.spots[0]?.entity.type} ${mark.spots[0]?.entity.id} ${mark.spots.length}`}
            mark={mark}
            isNamed={marks.length <= MOST_NAMED && width >= NAMED_WIDTH}
            isAtEdge={mark.x > width - NAME_WIDTH}
            lookOf={lookOf}
            onPress={() => press(mark)}
          />
        ))}
      </ul>
      {open !== undefined && (
        <Tip x={open.x} y={open.y} width={width}>
          <b>{words.value.views.together(count(open.spots.length))}</b>
          {open.spots.slice(0, MOST_LISTED).map(({ entity }, index) => (
            <EntityLink key={index} entity={entity} most={60} />
          ))}
        </Tip>
      )}
    </MapBox>
  )
}

/** Link for one location, or a button for several. The button is for pointers only, since keyboard users have the table. */
function Mark(props: {
  mark: Marked
  isNamed: boolean
  isAtEdge: boolean
  lookOf: (entity: Entity) => Look
  onPress: () => void
}) {
  const { mark, isNamed, isAtEdge, lookOf, onPress } = props
  const [first, second] = mark.spots
  const style = { left: `${mark.x}px`, top: `${mark.y}px` }
  if (first === undefined) return null
  if (second === undefined) {
    const { color, size = 1 } = lookOf(first.entity)
    const looks = { ...style, '--shade': color, '--size': size, '--sign': signOf(color) }
    const kind = isNamed ? (isAtEdge ? 'named before' : 'named') : ''
    return (
      <li class={`pin ${kind}`} style={looks} title={plainText(nameOf(first.entity))}>
        <EntityLink entity={first.entity} most={40} />
      </li>
    )
  }
  const number = mark.spots.length
  const size = 22 + 6 * Math.log10(number) ** 1.5
  const shares = sharesOf(mark.spots.map(({ entity }) => lookOf(entity).color))
  return (
    <li class={`cluster ${shares && 'shared'}`} style={{ ...style, '--shares': shares }}>
      <button
        type="button"
        tabIndex={-1}
        style={{ width: `${size}px`, height: `${size}px` }}
        aria-label={words.value.views.cluster(count(number))}
        onClick={onPress}
      >
        {number < 1_000 ? count(number) : `${count(Math.round(number / 1_000))}k`}
      </button>
    </li>
  )
}

/** Returns a ring of the shares of some colours, the most frequent first. Empty without colours. */
function sharesOf(colors: readonly (string | undefined)[]): string {
  if (colors.includes(undefined)) return ''
  let at = 0
  const groups = [...Map.groupBy(colors, (color) => color)].toSorted(([, a], [, b]) => b.length - a.length)
  return `conic-gradient(${groups.map(([color, { length }]) => {
    const from = at
    at += (length / colors.length) * 360
    return `${color} ${from}deg ${at}deg`
  })})`
}

function marksOf(placed: readonly Placed[], frame: MapFrame, width: number): Marked[] {
  const spots = placed
    .filter(({ place }) => hasLatitude(frame, place.latitude))
    .map((one) => ({ ...one, ...spotOf(frame, width, one.place) }))
    .filter(({ x, y }) => x >= -RADIUS && y >= -RADIUS && x <= width + RADIUS && y <= width / 2 + RADIUS)
  return clustersOf(spots, RADIUS)
}

function isApart({ spots: [first, ...others] }: Marked): boolean {
  return others.some(
    ({ place }) => place.longitude !== first?.place.longitude || place.latitude !== first.place.latitude,
  )
}
