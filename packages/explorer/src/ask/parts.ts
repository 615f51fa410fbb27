/** What asks precisely, fetched with the first world that can be asked. */
import { loaded } from '../parts/loaded.tsx'

/** The filters beside a list. */
export const AskPanel = loaded(async () => (await import('./ask-panel.tsx')).AskPanel)

/** The filters that are set. */
export const FilterChips = loaded(async () => (await import('./filter-chips.tsx')).FilterChips)

/** What points to an entity. */
export const Referrers = loaded(async () => (await import('./referrers.tsx')).Referrers)

/** The ways from a search in several types to the list of one. */
export const RefineTypes = loaded(async () => (await import('./refine-types.tsx')).RefineTypes)

/** What the entities of a type are like, at a glance. */
export const TypePicture = loaded(async () => (await import('./type-picture.tsx')).TypePicture)

/** The entities before and after one. */
export const Neighbours = loaded(async () => (await import('./neighbours.tsx')).Neighbours)
