/** Components for precise questions, fetched with the first world that answers them. */
import { loaded } from '../parts/loaded.tsx'

/** The filters beside a list. */
export const AskPanel = loaded(async () => (await import('./ask-panel.tsx')).AskPanel)

/** The filters that are active. */
export const FilterChips = loaded(async () => (await import('./filter-chips.tsx')).FilterChips)

/** The entities that refer to one entity. */
export const Referrers = loaded(async () => (await import('./referrers.tsx')).Referrers)

/** Links from a search in several types to the list of one. */
export const RefineTypes = loaded(async () => (await import('./refine-types.tsx')).RefineTypes)

/** The entities of a type, at a glance. */
export const TypePicture = loaded(async () => (await import('./type-picture.tsx')).TypePicture)

/** The entities before and after one. */
export const Neighbours = loaded(async () => (await import('./neighbours.tsx')).Neighbours)
