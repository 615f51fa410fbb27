/** Layouts and columns of a list, derived from the type's schema and its first entities. */

import type { Entity } from '@worldwright/client'
import { columnsOf, declaredFields, type Field, member } from '@worldwright/extensions/shown'
import { keysOfAsked, LAYOUTS, type Layout, NOTHING_ASKED } from '@worldwright/extensions/views'
import { useMemo } from 'preact/hooks'
import { titleAttributeOf } from '../data/entity-name.ts'
import type { RouteTo } from '../navigation/route.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { type Askable, answersGroups } from '../question/askable.ts'
import { askablesSeen, isTime, measuresOf } from '../question/measures.ts'
import { pictureOf } from '../world/pictures.ts'
import type { Walked } from '../world/walk.ts'
import type { TypeProfile } from '../world/world-profile.ts'

/** Number of entities examined to find the columns, their widths and the layouts. */
export const SAMPLE = 50
/** Minimum width of a page on which a list is shown as a table by default, in pixels. */
const TABLE_WIDTH = 640

/** Returns the layouts and columns of a list. `askables` is an empty array if the world does not support queries. */
export function useListShape(
  { view: wanted, columns: chosen, asked = NOTHING_ASKED }: RouteTo<'list'>,
  type: TypeProfile,
  askables: readonly Askable[],
  { entities, isBegun }: Walked,
) {
  const { profile } = useOpenWorld()
  const keys = keysOfAsked(asked)
  // The sample is part of the first page, so entities loaded later do not change the result.
  return useMemo(() => {
    const sample = entities.slice(0, SAMPLE)
    const titles = new Set(sample.map(titleAttributeOf))
    const columns = columnsOf(
      type.schema,
      sample.map(({ attributes }) => attributes),
      new Set(keys),
    )
      .filter(({ name }) => titles.size !== 1 || !titles.has(name))
      .toSorted((a, b) => Number(isRare(a, sample)) - Number(isRare(b, sample)))
    const declared = declaredFields(type.schema)
    const available = declared.length > 0 ? declared : columns
    const shown = chosen?.flatMap((name) => available.find((field) => field.name === name) ?? [])
    const drawables = askables.length > 0 ? askables : askablesSeen(columns, sample)
    const hasPictures =
      columns.some(({ format }) => format === 'picture') ||
      sample.some((entity) => pictureOf(entity, profile))
    const views = viewsOf(drawables, hasPictures, askables.length > 0 && answersGroups(profile))
    const usual: Layout = columns.length > 1 && innerWidth >= TABLE_WIDTH ? 'table' : 'list'
    // Until the first page is loaded, the layouts of a type without a schema are unknown.
    const view = wanted !== undefined && (views.includes(wanted) || !isBegun) ? wanted : usual
    return { columns: shown?.length ? shown : columns, available, drawables, views, view }
  }, [type, askables, entities.length === 0, isBegun, wanted, JSON.stringify([chosen, keys])])
}

/** Reports whether most entities lack a field, whose column then follows the others. */
function isRare({ name }: Field, sample: readonly Entity[]): boolean {
  return 2 * sample.filter(({ attributes }) => (member(attributes, name) ?? '') === '').length > sample.length
}

/** Reports whether a layout draws the whole list as a chart instead of showing its loaded rows. */
export function isDrawn(view: Layout): boolean {
  return DRAWN.has(view)
}

const DRAWN: ReadonlySet<Layout> = new Set(['summary', 'map', 'timeline', 'histogram', 'scatter'])

/** Returns the layouts that a list supports, in display order. `askables` are the properties of the list's type. */
function viewsOf(askables: readonly Askable[], hasPictures: boolean, hasGroups: boolean): Layout[] {
  const measures = measuresOf(askables)
  const supported: Readonly<Record<Layout, boolean>> = {
    table: true,
    list: true,
    summary: hasGroups,
    gallery: hasPictures,
    map: askables.some(({ kind }) => kind === 'place'),
    timeline: measures.some(isTime),
    histogram: measures.length > 0,
    scatter: measures.length > 1,
  }
  return LAYOUTS.filter((view) => supported[view])
}
