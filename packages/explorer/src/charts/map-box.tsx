/** Map that can be moved and zoomed: the ground, the tools, and the layers of its caller. */
import './charts.css'
import type { Outlined, Place } from '@worldwright/extensions/shown'
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { IconButton } from '../parts/icon-button.tsx'
import { words } from '../words/words.ts'
import type { ChartProps } from './chart-props.ts'
import { frameAround, frameFrom, frameText, hasLatitude, type MapFrame, within, zoomed } from './map-frame.ts'
import { MapGround } from './map-ground.tsx'
import { MapTiles, TilesNote, useTiles } from './map-tiles.tsx'
import { useMapMoves } from './use-map-moves.ts'
import { useWidth } from './use-width.ts'

/** Visible part of a map, and the callback that changes it. */
export type MapView = Readonly<ReturnType<typeof useMapFrame>>

/**
 * Keeps the visible part of a map, which is that around `places` until the user moves it, and its width. The map is in Web
 * Mercator if it has tiles. `outline` is the background of the body, or undefined if the body has none.
 */
export function useMapFrame(
  { plot, onMoved }: Pick<ChartProps, 'plot' | 'onMoved'>,
  outline: Outlined | undefined,
  places: readonly Place[],
) {
  const { box, width } = useWidth()
  const tiles = useTiles(outline)
  const isMercator = tiles?.isAllowed ?? false
  const all = useMemo(() => frameAround(places, isMercator), [places, isMercator])
  const [chosen, setChosen] = useState<MapFrame | undefined>(() => frameFrom(plot.y))
  const go = (to: MapFrame) => {
    setChosen(to)
    onMoved({ ...plot, y: frameText(to) })
  }
  const frame = chosen ? within({ ...chosen, isMercator }) : all
  const isCut = places.some(({ latitude }) => !hasLatitude(frame, latitude))
  return { box, width, height: width / 2, frame, go, outline, tiles, isCut }
}

/** The map of `view`, with `children` over the ground. */
export function MapBox(props: {
  view: MapView
  label: string
  /** Filters the list to the visible area. Absent if the list cannot be filtered by location. */
  onOnly?: ((frame: MapFrame) => void) | undefined
  children: ComponentChildren
}) {
  const { label, onOnly, children } = props
  const { box, width, height, frame, go, outline, tiles, isCut } = props.view
  const { views } = words.value
  const moves = useMapMoves({ frame, width, onFrame: go })
  const tools = [
    [views.zoomIn, '+', zoomed(frame, 2, width)],
    [views.zoomOut, '−', zoomed(frame, 0.5, width)],
    [views.whole, '⤢', frameAround([], frame.isMercator)],
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
        <MapGround frame={frame} width={width} outline={outline} />
        {tiles?.isAllowed && <MapTiles url={tiles.url} frame={frame} width={width} />}
        {children}
      </div>
      <TilesNote tiles={tiles} isCut={isCut} />
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
