/** Props shared by all charts of a list. */
import type { Entity, JsonObject } from '@worldwright/client'
import type { Asked, Plot } from '@worldwright/extensions/views'
import type { Askable } from '../question/askable.ts'

/** The list to draw, and the options of its chart. */
export interface ChartProps {
  readonly type: string
  /** The type's properties. If the world does not support queries, they are inferred from the schema and the entities. */
  readonly askables: readonly Askable[]
  readonly asked: Asked
  /** Returns the question that selects the list. Undefined if the world does not support queries. */
  readonly question: (() => Promise<JsonObject>) | undefined
  /** Entities loaded so far. Only these can be drawn if the world does not support queries. */
  readonly entities: readonly Entity[]
  /** Total number of entities, if known. */
  readonly total: number | undefined
  readonly plot: Plot
  /** Records the visible part of the map, or the bins of a summary, in the address, without adding a history entry. */
  readonly onMoved: (plot: Plot) => void
  readonly onPlot: (plot: Plot) => void
  readonly onAsked: (asked: Asked) => void
}
