/** Map of a list that is too long for points: cells with the number of entities in them, smaller the closer one looks. */

import type { EntityRef } from '@worldwright/client'
import { outlineOf } from '@worldwright/extensions/shown'
import { conditionOf, withFilter } from '@worldwright/extensions/views'
import { useMemo } from 'preact/hooks'
import { placeText } from '../parts/place-text.ts'
import type { Remote } from '../parts/use-remote.ts'
import { measuresOf } from '../question/measures.ts'
import { count, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import { CellFigure, CellLayer } from './cell-layer.tsx'
import { type Cell, type Cells, mapCells, sumOf } from './cells.ts'
import type { ChartProps } from './chart-props.ts'
import { MapBox, useMapFrame } from './map-box.tsx'
import { cellDegrees, frameAround, hasLatitude, type MapFrame, seenBox, spotOf } from './map-frame.ts'
import { useCounted } from './use-counted.ts'
import { useLook } from './use-look.tsx'
import { MOST_DRAWN } from './use-sample.ts'

const memory = createMemory<Cells>(60)

/** Map of cells. A cell filters the list to its area, or is enlarged if it has more entities than points can be drawn. */
export function MapCells(
  props: ChartProps & {
    placeKey: string
    /** Cells of the whole map. */
    whole: Remote<Cells>
    body: EntityRef | string | undefined
    onOnly: ((frame: MapFrame) => void) | undefined
  },
) {
  const { asked, placeKey, whole, body, onAsked, onOnly } = props
  const { views, entity: said } = words.value
  const look = useLook(props, ['color'], true)
  const [measure] = look.color === undefined ? [] : measuresOf([look.color])
  const outline = outlineOf(body)
  const places = useMemo(() => (whole.value?.cells ?? []).flatMap(cornersOf), [whole.value])
  const view = useMapFrame(props, outline, places)
  const { frame, width } = view
  const degrees = cellDegrees(frame, width)
  const box = seenBox(frame, degrees)
  const seen = conditionOf([{ is: 'box', key: placeKey, box }], []) ?? {}
  const depends = whole.value && [measure?.key, degrees]
  const read = useCounted(props, { depends, where: [seen], memory, keep: true, once: true }, (ask) =>
    mapCells(ask, placeKey, degrees, measure?.key),
  )
  const total = whole.value ? sumOf(whole.value) : 0
  const name = outline === 'earth' ? said.mapEarth : typeof body === 'object' ? body.id : (body ?? '')
  const label = views.places(count(total), name)

  function press(cell: Cell) {
    const around = frameAround(cornersOf(cell), frame.isMercator)
    if (cell.count > MOST_DRAWN && around.zoom > frame.zoom * 1.2) return view.go(around)
    // The northern and eastern edges belong to the next cells, so the box ends just before them.
    const box = [cell.x[0], cell.y[0], cell.x[1] - 1e-9, cell.y[1] - 1e-9] as const
    onAsked({ ...asked, filters: withFilter(asked.filters, placeKey, { is: 'box', key: placeKey, box }) })
  }

  const isSeen = (cell: Cell) => cornersOf(cell).some(({ latitude }) => hasLatitude(frame, latitude))

  const boxOf = ({ x: [west, east], y: [south, north] }: Cell) => {
    const { x, y } = spotOf(frame, width, { longitude: west, latitude: north })
    const end = spotOf(frame, width, { longitude: east, latitude: south })
    return { x, y, width: end.x - x, height: end.y - y }
  }

  return (
    <CellFigure
      {...props}
      read={whole.value === undefined ? { ...whole, value: undefined } : read}
      controls={look.controls}
      measure={measure}
      total={total}
      heading={said.meanings.place}
      label={label}
      textOf={areaText}
      onPress={press}
      picture={(layer) => (
        <MapBox view={view} label={label} onOnly={onOnly}>
          <CellLayer
            {...layer}
            cells={layer.cells.filter(isSeen)}
            width={width}
            height={width / 2}
            boxOf={boxOf}
          />
        </MapBox>
      )}
    />
  )
}

/** Returns two corners of a cell. */
function cornersOf({ x, y }: Cell) {
  return [0, 1].map((end) => ({ longitude: x[end] ?? 0, latitude: y[end] ?? 0 }))
}

function areaText(cell: Cell): string {
  return cornersOf(cell).map(placeText).join(' – ')
}
