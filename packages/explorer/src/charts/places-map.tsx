/** Map that can be moved and zoomed. Nearby locations are clustered into one mark. */
import './charts.css'
import type { Entity } from '@worldwright/client'
import { useMemo, useState } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import type { Outlined, Place } from '../data/values.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { groundOf } from '../parts/ground.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { plainText } from '../text/visible.ts'
import { count, words } from '../words/words.ts'
import type { ChartProps } from './chart-props.ts'
import { type Cluster, clustersOf } from './clusters.ts'
import { frameAround, frameFrom, frameText, type MapFrame, spotOf, WHOLE, zoomed } from './map-frame.ts'
import { Tip } from './tip.tsx'
import { useMapMoves } from './use-map-moves.ts'
import { useWidth } from './use-width.ts'

/** An entity and its location on a body. */
export interface Placed {
  readonly entity: Entity
  readonly place: Place
}

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
  props: Pick<ChartProps, 'plot' | 'onMoved'> & {
    placed: readonly Placed[]
    isWhole: boolean
    /** Background of the body, or undefined if the body has none. */
    outline: Outlined | undefined
    label: string
    /** Filters the list to the visible area. Absent if the list cannot be filtered by location. */
    onOnly?: ((frame: MapFrame) => void) | undefined
  },
) {
  const { plot, onMoved, placed, outline, label, onOnly } = props
  const { views } = words.value
  const { box, width } = useWidth()
  const height = width / 2
  const all = useMemo(() => frameAround(placed.map(({ place }) => place)), [placed])
  const [chosen, setChosen] = useState<MapFrame | undefined>(() => frameFrom(plot.y))
  const [open, setOpen] = useState<Marked>()
  const frame = chosen ?? all
  const marks = useMemo(() => marksOf(placed, frame, width), [placed, frame, width])

  function go(to: MapFrame) {
    setOpen(undefined)
    setChosen(to)
    onMoved({ ...plot, y: frameText(to) })
  }

  function press(mark: Marked) {
    const around = frameAround(mark.spots.map(({ place }) => place))
    // Zooming cannot separate entities at the same location.
    if (around.zoom > frame.zoom * 1.2 && isApart(mark)) go(around)
    else setOpen(open === mark ? undefined : mark)
  }

  const moves = useMapMoves({ frame, width, onFrame: go })
  const tools = [
    [views.zoomIn, '+', zoomed(frame, 2, width)],
    [views.zoomOut, '−', zoomed(frame, 0.5, width)],
    [views.whole, '⤢', WHOLE],
  ] as const
  return (
    <div class="plot places" ref={box}>
      {/* biome-ignore lint/a11y/useSemanticElements: a map is not a group of form fields. */}
      <div
        class="map-box"
        role="group"
        aria-label={`${label}. ${views.moveMap}`}
        style={{ height: `${height}px` }}
        {...moves}
      >
        <Ground frame={frame} width={width} outline={outline} />
        <ul class="marks">
          {marks.map((mark) => (
            <Mark
              key={`${mark.spots[0]?.entity.type} ${mark.spots[0]?.entity.id} ${mark.spots.length}`}
              mark={mark}
              isNamed={marks.length <= MOST_NAMED && width >= NAMED_WIDTH}
              isAtEdge={mark.x > width - NAME_WIDTH}
              onPress={() => press(mark)}
            />
          ))}
        </ul>
        {open !== undefined && (
          <Tip x={open.x} y={open.y} width={width}>
            <b>{views.together(count(open.spots.length))}</b>
            {open.spots.slice(0, MOST_LISTED).map(({ entity }, index) => (
              <EntityLink key={index} entity={entity} most={60} />
            ))}
          </Tip>
        )}
      </div>
      <div class="map-tools">
        {tools.map(([label, sign, to]) => (
          <IconButton key={sign} label={label} title={label} onClick={() => go(to)}>
            <span aria-hidden="true">{sign}</span>
          </IconButton>
        ))}
      </div>
      {onOnly !== undefined && (
        <button type="button" class="button small only-seen" onClick={() => onOnly(frame)}>
          {views.onlySeen}
        </button>
      )}
    </div>
  )
}

/** Background of the body, with meridians and parallels. */
function Ground(props: { frame: MapFrame; width: number; outline: Outlined | undefined }) {
  const { frame, width, outline } = props
  const scale = (width / 360) * frame.zoom
  const step = [30, 15, 10, 5, 2, 1].find((degrees) => degrees * scale < width / 3) ?? 1
  const lines = (most: number) =>
    Array.from({ length: (2 * most) / step + 1 }, (_, index) => index * step - most)
  const move = `translate(${width / 2 - frame.longitude * scale} ${width / 4 + frame.latitude * scale}) scale(${scale})`
  return (
    <svg
      class="map"
      width={width}
      height={width / 2}
      viewBox={`0 0 ${width} ${width / 2}`}
      aria-hidden="true"
    >
      <rect class="sea" width={width} height={width / 2} />
      <g transform={move}>
        {outline !== undefined && <path class={`land ${outline}`} d={groundOf(outline)} />}
        <path
          class="degrees"
          d={
            lines(180)
              .map((x) => `M${x} -90V90`)
              .join('') +
            lines(90)
              .map((y) => `M-180 ${y}H180`)
              .join('')
          }
        />
      </g>
    </svg>
  )
}

/** Link for one location, or a button for several. The button is for pointers only, since keyboard users have the table. */
function Mark(props: { mark: Marked; isNamed: boolean; isAtEdge: boolean; onPress: () => void }) {
  const { mark, isNamed, isAtEdge, onPress } = props
  const [first, second] = mark.spots
  const style = { left: `${mark.x}px`, top: `${mark.y}px` }
  if (first === undefined) return null
  if (second === undefined) {
    const kind = isNamed ? (isAtEdge ? 'named before' : 'named') : ''
    return (
      <li class={`pin ${kind}`} style={style} title={plainText(nameOf(first.entity))}>
        <EntityLink entity={first.entity} most={40} />
      </li>
    )
  }
  const number = mark.spots.length
  const size = 22 + 6 * Math.log10(number) ** 1.5
  return (
    <li class="cluster" style={style}>
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

function marksOf(placed: readonly Placed[], frame: MapFrame, width: number): Marked[] {
  const spots = placed
    .map((one) => ({ ...one, ...spotOf(frame, width, one.place) }))
    .filter(({ x, y }) => x >= -RADIUS && y >= -RADIUS && x <= width + RADIUS && y <= width / 2 + RADIUS)
  return clustersOf(spots, RADIUS)
}

function isApart({ spots: [first, ...others] }: Marked): boolean {
  return others.some(
    ({ place }) => place.longitude !== first?.place.longitude || place.latitude !== first.place.latitude,
  )
}
