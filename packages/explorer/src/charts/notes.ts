/** Notes on what a chart shows and leaves out. */
import type { Measure } from '../question/measures.ts'
import { count, words } from '../words/words.ts'
import type { ChartProps } from './chart-props.ts'
import type { Sample } from './use-sample.ts'

/** Returns notes on the entities that a chart omits: those without a value, not loaded, or not counted. */
export function notesOf(
  { question, entities, total }: Pick<ChartProps, 'question' | 'entities' | 'total'>,
  drawn: { readonly present: number; readonly total: number | undefined; readonly isPartial: boolean },
  measures: readonly Measure[],
): string[] {
  const { views } = words.value
  const missing = drawn.total === undefined ? 0 : drawn.total - drawn.present
  const label = measures.map(({ field }) => field.label).join(', ')
  return [
    ...(question === undefined && total !== entities.length ? [loadedText(entities.length, total)] : []),
    ...(missing > 0 ? [views.without(count(missing), label)] : []),
    ...(drawn.isPartial ? [views.cutShort] : []),
  ]
}

function loadedText(loaded: number, total: number | undefined): string {
  const { views } = words.value
  return total === undefined
    ? views.loadedOnlyOf(count(loaded))
    : views.loadedOnly(count(loaded), count(total))
}

/** Returns a note on how many of the entities are drawn. */
export function shownText(
  { question, total: listed }: Pick<ChartProps, 'question' | 'total'>,
  { entities, total, isBusy, isSample }: Pick<Sample, 'entities' | 'total' | 'isBusy' | 'isSample'>,
  drawn: number,
): string {
  const { views } = words.value
  if (isBusy) return views.reading(count(entities.length))
  if (question === undefined && listed !== entities.length) return loadedText(entities.length, listed)
  if (total === undefined || total <= drawn) return views.allShown(count(drawn))
  return (isSample ? views.sampleOf : views.firstOf)(count(drawn), count(total))
}

/** Returns a note on how many entities lack a required value, or an empty array if none do or the number is unknown. */
export function withoutText(
  { question, total: listed }: Pick<ChartProps, 'question' | 'total'>,
  { total, isBusy }: Pick<Sample, 'total' | 'isBusy'>,
  labels: readonly string[],
): string[] {
  if (question === undefined || isBusy || listed === undefined || total === undefined || listed <= total)
    return []
  return [words.value.views.without(count(listed - total), labels.join(', '))]
}
