/** A map of the entities of a list. */

import type { Entity } from '@worldwright/client'
import { BODIES, bodyOf, LATITUDE, LONGITUDE, member, outlineOf } from '@worldwright/extensions/shown'
import { type Filter, withFilter } from '@worldwright/extensions/views'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { byBody } from '../data/by-body.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { placeText } from '../parts/place-text.ts'
import { Select } from '../parts/select.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { plainText } from '../text/visible.ts'
import { count, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import { typeIn } from '../world/world-profile.ts'
import { type Cells, mapCells, sumOf } from './cells.ts'
import { ChartFigure, tableOf } from './chart-figure.tsx'
import type { ChartProps } from './chart-props.ts'
import { MapCells } from './map-cells.tsx'
import { boxOf, cellDegrees, type MapFrame, WHOLE } from './map-frame.ts'
import { shownText, withoutText } from './notes.ts'
import { PlacesMap } from './places-map.tsx'
import { useCounted } from './use-counted.ts'
import { useLook } from './use-look.tsx'
import { MOST_DRAWN, useIsLong, useSample } from './use-sample.ts'

const known = createMemory<Cells>(20)

/**
 * Map of a list: cells with counts if it has too many locations for points. Cells do not tell bodies apart, so locations that
 * may be on several are drawn as points, of which a sample.
 */
export function MapView(props: ChartProps) {
  const { askables, type } = props
  const { profile } = useOpenWorld()
  const place = askables.find(({ kind }) => kind === 'place')
  const mayBeCells =
    useIsLong(props) && place !== undefined && !askables.some(({ key }) => BODIES.includes(key))
  const options = { depends: mayBeCells ? [] : undefined, memory: known, once: true }
  const whole = useCounted(props, options, (ask) => mapCells(ask, place?.key ?? '', cellDegrees(WHOLE, 900)))
  if (!mayBeCells || (whole.value !== undefined && sumOf(whole.value) <= MOST_DRAWN))
    return <Points {...props} />
  const body = bodyOf({}, typeIn(profile, type).schema)
  return <MapCells {...props} placeKey={place.key} whole={whole} body={body} onOnly={narrowing(props)} />
}

/** A mark for each entity. Nearby entities share one mark that shows how many there are. */
function Points(props: ChartProps) {
  const { askables, plot, onPlot } = props
  const { views, entity: said, list } = words.value
  const look = useLook(props, ['color', 'size'])
  const declared = useFields(props)
  const fields = declared && [...declared, ...look.keys]
  const key = askables.find(({ kind }) => kind === 'place')?.key ?? 'attributes'
  const sample = useSample(props, { keys: [key], fields })
  const { schema } = typeIn(useOpenWorld().profile, props.type)
  const bodies = useMemo(() => byBody(sample.entities, schema), [sample.entities, schema])
  const names = [...bodies.keys()].toSorted(
    (a, b) => (bodies.get(b)?.length ?? 0) - (bodies.get(a)?.length ?? 0),
  )
  const body = names.find((name) => name === plot.x) ?? names[0] ?? ''
  const placed = bodies.get(body) ?? []
  const nameOfBody = useBodyNames(sample.entities)
  const outline = outlineOf(body || undefined)
  const bodyName = nameOfBody(body)
  const isCut = sample.isBusy || sample.entities.length !== sample.total
  return (
    <ChartFigure
      read={sample}
      controls={
        <>
          {names.length > 1 && (
            <Select
              label={views.body}
              choices={names.map((name) => [
                name,
                `${nameOfBody(name)} (${count(bodies.get(name)?.length ?? 0)})`,
              ])}
              chosen={body}
              onChoose={(x) => onPlot({ ...plot, x, y: undefined })}
            />
          )}
          {look.controls}
        </>
      }
      picture={
        <PlacesMap
          key={body}
          {...props}
          placed={placed}
          isWhole={!sample.isBusy}
          outline={outline}
          label={views.places(count(placed.length), bodyName)}
          onOnly={narrowing(props)}
          lookOf={look.lookOf}
        />
      }
      legend={look.legend}
      notes={[
        views.places(count(placed.length), bodyName),
        // If the locations are on several bodies, only one body is visible, so the total number of entities would mislead.
        ...(isCut || names.length < 2 ? [shownText(props, sample, sample.entities.length)] : []),
        ...withoutText(props, sample, [said.meanings.place]),
        ...(outline === 'earth' ? [] : [outline === undefined ? said.mapOther : said.mapRough]),
      ]}
      table={tableOf([list.title, said.meanings.place], placed, ({ entity, place }) => [
        <EntityLink key="title" entity={entity} most={80} />,
        placeText(place),
      ])}
    />
  )
}

/** Returns a function that filters the list to the area of a frame, or undefined if the world cannot filter by location. */
function narrowing({ askables, asked, onAsked, question }: ChartProps) {
  const key = askables.find(({ kind }) => kind === 'place')?.key
  if (question === undefined || key === undefined) return undefined
  return (frame: MapFrame) => {
    const filter: Filter = { is: 'box', key, box: boxOf(frame) }
    onAsked({ ...asked, filters: withFilter(asked.filters, key, filter) })
  }
}

/** Returns the names of the attributes that contain locations, or undefined for all attributes if none are declared. */
function useFields({ type, askables }: ChartProps): readonly string[] | undefined {
  const { profile } = useOpenWorld()
  return useMemo(() => {
    const properties = member(typeIn(profile, type).schema, 'properties')
    const declared = [...LATITUDE, ...LONGITUDE, ...BODIES].filter(
      (name) => member(properties, name) !== undefined,
    )
    const others = askables.filter(({ kind, key }) => kind === 'place' && key !== 'attributes')
    const names = [...declared, ...others.map(({ key }) => key)]
    return names.length > 0 ? names : undefined
  }, [profile, type, askables])
}

/** Returns a function that names a body. A body that is an entity is named by its title as soon as the title is known. */
function useBodyNames(entities: readonly Entity[]): (body: string) => string {
  const { titles } = useOpenWorld()
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())

  useEffect(() => {
    const bodies = entities
      .map(({ attributes }) => bodyOf(attributes))
      .filter((body) => typeof body === 'object')
    for (const ref of new Map(bodies.map((body) => [body.id, body])).values())
      titles.find(ref).then((found) => {
        const title = found.state === 'found' ? found.title : undefined
        if (title !== undefined) setNames((before) => new Map(before).set(ref.id, title))
      })
  }, [entities, titles])

  return (body) => (body === '' ? words.value.entity.mapEarth : plainText(names.get(body) ?? body))
}
