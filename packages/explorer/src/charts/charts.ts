/** The charts of a list, each fetched on first use. */
import { needed } from '../parts/loaded.tsx'

/** The distribution of a property's values. */
export const Histogram = needed(async () => (await import('./histogram-view.tsx')).HistogramView)

/** Two properties against each other. */
export const Scatter = needed(async () => (await import('./scatter-view.tsx')).ScatterView)

/** The map of a list's entities. */
export const PlaceChart = needed(async () => (await import('./map-view.tsx')).MapView)

/** The entities of a list along time. */
export const Timeline = needed(async () => (await import('./timeline-view.tsx')).TimelineView)

/** The references of one entity, to others and from them. */
export const ReferenceGraph = needed(async () => (await import('./reference-graph.tsx')).ReferenceGraph)
