/** What every chart of a list is given. */
import type { Entity, JsonObject } from '@worldwright/client'
import type { Plot } from '../navigation/route.ts'
import type { Askable } from '../question/askable.ts'
import type { Asked } from '../question/filters.ts'

/** A list to be drawn, and what can be changed about the picture. */
export interface ChartProps {
  readonly type: string
  /** What of the type has a kind; of a world that answers no questions, as its schema and entities tell. */
  readonly askables: readonly Askable[]
  readonly asked: Asked
  /** What the list asks of its world; undefined if the world answers no questions. */
  readonly question: (() => Promise<JsonObject>) | undefined
  /** What has been read of the list: all there is to draw of a world that answers no questions. */
  readonly entities: readonly Entity[]
  /** How many there are in all, if known. */
  readonly total: number | undefined
  readonly plot: Plot
  /** Notes in the address what is seen, without an entry of the history. */
  readonly onMoved: (plot: Plot) => void
  readonly onPlot: (plot: Plot) => void
  readonly onAsked: (asked: Asked) => void
}
