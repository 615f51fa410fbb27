/** Properties of every chart of a list. */
import type { Entity, JsonObject } from '@worldwright/client'
import type { Plot } from '../navigation/route.ts'
import type { Askable } from '../question/askable.ts'
import type { Asked } from '../question/filters.ts'

/** A list to draw, and the options of its picture. */
export interface ChartProps {
  readonly type: string
  /** Properties of the type with a kind; if the world answers no questions, inferred from its schema and entities. */
  readonly askables: readonly Askable[]
  readonly asked: Asked
  /** Returns the list's question to its world; undefined if the world answers no questions. */
  readonly question: (() => Promise<JsonObject>) | undefined
  /** Entities read so far: all there is to draw if the world answers no questions. */
  readonly entities: readonly Entity[]
  /** Total number of entities, if known. */
  readonly total: number | undefined
  readonly plot: Plot
  /** Records the visible part in the address, without a history entry. */
  readonly onMoved: (plot: Plot) => void
  readonly onPlot: (plot: Plot) => void
  readonly onAsked: (asked: Asked) => void
}
