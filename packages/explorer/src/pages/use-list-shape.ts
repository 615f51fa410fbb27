/** Which layouts a list has, and what they show, as its type's schema and its first entities tell. */
import { useMemo } from 'preact/hooks'
import { columnsOf, declaredFields } from '../data/fields.ts'
import { type RouteTo, VIEWS, type View } from '../navigation/route.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import type { Askable } from '../question/askable.ts'
import { keysOfAsked, NOTHING_ASKED } from '../question/filters.ts'
import { askablesSeen, isTime, measuresOf } from '../question/measures.ts'
import { pictureOf } from '../world/pictures.ts'
import type { Walked } from '../world/walk.ts'
import type { TypeProfile } from '../world/world-profile.ts'

/** Entities that are looked at where there is no schema. */
const SAMPLE = 50
/** From this width on, in pixels, a list is a table unless the address says otherwise. */
const TABLE_WIDTH = 640

/** The shape of the list of a route. `askables` are what its world can be asked; of other worlds none. */
export function useListShape(
  { view: wanted, columns: chosen, asked = NOTHING_ASKED }: RouteTo<'list'>,
  type: TypeProfile,
  askables: readonly Askable[],
  { entities, isBegun }: Walked,
) {
  const { profile } = useOpenWorld()
  const keys = keysOfAsked(asked)
  // The sample decides with the first page: what is scrolled to later changes nothing.
  return useMemo(() => {
    const sample = entities.slice(0, SAMPLE)
    const columns = columnsOf(
      type.schema,
      sample.map(({ attributes }) => attributes),
      new Set(keys),
    )
    const declared = declaredFields(type.schema)
    const available = declared.length > 0 ? declared : columns
    const shown = chosen?.flatMap((name) => available.find((field) => field.name === name) ?? [])
    const drawables = askables.length > 0 ? askables : askablesSeen(columns, sample)
    const hasPictures =
      columns.some(({ format }) => format === 'picture') ||
      sample.some((entity) => pictureOf(entity, profile))
    const views = viewsOf(drawables, hasPictures)
    const usual: View = columns.length > 1 && innerWidth >= TABLE_WIDTH ? 'table' : 'list'
    // Nothing is known of a type without a schema before its first page.
    const view = wanted !== undefined && (views.includes(wanted) || !isBegun) ? wanted : usual
    return { columns: shown?.length ? shown : columns, available, drawables, views, view }
  }, [type, askables, entities.length === 0, isBegun, wanted, JSON.stringify([chosen, keys])])
}

/** Whether a layout draws all of a list, rather than what is loaded of it row by row. */
export function isDrawn(view: View): boolean {
  return DRAWN.has(view)
}

const DRAWN: ReadonlySet<View> = new Set(['map', 'timeline', 'histogram', 'scatter'])

/** The layouts that a list supports, as its pictures and what can be asked of its type tell, in the order in which they are offered. */
function viewsOf(askables: readonly Askable[], hasPictures: boolean): View[] {
  const measures = measuresOf(askables)
  const supported: Readonly<Record<View, boolean>> = {
    table: true,
    list: true,
    gallery: hasPictures,
    map: askables.some(({ kind }) => kind === 'place'),
    timeline: measures.some(isTime),
    histogram: measures.length > 0,
    scatter: measures.length > 1,
  }
  return VIEWS.filter((view) => supported[view])
}
