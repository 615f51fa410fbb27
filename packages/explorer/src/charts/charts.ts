/** Charts of a list, each loaded on first use. */
import { needed } from '../parts/loaded.tsx'

/** The distribution of a property's values. */
export const Histogram = needed(async () => (await import('./histogram-view.tsx')).HistogramView)

/** One property plotted against another. */
export const Scatter = needed(async () => (await import('./scatter-view.tsx')).ScatterView)

/** A map of the entities in a list. */
export const PlaceChart = needed(async () => (await import('./map-view.tsx')).MapView)

/** The entities of a list on a timeline. */
export const Timeline = needed(async () => (await import('./histogram-view.tsx')).TimelineView)

/** The outgoing and incoming references of one entity. */
export const ReferenceGraph = needed(async () => (await import('./reference-graph.tsx')).ReferenceGraph)
